import { z } from "zod";

import { type Privilege, privilegeNames } from "../access/access.rules.ts";
import { dateRule } from "../calendar/period.rules.ts";
import { storable } from "../input/text.rules.ts";
import { newPasswordRule } from "./auth.rules.ts";
import { passwordsDiffer } from "./credentials.rules.ts";
import { typedPasswordRule } from "./secondFactor.rules.ts";

/** One's own account: the password and the access tokens. */

export const changePasswordRules = z
  .strictObject({
    currentPassword: typedPasswordRule,
    password: newPasswordRule,
    confirmPassword: typedPasswordRule,
    endTokens: z
      .boolean("must be true or false")
      .nullish()
      .describe("Whether your access tokens end too; if not given, they stay valid."),
  })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ["confirmPassword"],
    error: passwordsDiffer,
  });
export type ChangePassword = z.output<typeof changePasswordRules>;

export const tokenUuidRule = z.uuid("is not the uuid of a token");

/** The most tokens that one person may have in use. */
export const mostTokens = 20;
/** The most days that a token may be valid. */
export const mostTokenDays = 366;

export const newTokenRules = z.strictObject({
  name: z
    .string("is required")
    .trim()
    .min(1, "is required")
    .max(64, "may have at most 64 characters")
    .refine(...storable),
  expiryDate: dateRule.describe(`The last day on which it works, at most ${mostTokenDays} days from today.`),
  privileges: z
    .array(z.enum(privilegeNames, `must be one of ${privilegeNames.join(", ")}`))
    .max(privilegeNames.length)
    .transform((names): Privilege[] => privilegeNames.filter((name) => names.includes(name))),
});
export type NewToken = z.output<typeof newTokenRules>;
