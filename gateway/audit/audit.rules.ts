import { z } from "zod";

import { wantedText } from "../input/listParameters.rules.ts";
import { sortRuleOf } from "../input/listQuery.rules.ts";
import { filterTextRule, listQueryRules } from "../input/page.rules.ts";
import { dateRule, inOrder } from "../calendar/period.rules.ts";
import { auditParameters, auditSortKeys, type Outcome, outcomes } from "./listFilter.rules.ts";

/** In which role somebody acted: in their own session, by one of their tokens, or as a machine. */
export const actors = { person: "Person", token: "Person's token", service: "Service account", site: "Site credential" } as const;
export type Actor = keyof typeof actors;
const outcomeNames = Object.keys(outcomes) as [Outcome];

/** Texts are taken as they come: an empty one narrows nothing, and an event that this version does not know may have been written by a later one. */
const auditFilterShape = {
  who: filterTextRule.describe(auditParameters.who.about),
  action: filterTextRule.describe(auditParameters.action.about),
  outcome: z.enum(outcomeNames, wantedText.choice(auditParameters.outcome)).nullish(),
  start: dateRule.nullish().describe(auditParameters.start.about),
  end: dateRule.nullish().describe(auditParameters.end.about),
  about: filterTextRule.describe(auditParameters.about.about),
};
const sort = sortRuleOf(auditSortKeys, "The newest first.");

/** Filters of the audit. */
export const auditFilterRules = z.strictObject(auditFilterShape).refine(...inOrder);
export type AuditFilter = z.output<typeof auditFilterRules>;

/** Query parameters of its list: a page, what narrows it, and its order. */
export const auditListRules = listQueryRules.extend({ ...auditFilterShape, sort }).refine(...inOrder);
/** The same of its file. */
export const auditExportRules = z.strictObject({ ...auditFilterShape, sort }).refine(...inOrder);
