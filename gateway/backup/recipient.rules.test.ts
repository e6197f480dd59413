import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, test } from "vitest";

import { recipientRule } from "./recipient.rules.ts";

const known = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

test("accepts public keys of age of both kinds", async () => {
  expect(recipientRule.safeParse(known).success).toBe(true);
  for (const make of [generateX25519Identity, generateHybridIdentity])
    expect(recipientRule.safeParse(await identityToRecipient(await make())).success).toBe(true);
});

test("refuses a key with any wrong letter, and texts that are not a public key", async () => {
  for (let at = 4; at < known.length; at += 1) {
    const other = known[at] === "q" ? "p" : "q";
    expect(recipientRule.safeParse(known.slice(0, at) + other + known.slice(at + 1)).success, String(at)).toBe(false);
  }
  for (const text of [
    "",
    "age1",
    known.slice(0, -1),
    `${known}q`,
    known.toUpperCase(),
    ` ${known}`,
    await generateX25519Identity(),
    known.replace("age1", "age1yubikey1"),
    "ssh-ed25519 AAAAC3Nz",
  ])
    expect(recipientRule.safeParse(text).success, text).toBe(false);
});
