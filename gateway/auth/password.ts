import { randomBytes } from "node:crypto";

import { hash, verify } from "@node-rs/argon2";

/** Passwords are kept as argon2id hashes, with the library's parameters (19 MiB, 2 passes: OWASP's first choice). */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** A password for one sign-in: 74 bits, without characters that are easily confused. */
export function makePassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const bytes = [...randomBytes(64)].filter((byte) => byte < 248).slice(0, 15);
  return bytes
    .map((byte) => letters[byte % letters.length])
    .join("")
    .replace(/(.{5})(?=.)/g, "$1-");
}

let dummy: Promise<string> | undefined;

/**
 * Whether the password matches the hash. Without a hash (no such account) it takes as long and returns false, so that
 * the time of the answer does not reveal whether a name exists.
 */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  if (passwordHash === undefined) {
    dummy ??= hashPassword(randomBytes(16).toString("hex"));
    await verify(await dummy, password);
    return false;
  }
  return verify(passwordHash, password);
}
