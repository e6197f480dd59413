import { quarterStart, yearStart } from "../../gateway/calendar/fiscal.rules.ts";

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** A number of months, from the one that begins on this day: "Oct to Dec 2025", "Oct 2025 to Sep 2026". */
function span(start: string, count: number): string {
  const year = Number(start.slice(0, 4));
  const first = Number(start.slice(5, 7)) - 1;
  const name = (month: number) => months[month % 12]!.slice(0, 3);
  const last = first + count - 1;
  return last < 12 ? `${name(first)} to ${name(last)} ${year}` : `${name(first)} ${year} to ${name(last)} ${year + 1}`;
}

/** A period of the fiscal calendar in words: "FY 2026 quarter 1: Oct to Dec 2025". */
export function periodInWords({
  year,
  quarter,
  month,
}: {
  year: number;
  quarter?: number | null;
  month?: number | null;
}): string {
  if (month != null) return `${months[month - 1]} ${month >= 10 ? year - 1 : year}`;
  if (quarter != null && quarter !== -1)
    return `FY ${year} quarter ${quarter}: ${span(quarterStart(year, quarter), 3)}`;
  return `FY ${year}: ${span(yearStart(year), 12)}`;
}
