import { z } from "zod";

import { type Privilege, privilegeNames, roleCodes } from "../access/access.rules.ts";
import { dateRule } from "../calendar/period.rules.ts";
import { lineRule } from "../input/texts.rules.ts";
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

/** The most tokens that one person may have in use. */
export const mostTokens = 20;
/** The most days that a token may be valid. */
export const mostTokenDays = 366;

/**
 * Privileges chosen for a token or a service account: a list of their names or role codes, or an object of booleans.
 * The output is the list of names, in the order of `allowed`.
 */
export function chosenPrivileges<Name extends Privilege>(allowed: readonly Name[]) {
  const codeOf = Object.fromEntries(Object.entries(roleCodes).map(([code, name]) => [name, code]));
  const words = allowed.flatMap((name) => [name, ...(codeOf[name] ? [codeOf[name]] : [])]);
  const flag = z.boolean("must be true or false").optional();
  const flags = Object.fromEntries(allowed.map((name) => [name, flag])) as Record<Name, typeof flag>;
  return z
    .union([z.array(z.enum(words)).max(words.length), z.strictObject(flags)], {
      error: ({ input }) =>
        input === undefined
          ? "is required"
          : `must be a list of ${allowed.join(", ")} or their role codes (such as VIEW_ASSESSMENTS), or an object of these names with true and false`,
    })
    .transform((given): Name[] => {
      const isChosen = Array.isArray(given)
        ? (name: Name) => given.includes(name) || given.includes(codeOf[name] ?? name)
        : (name: Name) => (given as Partial<Record<Name, boolean>>)[name] === true;
      return allowed.filter(isChosen);
    });
}

export const newTokenRules = z.strictObject({
  name: lineRule(64, "is required").min(1, "is required"),
  expiryDate: dateRule.describe(`The last day on which it works, at most ${mostTokenDays} days from today.`),
  privileges: chosenPrivileges(privilegeNames),
});
export type NewToken = z.output<typeof newTokenRules>;
