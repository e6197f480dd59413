import { z } from "zod";

import { facilityUuidRule, modeRule } from "../facility/facility.rules.ts";
import { facilityMatchRules } from "../facility/facilityFilter.rules.ts";
import { idRule, userUuidRule } from "../input/page.rules.ts";
import { fiscalYearOf, type PeriodKind, quarterOfMonth } from "../calendar/fiscal.rules.ts";
import { dateRule, inOrder, namedPeriodRules } from "../calendar/period.rules.ts";

/** What groupings of facilities, assessments and TDBs may be asked. */

export const groupKeys = {
  province: "The facility's province.",
  district: "The facility's district.",
  implementingPartner: "The partner that supports the facility today; those without one are a group.",
  mode: "The deployment mode: of facilities that of the counted assessment (their present one without a period), of assessments the one found, of TDBs the facility's present one.",
  libraryVersion: "The SmartCare library version that the assessment or TDB names; those that name none are a group.",
  month: "The calendar month of the visit or receipt.",
  quarter: "The fiscal quarter of the visit or receipt.",
  year: "The fiscal year of the visit or receipt.",
} as const;
export type GroupKey = keyof typeof groupKeys;
const keyNames = Object.keys(groupKeys) as [GroupKey, ...GroupKey[]];

/** The finest calendar key decides: a month lies in its quarter and year. */
export const kindOf = (by: readonly GroupKey[]): PeriodKind | null =>
  (["month", "quarter", "year"] as const).find((kind) => by.includes(kind)) ?? null;

const by = z
  .array(z.enum(keyNames))
  .refine((keys) => new Set(keys).size === keys.length, "names a key twice");
const scope = { provinceId: idRule.nullish(), districtId: idRule.nullish(), implementingPartnerId: idRule.nullish() };
const days = { start: dateRule.nullish(), end: dateRule.nullish() };
const userUuid = userUuidRule.nullish();

export const facilityGroupRules = z.strictObject({
  by,
  ...scope,
  mode: modeRule.nullish(),
  period: namedPeriodRules.nullish(),
  asOf: dateRule.nullish(),
  filter: facilityMatchRules.nullish(),
});
export type FacilityGroupsAsked = z.output<typeof facilityGroupRules>;

export const assessmentGroupRules = z
  .strictObject({
    by,
    ...scope,
    ...days,
    facilityUuid: facilityUuidRule.nullish(),
    userUuid,
    mode: modeRule.nullish(),
    smartCareFunctional: z.boolean().nullish(),
  })
  .refine(...inOrder);
export type AssessmentGroupsAsked = z.output<typeof assessmentGroupRules>;

export const tdbGroupRules = z
  .strictObject({ by, ...scope, ...days, facilityUuid: facilityUuidRule.nullish(), userUuid, delta: z.boolean().nullish() })
  .refine(...inOrder);
export type TdbGroupsAsked = z.output<typeof tdbGroupRules>;

/** The calendar's names for a period that begins on this day: what is finer than its kind is null. */
export function calendarOf(periodStart: string | undefined, kind: PeriodKind | null) {
  if (periodStart === undefined || kind === null) return { year: null, quarter: null, calMonth: null, periodStart: null };
  const month = Number(periodStart.slice(5, 7));
  return {
    year: fiscalYearOf(periodStart),
    quarter: kind === "year" ? null : quarterOfMonth(month),
    calMonth: kind === "month" ? month : null,
    periodStart,
  };
}
