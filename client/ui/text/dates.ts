/** The names of the months, January first. */
export const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The value that means an unknown date in the records. */
const unknownDate = "1900-01-01";

/** A calendar date (YYYY-MM-DD) as 'DD MMM YYYY'; empty if it is unknown. */
export function formatDate(date: string | null | undefined): string {
  const [whole, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(date ?? "") ?? [];
  const name = months[Number(month) - 1];
  return name && whole !== unknownDate ? `${day} ${name} ${year}` : "";
}

/** The day that is a number of days after another one, both YYYY-MM-DD. */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The Monday of a day's week: the day itself, or the last Monday before it; both YYYY-MM-DD. */
export const mondayOf = (date: string): string =>
  daysAfter(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));

/** A time of day as HH:MM, without its seconds. */
export function formatTime(time: string | null | undefined): string {
  return /^\d\d:\d\d/.exec(time ?? "")?.[0] ?? "";
}

/** The day that somebody typed, as 22 Nov 2026 or as 2026-11-22, as YYYY-MM-DD; undefined if it is none. */
export function readDay(typed: string): string | undefined {
  const [, day, name, year] = /^(\d{1,2})[\s.-]*([a-z]{3})[a-z]*[\s.,-]*(\d{4})$/i.exec(typed.trim()) ?? [];
  const month = months.findIndex((one) => one.toLowerCase() === name?.toLowerCase()) + 1;
  const iso = day ? `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}` : typed.trim();
  const read = /^\d{4}-\d\d-\d\d$/.test(iso) ? new Date(`${iso}T00:00:00Z`) : undefined;
  return read && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(iso) ? iso : undefined;
}
