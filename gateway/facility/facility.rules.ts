import { z } from "zod";

import { codeForm } from "../input/identity.rules.ts";
import { mostNamedSites } from "./namedSites.rules.ts";
import { idRule } from "../input/page.rules.ts";
import { endRule, monthRule, quarterRule, yearRule } from "../calendar/period.rules.ts";
import { storable } from "../input/text.rules.ts";
import { textIn } from "../input/texts.rules.ts";
import { periodFaults } from "./listPeriod.rules.ts";
import { modes } from "./mode.rules.ts";
import { searchMaximum, searchMinimum } from "./searchText.rules.ts";

export { type Mode, modeLabels, modes } from "./mode.rules.ts";
export const modeRule = z.enum(modes, { error: `must be one of ${modes.join(", ")}` });

/** A facility's uuid: any text of 1 to 64 characters, because many real ones are not UUIDs. */
export const facilityUuidRule = z
  .string()
  .min(1)
  .max(64)
  .refine(...storable);

/** Facilities of a file, chosen one by one: a query parameter that is given once for each. */
export const namedSitesRule = z
  .preprocess(
    (given) => (typeof given === "string" ? [given] : given),
    z.array(facilityUuidRule).max(mostNamedSites, `may be given at most ${mostNamedSites} times`),
  )
  .optional()
  .describe("Only this facility. It can be given several times.");

/** The text of a facility search. */
export const searchTextRule = textIn(codeForm, searchMaximum).min(
  searchMinimum,
  `must have at least ${searchMinimum} characters`,
);

/** The fields of `facilityFilterRules`, for use in other rules: a scope, a mode and a period. */
export const filterShape = {
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
  mode: modeRule.nullish(),
  year: yearRule.nullish(),
  quarter: quarterRule.nullish(),
  month: monthRule.nullish(),
  asOf: endRule
    .nullish()
    .describe(
      "With a mode: the day as at which a facility had it, by its latest assessment up to and including that day",
    ),
};
type Filter = z.output<z.ZodObject<typeof filterShape>>;

/** Refuses parts of a period that do not fit together. */
export const periodChecks = (
  filter: Pick<Filter, "mode" | "year" | "quarter" | "month" | "asOf">,
  context: z.RefinementCtx,
): void => {
  for (const { path, message } of periodFaults(filter)) context.addIssue({ code: "custom", path: [path], message });
};

/**
 * Filters of a facility list: a scope, a mode, and the period in which (or the day as at which) the facility had that
 * mode; without these, its present mode.
 */
export const facilityFilterRules = z.strictObject(filterShape).superRefine(periodChecks);
export type FacilityFilter = z.output<typeof facilityFilterRules>;
