import { z } from "zod";

import { dayBefore, namedPeriodOf, periodEnd, type PeriodKind } from "./fiscal.rules.ts";

/** Ranges of days relative to today, so that a saved question follows the calendar. */

const forms = /^(?:(THIS|PREVIOUS)_(MONTH|QUARTER|YEAR)|LAST_(\d{1,3})_(DAY|WEEK|MONTH|QUARTER|YEAR)S)$/;
export const rangeAbout =
  "A range relative to today: THIS_MONTH, PREVIOUS_MONTH (or QUARTER, YEAR), LAST_n_DAYS (today and the days before), or LAST_n_WEEKS, LAST_n_MONTHS, LAST_n_QUARTERS, LAST_n_YEARS (whole ones before the present one). Years are fiscal years; weeks begin on Monday.";

/** A relative range of days, such as LAST_30_DAYS. */
export const rangeRule = z
  .string()
  .regex(forms, "must be THIS_… or PREVIOUS_MONTH, QUARTER or YEAR, or LAST_n_DAYS, WEEKS, MONTHS, QUARTERS or YEARS")
  .refine((text) => !/_0+_/.test(text), "must be of 1 or more")
  .describe(rangeAbout);

const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The first and the last day of a relative range that `rangeRule` allows, if today is this day. */
export function rangeOf(range: string, today: string): { start: string; end: string } {
  const [, when, kind, number, unit] = forms.exec(range)!;
  if (when !== undefined) {
    const relative = `${when === "THIS" ? "THIS" : "LAST"}_${kind as "MONTH" | "QUARTER" | "YEAR"}` as const;
    const period = namedPeriodOf({ relative }, today);
    return { start: period.start, end: when === "THIS" ? today : dayBefore(periodEnd(period)) };
  }
  const count = Number(number);
  if (unit === "DAY") return { start: daysAfter(today, 1 - count), end: today };
  if (unit === "WEEK") {
    const monday = daysAfter(today, -((new Date(today).getUTCDay() + 6) % 7));
    return { start: daysAfter(monday, -7 * count), end: daysAfter(monday, -1) };
  }
  const { kind: length, start } = namedPeriodOf({ relative: `THIS_${unit as "MONTH" | "QUARTER" | "YEAR"}` }, today);
  const months = { month: 1, quarter: 3, year: 12 }[length satisfies PeriodKind];
  const [year, month] = start.split("-").map(Number) as [number, number];
  const first = new Date(Date.UTC(year, month - 1 - months * count, 1)).toISOString().slice(0, 10);
  return { start: first, end: dayBefore(start) };
}
