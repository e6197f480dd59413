const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

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
export const mondayOf = (date: string): string => daysAfter(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));

/** A time of day as HH:MM, without its seconds. */
export function formatTime(time: string | null | undefined): string {
  return /^\d\d:\d\d/.exec(time ?? "")?.[0] ?? "";
}
