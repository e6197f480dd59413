import { z } from "zod";

import { fieldFilters, type FieldMatch } from "../../db/facilityFields.rules.ts";
import { idRule } from "../input/page.rules.ts";
import { namedPeriodRules } from "../calendar/period.rules.ts";
import { storable } from "../input/text.rules.ts";
import { modeRule } from "./facility.rules.ts";

/** Which facilities a list or a grouping means, beside its scope: what they are and what their assessments say. */

const flag = z.boolean("must be true or false").nullish();
const text = z.string().trim().min(1, "must not be empty").max(256, "may have at most 256 characters").refine(...storable).nullish();
const count = z.number().int().min(0, "must not be negative").nullish();

/** What a facility's latest assessment says, of a period or (without one) of all time. */
const assessmentMatchRules = z
  .strictObject({
    period: namedPeriodRules.nullish(),
    exists: flag,
    mode: z.array(modeRule).min(1, "must name a mode").max(6, "names a mode twice").nullish(),
    smartCareFunctional: flag,
    primaryPower: flag,
    primaryPowerWorking: flag,
    backupPower: flag,
    backupPowerWorking: flag,
    libraryVersionConsistent: flag,
    libraryVersion: text,
    staffTrainedFrom: count,
    staffTrainedTo: count,
  })
  .superRefine(({ period: _period, exists, ...match }, context) => {
    if (exists !== false) return;
    for (const [name, value] of Object.entries(match))
      if (value != null) context.addIssue({ code: "custom", path: [name], message: "cannot be asked of facilities without an assessment (exists: false)" });
  });

type FieldRules = { [Name in keyof FieldMatch]-?: z.ZodOptional<z.ZodNullable<z.ZodType<NonNullable<FieldMatch[Name]>>>> };
const fieldRules = Object.fromEntries(fieldFilters.map(({ argument, compare }) => [argument, compare === "same" ? text : count])) as object as FieldRules;

export const facilityMatchRules = z.strictObject({
  province: text,
  district: text,
  implementingPartner: text,
  serviceAreaId: idRule.nullish(),
  ...fieldRules,
  hasHmisCode: flag,
  hasImplementingPartner: flag,
  connectivityPresent: flag,
  mobileCoverage: flag,
  latestAssessment: assessmentMatchRules.nullish(),
  earlierAssessment: assessmentMatchRules.nullish(),
});
/** The filter as an argument, so that what is wrong in it is named by its whole path. */
export const facilityMatchArgument = z.strictObject({ filter: facilityMatchRules.nullish() });
export type FacilityMatch = z.output<typeof facilityMatchRules>;
