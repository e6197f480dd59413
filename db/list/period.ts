/** The calendar of the roll-ups: months, quarters and fiscal years (from 1 October), counted in months. */
const lengths = [
  { period: "month", months: 1, begins: 0 },
  { period: "quarter", months: 3, begins: 0 },
  { period: "year", months: 12, begins: 9 },
] as const;

/** The first and the last day of a span, YYYY-MM-DD, from 1900 to 9998. */
export type DayRange = { start: string; end: string };
/** Consecutive periods of one kind: `first` and `last` are the first days of the first and the last period. */
export type Periods = { period: (typeof lengths)[number]["period"]; first: string; last: string };

const dayAt = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
const firstOf = (month: number): string => dayAt(Math.floor(month / 12), month % 12, 1);
/** The day that is this many days after a day. */
function dayAfter(day: string, days: number): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return dayAt(year, month - 1, date + days);
}
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

/**
 * The months from `from` to `to` (excluded) as the fewest possible runs of periods: shorter periods only at the ends.
 */
function cutMonths(from: number, to: number, longest: Periods["period"], length = 0): Periods[] {
  if (from >= to) return [];
  const { period, months } = lengths[length]!;
  const own = (first: number, end: number): Periods[] =>
    first < end ? [{ period, first: firstOf(first), last: firstOf(end - months) }] : [];
  const longer = lengths[length + 1];
  if (!longer || period === longest) return own(from, to);
  const upTo = (month: number, round: (value: number) => number) =>
    round((month - longer.begins) / longer.months) * longer.months + longer.begins;
  const [begin, end] = [upTo(from, Math.ceil), upTo(to, Math.floor)];
  if (begin >= end) return own(from, to);
  return [...own(from, begin), ...cutMonths(begin, end, longest, length + 1), ...own(end, to)];
}

/**
 * Splits days into whole periods (the longest that fit, at most `longest`) and the remaining days before and after
 * them.
 */
export function cutDays(
  { start, end }: DayRange,
  longest: Periods["period"] = "year",
): { periods: Periods[]; days: DayRange[] } {
  const from = start.endsWith("-01") ? monthOf(start) : monthOf(start) + 1;
  const to = dayAfter(end, 1).endsWith("-01") ? monthOf(end) + 1 : monthOf(end);
  if (from >= to) return { periods: [], days: [{ start, end }] };
  const before = { start, end: dayAfter(firstOf(from), -1) };
  const after = { start: firstOf(to), end };
  return { periods: cutMonths(from, to, longest), days: [before, after].filter((days) => days.start <= days.end) };
}
