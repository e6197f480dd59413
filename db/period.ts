/** The calendar of the roll-ups: months, quarters and fiscal years (from 1 October), counted in months. */
const lengths = [
  { period: "month", months: 1, begins: 0 },
  { period: "quarter", months: 3, begins: 0 },
  { period: "year", months: 12, begins: 9 },
] as const;

/** Days YYYY-MM-DD, from 1900 to 9998, both included. */
export type DayRange = { start: string; end: string };
/** Periods of one kind that follow one another, by the first day of the first and of the last one. */
export type Periods = { period: (typeof lengths)[number]["period"]; first: string; last: string };

const dayAt = (year: number, month: number, day: number): string => new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
const firstOf = (month: number): string => dayAt(Math.floor(month / 12), month % 12, 1);
/** The day so many days after another one. */
function dayAfter(day: string, days: number): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return dayAt(year, month - 1, date + days);
}
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

/** Months from `from` up to `to` (not included) in as few rows of periods as can be: shorter ones only at the ends. */
function cutMonths(from: number, to: number, longest: Periods["period"], length = 0): Periods[] {
  if (from >= to) return [];
  const { period, months } = lengths[length]!;
  const own = (first: number, end: number): Periods[] => (first < end ? [{ period, first: firstOf(first), last: firstOf(end - months) }] : []);
  const longer = lengths[length + 1];
  if (!longer || period === longest) return own(from, to);
  const upTo = (month: number, round: (value: number) => number) =>
    round((month - longer.begins) / longer.months) * longer.months + longer.begins;
  const [begin, end] = [upTo(from, Math.ceil), upTo(to, Math.floor)];
  if (begin >= end) return own(from, to);
  return [...own(from, begin), ...cutMonths(begin, end, longest, length + 1), ...own(end, to)];
}

/** What days are made of: whole periods, the longest that fit and are no longer than `longest`, and the days that are left before and after them. */
export function cutDays({ start, end }: DayRange, longest: Periods["period"] = "year"): { periods: Periods[]; days: DayRange[] } {
  const from = start.endsWith("-01") ? monthOf(start) : monthOf(start) + 1;
  const to = dayAfter(end, 1).endsWith("-01") ? monthOf(end) + 1 : monthOf(end);
  if (from >= to) return { periods: [], days: [{ start, end }] };
  const before = { start, end: dayAfter(firstOf(from), -1) };
  const after = { start: firstOf(to), end };
  return { periods: cutMonths(from, to, longest), days: [before, after].filter((days) => days.start <= days.end) };
}
