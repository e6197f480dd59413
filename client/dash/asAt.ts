import { now } from "../shell/clock/clock.ts";
import { formatDate } from "../ui/text/dates.ts";

/** When figures were read, by the ministry's clock: "figures as at 23 Nov 2026 09:15". */
export function asAtWords(timeZone: string, at: Date = now()): string {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short", timeStyle: "short", hour12: false }).format(at);
  const [day, time] = parts.split(", ");
  return `figures as at ${formatDate(day)} ${time}`;
}
