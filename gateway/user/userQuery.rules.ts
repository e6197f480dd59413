import { z } from "zod";

import { roleCodes } from "../access/access.rules.ts";
import { startRule } from "../calendar/period.rules.ts";
import { sortRuleOf } from "../input/listQuery.rules.ts";
import { filterTextRule, idRule } from "../input/page.rules.ts";

/** Filters and orders of the list of people and of its file. */

const roles = Object.keys(roleCodes) as (keyof typeof roleCodes)[];

export const userFilterRules = z.strictObject({
  implementingPartnerId: idRule.nullish(),
  active: z
    .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")], "must be true or false")
    .nullish(),
  search: filterTextRule.describe("Words of the names or the primary e-mail address."),
  role: z
    .enum(roles, `must be one of ${roles.join(", ")}`)
    .nullish()
    .describe("Only those who were given this privilege."),
  lastLoginBefore: startRule
    .nullish()
    .describe("Without a sign-in on this day or later: the last was before it, or there was none."),
});
/** Query parameters of the file of people: filters and order. */
export const userExportRules = userFilterRules.extend({
  sort: sortRuleOf(["userName", "surname", "created", "lastLogin"], "By user name."),
});

/** The filter for checked parameters. */
export const userListOf = <Asked extends { role?: keyof typeof roleCodes | null | undefined }>({
  role,
  ...asked
}: Asked) => ({ ...asked, privilege: role && roleCodes[role] });
