import { z } from "zod";

import { passwordForm } from "../input/identity.rules.ts";
import { longestPassword } from "./credentials.rules.ts";

/** Rules for the second factor: codes of an authenticator app, recovery codes, and the password that a change needs. */

/** How many recovery codes are made at a time. */
export const recoveryCodeCount = 10;

const mostOfCode = 64;
const withoutGaps = (text: string): string => text.replace(/[\s-]/g, "").toLowerCase();

/** A code as it may be typed: of the app (six digits) or a recovery code; with gaps or without, in any case. */
export const codeRule = z
  .string("is required")
  .max(mostOfCode, `may have at most ${mostOfCode} characters`)
  .transform(withoutGaps)
  .refine((code) => code !== "", "is required");

/** A password as somebody types it who is signed in already. */
export const typedPasswordRule = z
  .string("is required")
  .overwrite(passwordForm)
  .min(1, "is required")
  .max(longestPassword, `may have at most ${longestPassword} characters`);

export const withPasswordRules = z.strictObject({
  password: typedPasswordRule.describe("Your present password."),
});
export type WithPassword = z.output<typeof withPasswordRules>;

export const confirmRules = z.strictObject({
  code: codeRule.describe("A code of the authenticator app that has the secret."),
});

/** Who needs a second factor in this installation. */
export const secondFactorHolders = ["off", "administrators"] as const;
export type SecondFactorHolders = (typeof secondFactorHolders)[number];
