import { formatDate } from "./dates.ts";

/** An instant (a Date, or ISO 8601) in the local time of a zone: "22 Nov 2026 11:15". */
export function instantText(instant: string | Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit" },
  });
  const { year, month, day, hour, minute } = Object.fromEntries(
    format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]),
  );
  return `${formatDate(`${year}-${month}-${day}`)} ${hour}:${minute}`;
}
