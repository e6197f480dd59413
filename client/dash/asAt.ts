import { now } from "../shell/clock/clock.ts";
import { formatDate } from "../ui/text/dates.ts";

/** A time by the ministry's clock: "23 Nov 2026 09:15". */
export function timeWords(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short", timeStyle: "short", hour12: false }).format(at);
  const [day, time] = parts.split(", ");
  return `${formatDate(day)} ${time}`;
}

/** When figures were read: "figures as at 23 Nov 2026 09:15". */
export const asAtWords = (timeZone: string, at: Date = now()): string => `figures as at ${timeWords(timeZone, at)}`;
