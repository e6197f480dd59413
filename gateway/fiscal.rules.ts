/**
 * The fiscal calendar: fiscal year Y runs from 1 October of the year before to 30 September of Y; quarter 1 is October to
 * December. Dates are strings YYYY-MM-DD, months are calendar months 1 to 12.
 * It stands apart from what is checked with zod, for the first lists of the client show it and check nothing.
 */

/** Calendar months in fiscal order. */
export const fiscalMonths = [10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
export const quarterOfMonth = (month: number): number => Math.floor(((month + 2) % 12) / 3) + 1;

export type PeriodKind = "month" | "quarter" | "year";
/** A period of the fiscal calendar by its kind and first day. */
export type Period = { kind: PeriodKind; start: string };

const day = (year: number, month: number): string => `${year}-${String(month).padStart(2, "0")}-01`;

/** First day of a calendar month within a fiscal year. */
export const monthStart = (fiscalYear: number, month: number): string => day(month >= 10 ? fiscalYear - 1 : fiscalYear, month);

export const quarterStart = (fiscalYear: number, quarter: number): string =>
  monthStart(fiscalYear, fiscalMonths[(quarter - 1) * 3]!);

export const yearStart = (fiscalYear: number): string => monthStart(fiscalYear, 10);

/** The fiscal year that a day lies in. */
export const fiscalYearOf = (date: string): number => Number(date.slice(0, 4)) + (Number(date.slice(5, 7)) >= 10 ? 1 : 0);

/** The one period that year, quarter and month name: a month, a quarter, or (quarter -1 or none) the year. */
export function periodOf({ year, quarter, month }: { year: number; quarter?: number | null; month?: number | null }): Period {
  if (month != null) return { kind: "month", start: monthStart(year, month) };
  if (quarter != null && quarter !== -1) return { kind: "quarter", start: quarterStart(year, quarter) };
  return { kind: "year", start: yearStart(year) };
}
