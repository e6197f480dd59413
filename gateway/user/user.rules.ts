import { z } from "zod";

import { storable } from "../page.rules.ts";

/** A person's particulars: the limits of the specification's user form, in its order. */

const unstorable = "holds a character that cannot be stored";

const required = (least: number, most: number) =>
  z
    .string("is required")
    .trim()
    .min(1, { error: "is required", abort: true })
    .min(least, `must have at least ${least} characters`)
    .max(most, `may have at most ${most} characters`)
    .refine(storable, unstorable);

const optional = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `may have at most ${most} characters`)
    .refine(storable, unstorable)
    .nullish()
    .transform((text) => text || null);

/** A sign-in takes a user name or an e-mail address: a user name with @ could be taken for somebody's address. */
export const userNameRule = required(3, 32).refine((name) => !name.includes("@"), "must not contain @");
const emailRule = required(3, 128).pipe(z.email("is not an e-mail address"));

export const genders = { U: "Unspecified", M: "Male", F: "Female" } as const;

export const newUserRules = z.strictObject({
  userName: userNameRule,
  firstName: required(3, 32),
  middleName: optional(32),
  surname: required(3, 32),
  gender: z.enum(Object.keys(genders) as [keyof typeof genders], "must be U, M or F"),
  primaryEmail: emailRule,
  secondaryEmail: optional(128),
  primaryPhoneNumber: required(3, 15),
  secondaryPhoneNumber: optional(15),
});
export type NewUser = z.output<typeof newUserRules>;
