import { z } from "zod";

import { type Privilege } from "../access/access.rules.ts";
import { chosenPrivileges, newTokenRules } from "../auth/account.rules.ts";
import { idRule, sentBackRule } from "../input/page.rules.ts";
import { lineRule } from "../input/texts.rules.ts";

/** Rules of service accounts: names, privileges and limits. */

/**
 * The privileges that a service account can have. It cannot administer, manage people or have a profile; the database
 * refuses these too.
 */
export const servicePrivileges = [
  "viewAssessments",
  "editAssessments",
  "uploadTdbs",
  "accessDownloads",
] as const satisfies Privilege[];
export type ServicePrivilege = (typeof servicePrivileges)[number];

const nameRule = lineRule(32, "is required")
  .min(3, "must have at least 3 characters")
  .refine((name) => !name.includes("@"), "must not contain @");

const ownerRule = lineRule(64, "is required").min(1, "is required");

const privilegesRule = chosenPrivileges(servicePrivileges);

const limitShape = {
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
};
type LimitInput = {
  provinceId?: number | null | undefined;
  districtId?: number | null | undefined;
  implementingPartnerId?: number | null | undefined;
};
const oneLimit = ({ provinceId, districtId, implementingPartnerId }: LimitInput) =>
  [provinceId, districtId, implementingPartnerId].filter((id) => id != null).length <= 1;
const oneLimitMessage = { path: ["provinceId"], error: "name one of province, district and partner, or none" };

export const newServiceAccountRules = z
  .strictObject({
    name: nameRule.describe("Its name in lists and in the audit; no two accounts share one."),
    owner: ownerRule.describe(
      "User name or uuid of the person who answers for it; its tokens work while this person's account is active.",
    ),
    privileges: privilegesRule,
    ...limitShape,
  })
  .refine(oneLimit, oneLimitMessage);
export type NewServiceAccount = z.output<typeof newServiceAccountRules>;

/** What may be sent back as the account was answered, but not changed here. */
export const echoedAccountNames = [
  "uuid",
  "ownerUuid",
  "ownerActive",
  "province",
  "district",
  "implementingPartner",
  "active",
  "createdDate",
] as const;
const echoed = Object.fromEntries(echoedAccountNames.map((name) => [name, sentBackRule])) as Record<
  (typeof echoedAccountNames)[number],
  typeof sentBackRule
>;

/**
 * A field that is not given is not changed. If one of the three limits is given, all three are replaced (all null: the
 * whole country).
 */
export const updateServiceAccountRules = z
  .strictObject({
    name: nameRule.optional(),
    owner: ownerRule.optional(),
    privileges: privilegesRule.optional(),
    ...limitShape,
    ...echoed,
  })
  .refine(oneLimit, oneLimitMessage);
export type UpdateServiceAccount = z.output<typeof updateServiceAccountRules>;

/** A token of a service account: it has the privileges of its account. If they are named, they must be just these. */
export const newServiceTokenRules = newTokenRules.extend({ privileges: privilegesRule.optional() });
export type NewServiceToken = z.output<typeof newServiceTokenRules>;
