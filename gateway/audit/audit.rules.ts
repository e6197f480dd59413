import { z } from "zod";

import { wantedText } from "../input/listParameters.rules.ts";
import { sortRuleOf } from "../input/listQuery.rules.ts";
import { filterTextRule, listQueryRules } from "../input/page.rules.ts";
import { endRule, inOrder, startRule } from "../calendar/period.rules.ts";
import { auditParameters, auditSortKeys, type Outcome, outcomes } from "./listFilter.rules.ts";

/** Who acted: a person in their session, a person's token, or a machine. */
export const actors = {
  person: "Person",
  token: "Person's token",
  service: "Service account",
  site: "Site credential",
} as const;
export type Actor = keyof typeof actors;
const outcomeNames = Object.keys(outcomes) as [Outcome];

/**
 * Filter texts are not checked: an empty text filters nothing, and an unknown action may have been written by a later
 * version.
 */
const auditFilterShape = {
  who: filterTextRule.describe(auditParameters.who.about),
  action: filterTextRule.describe(auditParameters.action.about),
  outcome: z.enum(outcomeNames, wantedText.choice(auditParameters.outcome)).nullish(),
  start: startRule.nullish().describe(auditParameters.start.about),
  end: endRule.nullish().describe(auditParameters.end.about),
  about: filterTextRule.describe(auditParameters.about.about),
};
const sort = sortRuleOf(auditSortKeys, "The newest first.");

/** Filters of the audit log. */
export const auditFilterRules = z.strictObject(auditFilterShape).refine(...inOrder);
export type AuditFilter = z.output<typeof auditFilterRules>;

/** Query parameters of its list: page, filters and order. */
export const auditListRules = listQueryRules.extend({ ...auditFilterShape, sort }).refine(...inOrder);
/** Query parameters of its CSV file: filters and order. */
export const auditExportRules = z.strictObject({ ...auditFilterShape, sort }).refine(...inOrder);
