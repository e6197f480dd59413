import { dayBefore, namedPeriodOf, type PeriodKind, todayIn } from "./fiscal.rules.ts";

/**
 * Ranges of days relative to today, so that a saved question follows the calendar. This file does not import zod, because
 * screens that need no form use it.
 */

/** How a relative range is written. */
export const forms =
  /^(?:(THIS|PREVIOUS)_(DAY|WEEK|MONTH|QUARTER|YEAR|CALENDAR_YEAR)|LAST_(\d{1,3})_(DAY|WEEK|MONTH|QUARTER|YEAR)S)$/;
/** Whether it is of no days, weeks or months at all. */
export const isNoRange = (text: string): boolean => /_0+_/.test(text);

/** The day so many days after another one, YYYY-MM-DD. */
export const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The first and the last day of a relative range that is allowed, if today is this day. */
export function rangeOf(range: string, today: string): { start: string; end: string } {
  const [, when, kind, number, unit = kind!] = forms.exec(range)!;
  const count = Number(number ?? 1);
  const monday = daysAfter(today, -((new Date(today).getUTCDay() + 6) % 7));
  if (unit === "DAY" || unit === "WEEK") {
    const [first, length] = unit === "DAY" ? [today, 1] : [monday, 7];
    if (when === "THIS") return { start: first, end: today };
    // The last n days are today and those before.
    if (unit === "DAY" && when === undefined) return { start: daysAfter(today, 1 - count), end: today };
    return { start: daysAfter(first, -length * count), end: daysAfter(first, -1) };
  }
  if (unit === "CALENDAR_YEAR") {
    const year = Number(today.slice(0, 4));
    return when === "THIS"
      ? { start: `${year}-01-01`, end: today }
      : { start: `${year - 1}-01-01`, end: `${year - 1}-12-31` };
  }
  const { kind: length, start } = namedPeriodOf({ relative: `THIS_${unit as "MONTH" | "QUARTER" | "YEAR"}` }, today);
  if (when === "THIS") return { start, end: today };
  const months = { month: 1, quarter: 3, year: 12 }[length satisfies PeriodKind];
  const [year, month] = start.split("-").map(Number) as [number, number];
  const first = new Date(Date.UTC(year, month - 1 - months * count, 1)).toISOString().slice(0, 10);
  return { start: first, end: dayBefore(start) };
}

/**
 * The days just before a range that are as many: as many months before whole months, otherwise as many days.
 */
export function rangeBefore({ start, end }: { start: string; end: string }): { start: string; end: string } {
  const after = daysAfter(end, 1);
  const before = dayBefore(start);
  if (!start.endsWith("-01") || !after.endsWith("-01"))
    return { start: daysAfter(start, -Math.round((Date.parse(after) - Date.parse(start)) / 86_400_000)), end: before };
  const monthOf = (day: string) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1;
  const first = 2 * monthOf(start) - monthOf(after);
  return { start: new Date(Date.UTC(Math.floor(first / 12), first % 12, 1)).toISOString().slice(0, 10), end: before };
}

/** The ministry's time zone, in which a relative range begins and ends. One process serves one ministry. */
let zone = "Africa/Lusaka";
export const setMinistryZone = (timeZone: string): void => void (zone = timeZone);

/** A day of a question: a date as it is, and of a relative range its first or last day. */
export const dayOf = (text: string, which: "start" | "end"): string =>
  forms.test(text) && !isNoRange(text) ? rangeOf(text, todayIn(zone))[which] : text;
