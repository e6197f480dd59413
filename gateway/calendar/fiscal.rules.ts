/**
 * The fiscal calendar: fiscal year Y runs from 1 October of the year before to 30 September of Y; quarter 1 is October
 * to December. Dates are strings YYYY-MM-DD, months are calendar months 1 to 12. This file does not import zod, because
 * the client's first screens show the calendar but check no input.
 */

/** The first and the last fiscal year for which figures can be requested. */
export const firstYear = 2000;
export const lastYear = (): number => new Date().getUTCFullYear() + 1;
/** A fiscal quarter, or -1 for the entire year. */
export const isQuarter = (quarter: number): boolean => quarter === -1 || (quarter >= 1 && quarter <= 4);
export const isMonth = (month: number): boolean => month >= 1 && month <= 12;

/** Calendar months in fiscal order. */
export const fiscalMonths = [10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
/** The fiscal quarter (1 to 4) of a calendar month. */
export const quarterOfMonth = (month: number): number => Math.floor(((month + 2) % 12) / 3) + 1;

export type PeriodKind = "month" | "quarter" | "year";
/** How long periods are, in months. */
export const monthsIn: Record<PeriodKind, number> = { month: 1, quarter: 3, year: 12 };
/** A period of the fiscal calendar by its kind and first day. */
export type Period = { kind: PeriodKind; start: string };

const day = (year: number, month: number): string => `${year}-${String(month).padStart(2, "0")}-01`;

/** First day of a calendar month within a fiscal year. */
export const monthStart = (fiscalYear: number, month: number): string =>
  day(month >= 10 ? fiscalYear - 1 : fiscalYear, month);

/** The first day of a fiscal quarter (1 to 4). */
export const quarterStart = (fiscalYear: number, quarter: number): string =>
  monthStart(fiscalYear, fiscalMonths[(quarter - 1) * 3]!);

/** The first day of a fiscal year. */
export const yearStart = (fiscalYear: number): string => monthStart(fiscalYear, 10);

/** The fiscal year of a day. */
export const fiscalYearOf = (date: string): number =>
  Number(date.slice(0, 4)) + (Number(date.slice(5, 7)) >= 10 ? 1 : 0);

/**
 * The period for a year, quarter and month: the month if given, else the quarter, or (quarter -1 or none) the fiscal
 * year.
 */
export function periodOf({
  year,
  quarter,
  month,
}: {
  year: number;
  quarter?: number | null;
  month?: number | null;
}): Period {
  if (month != null) return { kind: "month", start: monthStart(year, month) };
  if (quarter != null && quarter !== -1) return { kind: "quarter", start: quarterStart(year, quarter) };
  return { kind: "year", start: yearStart(year) };
}

/** Periods relative to today, so that a query that is run again next month means that month. */
export const relativePeriods = {
  THIS_MONTH: ["month", 0],
  LAST_MONTH: ["month", 1],
  THIS_QUARTER: ["quarter", 0],
  LAST_QUARTER: ["quarter", 1],
  THIS_YEAR: ["year", 0],
  LAST_YEAR: ["year", 1],
} as const satisfies Record<string, readonly [PeriodKind, number]>;
export type RelativePeriod = keyof typeof relativePeriods;

/** A period by its fiscal year (and quarter or calendar month), or by its distance from today. */
type NamedPeriod = {
  year?: number | null;
  quarter?: number | null;
  month?: number | null;
  relative?: RelativePeriod | null;
};

/** The period that is meant, if today is this day (YYYY-MM-DD). */
export function namedPeriodOf({ year, quarter, month, relative }: NamedPeriod, today: string): Period {
  if (relative == null) return periodOf({ year: year!, quarter, month });
  const [kind, back] = relativePeriods[relative];
  const [calYear, calMonth] = today.split("-").map(Number) as [number, number];
  const length = monthsIn[kind];
  // Months since October of year 0: fiscal quarters and years begin at multiples of 3 and 12 of them.
  const months = calYear * 12 + calMonth - 10;
  const first = (Math.floor(months / length) - back) * length + 9;
  return { kind, start: day(Math.floor(first / 12), (first % 12) + 1) };
}

/** The first day after a period: YYYY-MM-DD. */
export function periodEnd({ kind, start }: Period): string {
  const [year, month] = start.split("-").map(Number) as [number, number];
  const after = year * 12 + month - 1 + monthsIn[kind];
  return day(Math.floor(after / 12), (after % 12) + 1);
}

/** The period of the same kind before another one. */
export function periodBefore({ kind, start }: Period): Period {
  const [year, month] = start.split("-").map(Number) as [number, number];
  const before = year * 12 + month - 1 - monthsIn[kind];
  return { kind, start: day(Math.floor(before / 12), (before % 12) + 1) };
}

/** The day before another one, both YYYY-MM-DD. */
export const dayBefore = (date: string): string => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);

/** The formats by time zone. They are kept because making one takes 0.1 ms, and each request asks for today. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** Today in a zone: YYYY-MM-DD. */
export function todayIn(timeZone: string): string {
  const format = dayFormats.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", { timeZone });
  dayFormats.set(timeZone, format);
  return format.format();
}
