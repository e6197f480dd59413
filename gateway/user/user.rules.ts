import { z } from "zod";

import { type Privilege, privilegeNames, roleCodes } from "../access/access.rules.ts";
import { personForm, phoneForm, textForm, typedPhone } from "../input/identity.rules.ts";
import { idRule, uuidTextRule } from "../input/page.rules.ts";
import { textIn } from "../input/texts.rules.ts";

/** The fields of a person, with the limits and the order of the specification's user form. */

const required = (least: number, most: number, form = personForm) =>
  textIn(form, most, "is required")
    .min(1, { error: "is required", abort: true })
    .min(least, `must have at least ${least} characters`);

const optional = (most: number, form = personForm) =>
  textIn(form, most)
    .nullish()
    .transform((text) => text || null);

const userNameRule = required(3, 32).regex(
  /^[A-Za-z0-9._@+-]*$/,
  "may have letters from A to Z without marks, digits and . _ - @ + only",
);

/**
 * A loose pattern of an e-mail address. Stricter ones refuse addresses that exist, and the shortest that the limits
 * allow (a@b).
 */
const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);
const noEmail = "is not an e-mail address";

export const genders = { U: "Unspecified", M: "Male", F: "Female" } as const;
type Gender = keyof typeof genders;

const particulars = {
  firstName: required(3, 32),
  middleName: optional(32),
  surname: required(3, 32),
  gender: z.enum(Object.keys(genders) as [Gender], "must be U, M or F"),
  bio: optional(1024, textForm),
  primaryEmail: required(3, 128).refine(isEmail, noEmail),
  secondaryEmail: optional(128).refine((text) => text === null || isEmail(text), noEmail),
  primaryPhoneNumber: required(3, 15, typedPhone).overwrite(phoneForm).min(3, "must have at least 3 digits"),
  secondaryPhoneNumber: optional(15, typedPhone).transform((phone) => phoneForm(phone ?? "") || null),
};
export const particularNames = Object.keys(particulars) as (keyof typeof particulars)[];

/** The fields of a new account, as options of the command line. */
export const newUserRules = z.strictObject({ userName: userNameRule, ...particulars });

const flag = z.boolean("must be true or false").optional();
const flags = z.strictObject(
  Object.fromEntries(privilegeNames.map((name) => [name, flag])) as Record<Privilege, typeof flag>,
);
const roles = Object.keys(roleCodes) as (keyof typeof roleCodes)[];
const codes = z.array(z.enum(roles, `must be one of ${roles.join(", ")}`)).max(20);

/**
 * Privileges as input: an object of booleans, in which a missing one is not changed, or a list of role codes, which
 * sets all but editSelf and editRegistry. The output is the object.
 */
const privilegesRule = z
  .union([flags, codes], "must be an object of true and false, or a list of role codes")
  .transform((given): Partial<Record<Privilege, boolean>> => {
    if (!Array.isArray(given))
      return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const named = new Set<Privilege>(given.map((code) => roleCodes[code]));
    return Object.fromEntries(Object.values(roleCodes).map((name) => [name, named.has(name)]));
  });

/** The five privileges that a manager may grant. */
export const grantable = [
  "editAssessments",
  "viewAssessments",
  "uploadTdbs",
  "accessDownloads",
  "manageUsers",
] as const;

/** The privileges that administrators may grant: those, and editRegistry. */
export const administratorsGrantable = [...grantable, "editRegistry"] as const;

const partner = idRule.nullish();
const alwaysNull = z.null("cannot be chosen").optional();

/** The body that creates a user. Further fields of the template from GET /user/new are accepted unchanged. */
export const createUserRules = newUserRules
  .extend({
    uuid: alwaysNull,
    version: alwaysNull,
    active: z.literal(true, "must be true").nullish(),
    implementingPartnerId: partner,
    privileges: privilegesRule.nullish(),
  })
  .transform(({ uuid: _uuid, version: _version, active: _active, ...user }) => user);
export type CreateUser = z.output<typeof createUserRules>;

/** The user form. Administrators also choose the partner. */
export const userForm = ({ withPartner }: { withPartner: boolean }) =>
  z.object({
    userName: userNameRule,
    ...particulars,
    implementingPartnerId: withPartner ? z.string("is required").regex(/^\d+$/, "is required") : z.string().optional(),
  });
export type UserForm = ReturnType<typeof userForm>;

/** The body that changes a user. A missing field is not changed. `uuid` names the user; `active` must be unchanged. */
export const updateUserRules = z.strictObject({
  uuid: z.string("is required").pipe(uuidTextRule),
  userName: userNameRule.optional(),
  ...(Object.fromEntries(Object.entries(particulars).map(([name, rule]) => [name, rule.optional()])) as {
    [Name in keyof typeof particulars]: z.ZodOptional<(typeof particulars)[Name]>;
  }),
  implementingPartnerId: idRule.optional(),
  privileges: privilegesRule.optional(),
  version: z.number("must be a whole number").int("must be a whole number").min(1).max(2147483647).optional(),
  active: z.boolean("must be true or false").optional(),
});
export type UpdateUser = z.output<typeof updateUserRules>;
