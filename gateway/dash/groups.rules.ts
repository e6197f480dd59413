import { z } from "zod";

import { notesSearchRule } from "../assessment/assessment.rules.ts";
import { facilityUuidRule, modeRule } from "../facility/facility.rules.ts";
import { facilityMatchRules, kilometresRule, positionRules } from "../facility/facilityFilter.rules.ts";
import { idRule, uuidRule } from "../input/page.rules.ts";
import { lineRule } from "../input/texts.rules.ts";
import { fiscalYearOf, type PeriodKind, quarterOfMonth } from "../calendar/fiscal.rules.ts";
import { endRule, inOrder, namedPeriodRules, startRule } from "../calendar/period.rules.ts";

/** The inputs of groupings of facilities, assessments and TDBs. */

export const groupKeys = {
  province: "The facility's province.",
  district: "The facility's district.",
  implementingPartner: "The partner that supports the facility today; those without one are a group.",
  mode: "The deployment mode: of facilities that of the counted assessment (their present one without a period), of assessments the one found, of TDBs the facility's present one.",
  libraryVersion: "The SmartCare library version that the assessment or TDB names; those that name none are a group.",
  facilityOwner: "Who owns the facility; where that is not stated is a group.",
  facilityType: "The facility's type; where it is not stated is a group.",
  healthCenterType: "The facility's type of health centre; where it is not stated is a group.",
  laboratoryLevel: "The level of the facility's laboratory; where it is not stated is a group.",
  operationStatus: "Whether the facility operates; where that is not stated is a group.",
  connectivityPresent: "Whether the facility is connected to a network; where that is not stated is a group.",
  connectivityType: "How the facility is connected; where that is not stated is a group.",
  mobileCoverage: "Whether there is mobile coverage; where that is not stated is a group.",
  serviceArea:
    "An active service area of the facility: it counts in each, and where it has none in a group of its own.",
  distance:
    "How far the facility lies from a position (distanceFrom), in bands; where its own is not known is a group. Only for facilities.",
  smartCareFunctional:
    "Whether the counted assessment found SmartCare functional; where it does not record that, or there is none, is a group. Not for TDBs.",
  user: "Who made the visit or sent the TDB. Not for facilities; needs the right to see them one by one.",
  weekday: "The day of the week of the visit or receipt, 1 (Monday) to 7. Not for facilities.",
  month: "The calendar month of the visit or receipt.",
  quarter: "The fiscal quarter of the visit or receipt.",
  year: "The fiscal year of the visit or receipt.",
} as const;
export type GroupKey = keyof typeof groupKeys;
/** The column that identifies the groups of a key. */
export const keyColumns: Record<GroupKey, string> = {
  ...(Object.fromEntries(Object.keys(groupKeys).map((key) => [key, key])) as Record<GroupKey, string>),
  ...{
    province: "provinceId",
    district: "districtId",
    implementingPartner: "implementingPartnerId",
    serviceArea: "serviceAreaId",
    distance: "distanceFrom",
    user: "userUuid",
  },
  ...{ month: "periodStart", quarter: "periodStart", year: "periodStart" },
};
const keyNames = Object.keys(groupKeys) as [GroupKey, ...GroupKey[]];

/**
 * The kind of period of a grouping: that of its shortest calendar key, because a month also determines its quarter and
 * year.
 */
export const kindOf = (by: readonly GroupKey[]): PeriodKind | null =>
  (["month", "quarter", "year"] as const).find((kind) => by.includes(kind)) ?? null;

const by = z
  .array(z.enum(keyNames))
  .max(keyNames.length, "names a key twice")
  .refine((keys) => new Set(keys).size === keys.length, "names a key twice");
const byWithout = (...others: GroupKey[]) =>
  by.superRefine((keys, context) => {
    for (const key of others)
      if (keys.includes(key)) context.addIssue({ code: "custom", message: `cannot name ${key} here` });
  });
/** The most groups that one query may return, and how they are chosen. */
const arrangement = {
  sort: lineRule(64).nullish(),
  first: z.number().int().min(1, "must be 1 or more").max(10_000, "may be at most 10,000").nullish(),
  minimumSize: z.int().min(0, "must not be negative").max(2147483647).nullish(),
  minimumDenominator: z.int().min(1, "must be 1 or more").max(2147483647).nullish(),
};
const againstDays = z
  .strictObject({ start: startRule.nullish(), end: endRule.nullish(), previous: z.boolean().nullish() })
  .refine(({ start, end, previous }) => [start, end].every((day) => (day == null) === (previous === true)), {
    path: ["start"],
    message: "and end are needed, or previous, and not both",
  })
  .refine(...inOrder)
  .nullish();

export const measureChanges = ["difference", "percent"] as const;
const measure = z
  .strictObject({
    count: lineRule(64),
    per: lineRule(64).nullish(),
    each: z.int().min(1, "must be 1 or more").max(1_000_000, "may be at most 1,000,000").nullish(),
    change: z.enum(measureChanges).nullish(),
    running: z.boolean().nullish(),
  })
  .refine(({ per, change, running }) => running !== true || (per ?? change) == null, {
    path: ["running"],
    message: "cannot be given together with per or change",
  })
  .refine(({ per, each }) => each == null || per != null, { path: ["each"], message: "needs per" })
  .nullish();
