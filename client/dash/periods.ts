import { months } from "../ui/text/dates.ts";
import { fiscalMonths, fiscalYearOf, monthStart } from "../../gateway/calendar/fiscal.rules.ts";

/** The value of the quarter control that stands for the entire year. */
export const entireYear = -1;
/** The periods of a chart's rows. */
export type View = "monthly" | "quarterly";

/** The calendar year a day lies in. */
export const calendarYearOf = (date: string): number => Number(date.slice(0, 4));

/** The years on offer: the next, the current and the seven before, counted by the calendar. */
export function yearOptions(today: string): number[] {
  const next = calendarYearOf(today) + 1;
  return Array.from({ length: 9 }, (_, index) => next - index);
}

/** The fiscal year that has begun before the calendar year ends: from October to December. */
export function newerFiscalYear(today: string): number | undefined {
  const running = fiscalYearOf(today);
  return running > calendarYearOf(today) ? running : undefined;
}

export const quarterOptions: { value: number; label: string }[] = [
  ...[1, 2, 3, 4].map((quarter) => ({ value: quarter, label: `Quarter ${quarter}` })),
  { value: entireYear, label: "Entire Year" },
];

/** A fiscal year, or one of its quarters, as the controls Year and Quarter choose it. */
export type ChosenPeriod = { year: number; quarter: number };

/** The previous (-1) or the next (1) quarter or year. */
export function periodBeside({ year, quarter }: ChosenPeriod, by: 1 | -1): ChosenPeriod {
  if (quarter === entireYear) return { year: year + by, quarter };
  const next = quarter + by;
  return next < 1
    ? { year: year - 1, quarter: 4 }
    : next > 4
      ? { year: year + 1, quarter: 1 }
      : { year, quarter: next };
}

const monthYear = (fiscalYear: number, month: number): string =>
  `${months[month - 1]} ${monthStart(fiscalYear, month).slice(0, 4)}`;

/** The months of a quarter: "Oct to Dec 2025". No quarter spans two calendar years. */
function quarterWords(fiscalYear: number, quarter: number): string {
  const [first, last] = [fiscalMonths[(quarter - 1) * 3]!, fiscalMonths[(quarter - 1) * 3 + 2]!];
  return `${months[first - 1]} to ${monthYear(fiscalYear, last)}`;
}

/** A chart's period in words: "FY 2026: Oct 2025 to Sep 2026", "FY 2026 quarter 1: Oct to Dec 2025". */
export function periodWords(fiscalYear: number, quarter: number, years = 1): string {
  if (years > 1) {
    const span = `FY ${fiscalYear - years + 1} to FY ${fiscalYear}`;
    return quarter === entireYear
      ? `${span}: ${monthYear(fiscalYear - years + 1, 10)} to ${monthYear(fiscalYear, 9)}`
      : `Quarter ${quarter} of ${span}`;
  }
  if (quarter !== entireYear) return `FY ${fiscalYear} quarter ${quarter}: ${quarterWords(fiscalYear, quarter)}`;
  return `FY ${fiscalYear}: ${monthYear(fiscalYear, 10)} to ${monthYear(fiscalYear, 9)}`;
}

/**
 * The period of a dashboard's row: a month if `calMonth` is set, otherwise a quarter, or a fiscal year if the quarter
 * is -1.
 */
export type RowPeriod = { year: number; quarter: number; calMonth?: number | null };

/** A row's label on the axis: "QTR 1", "OCT"; on an axis of several years "QTR 1 2026", "OCT 2025". */
export function rowLabel({ year, quarter, calMonth }: RowPeriod, isOfSeveralYears = false): string {
  if (calMonth != null)
    return isOfSeveralYears ? monthYear(year, calMonth).toUpperCase() : months[calMonth - 1]!.toUpperCase();
  if (quarter === entireYear) return `FY ${year}`;
  return isOfSeveralYears ? `QTR ${quarter} ${year}` : `QTR ${quarter}`;
}

/** A row's period in words: "Oct to Dec 2025", "Oct 2025", "FY 2026". */
export function rowWords({ year, quarter, calMonth }: RowPeriod): string {
  if (calMonth != null) return monthYear(year, calMonth);
  return quarter === entireYear ? `FY ${year}` : quarterWords(year, quarter);
}

const place = ({ year, quarter, calMonth }: RowPeriod): number =>
  year * 16 + (calMonth == null ? quarter * 3 : fiscalMonths.indexOf(calMonth as (typeof fiscalMonths)[number]));

/** The rows in fiscal order, October (quarter 1) first. */
export const inFiscalOrder = <R extends RowPeriod>(rows: readonly R[]): R[] =>
  [...rows].sort((one, other) => place(one) - place(other));
