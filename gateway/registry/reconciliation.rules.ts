import { z } from "zod";

import { findingKinds, findingStates, findingTrends } from "../../db/registry/reconciliation.rules.ts";
import { wholeNumber } from "../input/page.rules.ts";
import { lineRule, textRule } from "../input/texts.rules.ts";

/** Rules for comparisons of the registry with other lists, for REST, GraphQL, the screen and the command. */

export {
  type FindingKind,
  findingKinds,
  type FindingState,
  findingStates,
  type FindingTrend,
  findingTrends,
  type ListForm,
  listForms,
} from "../../db/registry/reconciliation.rules.ts";

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

export const findingFilterShape = {
  kind: oneOf(findingKinds).nullish().describe("Only findings of this kind"),
  trend: oneOf(findingTrends)
    .nullish()
    .describe("Only those that are so beside the previous comparison; without it all but those that are gone"),
  state: oneOf(findingStates).nullish().describe("Only findings in this state"),
  field: lineRule(64).nullish().describe("Only findings that differ in this field"),
};

/** The other list: its source, and the level of its facilities. */
export const sourceRules = z.strictObject({
  source: lineRule(128, "Source is required")
    .min(1, "Source is required")
    .describe("Whose list it is, for example DHIS2: it is compared with the previous one of the same source"),
  level: wholeNumber
    .refine((level) => level >= 1 && level <= 20, "must be 1 to 20")
    .nullish()
    .describe("The level of the organisation units that are facilities; without it the deepest"),
});
export type SourceInput = z.output<typeof sourceRules>;

const choice = {
  numbers: z
    .array(z.int("must be a whole number").min(1).max(2_147_483_647))
    .min(1)
    .max(1000)
    .nullish()
    .describe("The numbers of the findings"),
  kind: oneOf(findingKinds).nullish().describe("All findings of this kind"),
  all: z.literal(true, { error: "must be true" }).nullish().describe("All findings"),
};
type Choice = { numbers?: number[] | null | undefined; kind?: unknown; all?: true | null | undefined };
const isOneChoice = ({ numbers, kind, all }: Choice): boolean =>
  [numbers, kind, all].filter((one) => one != null).length === 1;
const oneChoice = { path: ["all"], message: "exactly one of numbers, kind and all is needed" };

/** A decision about some findings, about all of a kind, or about all. */
export const findingDecisionRules = z
  .strictObject({
    state: oneOf(findingStates),
    note: textRule(1000).nullish().describe("Why; null erases it, without it the note stays"),
    ...choice,
  })
  .refine(isOneChoice, oneChoice);
export type FindingDecision = z.output<typeof findingDecisionRules>;

/** Which open findings to make an import of. */
export const findingChoiceRules = z.strictObject(choice).refine(isOneChoice, oneChoice);
export type FindingChoice = z.output<typeof findingChoiceRules>;
