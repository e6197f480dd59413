import { formatDate } from "./dates.ts";

/** Zones whose clocks never change, and how many minutes these are ahead of UTC. */
const offsets = new Map<string, number>();
/** What shows the clocks of others. */
const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string) =>
  new Intl.DateTimeFormat("en-CA", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  });

/**
 * Notes what the server says of its zone's clock. A browser takes longer to create its first Intl.DateTimeFormat than
 * to draw a screen; a zone whose clock never changes needs none.
 */
export function noteZone({ timeZone, utcOffset }: { timeZone: string; utcOffset?: number | null }): void {
  if (typeof utcOffset === "number") offsets.set(timeZone, utcOffset);
}

/** How far a zone's clock is ahead of UTC at an instant, both in milliseconds. */
export function aheadOfUtc(instant: number, timeZone: string): number {
  const minutes = offsets.get(timeZone);
  if (minutes !== undefined) return minutes * 60_000;
  const format = formats.get(timeZone) ?? formatOf(timeZone);
  formats.set(timeZone, format);
  const parts = format.formatToParts(instant);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  const local = Date.parse(
    `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}Z`,
  );
  return local - (instant - (instant % 1000));
}

/** What a zone's clock shows at an instant (a Date, or ISO 8601): "2026-11-22T11:15:30.000Z", where Z means nothing. */
function clockIn(instant: string | Date, timeZone: string): string {
  const at = new Date(instant).getTime();
  return new Date(at + aheadOfUtc(at, timeZone)).toISOString();
}

/** An instant's day in a zone, YYYY-MM-DD. */
export const dayIn = (instant: Date, timeZone: string): string => clockIn(instant, timeZone).slice(0, 10);

/** An instant (a Date, or ISO 8601) in the local time of a zone: "22 Nov 2026 11:15". */
export function instantText(instant: string | Date, timeZone: string): string {
  const clock = clockIn(instant, timeZone);
  return `${formatDate(clock.slice(0, 10))} ${clock.slice(11, 16)}`;
}