/** A figure of the asker's own. */
export type MeasureAsked = NonNullable<z.output<typeof measure>>;

/** What a list with a measure of its own must have beside it. */
const besideMeasure = (
  asked: {
    by: readonly GroupKey[];
    sort?: string | null | undefined;
    minimumDenominator?: number | null | undefined;
    against?: object | null | undefined;
    measure?: MeasureAsked | null | undefined;
  },
  context: z.RefinementCtx,
) => {
  const { sort, minimumDenominator, against, measure: own } = asked;
  const refuse = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
  const hasPeriods = kindOf(asked.by) !== null;
  const isByMeasure = /^-?measure(\.now|\.count)?$/.test(sort ?? "");
  if (isByMeasure && own == null) refuse(["measure"], "is needed for an order by it");
  if (own?.running === true && !hasPeriods) refuse(["measure", "running"], "needs MONTH, QUARTER or YEAR");
  if (own?.change != null && against == null && !hasPeriods)
    refuse(["measure", "change"], "needs against, or MONTH, QUARTER or YEAR");
  if (minimumDenominator != null && !(isByMeasure || sort == null ? own?.per != null : sort.endsWith(".share")))
    refuse(["minimumDenominator"], "needs an order by a share, or a measure with per and no other order");
};

/** A position, and the ends of the bands of the distance from it, in kilometres. */
const distanceFrom = z.strictObject({
  ...positionRules,
  kilometres: z
    .array(kilometresRule)
    .min(1, "must name a distance")
    .max(10, "may name at most 10")
    .refine(
      (all) => all.every((one, index) => index === 0 || one > all[index - 1]!),
      "must be in order, the least first",
    )
    .nullish()
    .transform((given) => given ?? [5, 20, 50, 100, 200]),
});

/** Whether a fact of facilities comes from their TDBs. */
export const isTdbFact = (fact: string): boolean => ["clients", "computers", "daysSinceLastTdb"].includes(fact);
const scope = { provinceId: idRule.nullish(), districtId: idRule.nullish(), implementingPartnerId: idRule.nullish() };
const days = { start: startRule.nullish(), end: endRule.nullish() };
const userUuid = uuidRule.nullish();

export const facilityGroupRules = z
  .strictObject({
    by: byWithout("user", "weekday"),
    ...arrangement,
    measure,
    against: z
      .strictObject({ asOf: endRule.nullish(), period: namedPeriodRules.nullish(), previous: z.boolean().nullish() })
      .refine((one) => Number(one.asOf != null) + Number(one.period != null) + Number(one.previous === true) === 1, {
        path: ["asOf"],
        message: "or period or previous is needed, and only one of them",
      })
      .nullish(),
    ...scope,
    mode: modeRule.nullish(),
    period: namedPeriodRules.nullish(),
    asOf: endRule.nullish(),
    filter: facilityMatchRules.nullish(),
    distanceFrom: distanceFrom.nullish(),
  })
  .refine(({ by: keys, distanceFrom: from }) => keys.includes("distance") === (from != null), {
    path: ["distanceFrom"],
    message: "is needed with DISTANCE, and only then",
  })
  .superRefine(besideMeasure);
export type FacilityGroupsAsked = z.output<typeof facilityGroupRules>;

export const assessmentGroupRules = z
  .strictObject({
    by: byWithout("distance"),
    ...arrangement,
    measure,
    against: againstDays,
    ...scope,
    ...days,
    facilityUuid: facilityUuidRule.nullish(),
    userUuid,
    mode: modeRule.nullish(),
    smartCareFunctional: z.boolean().nullish(),
    search: notesSearchRule.nullish(),
  })
  .refine(...inOrder)
  .superRefine(besideMeasure);
export type AssessmentGroupsAsked = z.output<typeof assessmentGroupRules>;

export const tdbGroupRules = z
  .strictObject({
    by: byWithout("smartCareFunctional", "distance"),
    ...arrangement,
    measure,
    against: againstDays,
    ...scope,
    ...days,
    facilityUuid: facilityUuidRule.nullish(),
    userUuid,
    delta: z.boolean().nullish(),
  })
  .refine(...inOrder)
  .superRefine(besideMeasure);
export type TdbGroupsAsked = z.output<typeof tdbGroupRules>;

/** The calendar values of a period that begins on this day. Values finer than its kind are null. */
export function calendarOf(periodStart: string | undefined, kind: PeriodKind | null) {
  if (periodStart === undefined || kind === null)
    return { year: null, quarter: null, calMonth: null, periodStart: null };
  const month = Number(periodStart.slice(5, 7));
  return {
    year: fiscalYearOf(periodStart),
    quarter: kind === "year" ? null : quarterOfMonth(month),
    calMonth: kind === "month" ? month : null,
    periodStart,
  };
}
