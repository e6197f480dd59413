import { now } from "../shell/clock/clock.ts";
import { aheadOfUtc, dayIn } from "../ui/text/instants.ts";

/** A visit moved to another day of the ministry's zone. */

const minute = 60_000;

/**
 * The instant of a local time (YYYY-MM-DDThh:mm:ss.sssZ, where Z stands for the zone), in milliseconds. NaN if it is no
 * time.
 */
function instantOf(time: string, timeZone: string): number {
  const local = Date.parse(time);
  return Number.isNaN(local) ? local : local - aheadOfUtc(local - aheadOfUtc(local, timeZone), timeZone);
}

/**
 * The first instant of a day (YYYY-MM-DD), ISO 8601: for a visit whose time of day nobody knows. It is never in the
 * future.
 */
export const startOf = (day: string, timeZone: string): string =>
  new Date(instantOf(`${day}T00:00:00.000Z`, timeZone)).toISOString();

/** The same time of day on another day (YYYY-MM-DD), or now if that is in the future; ISO 8601. */
export function onDay(instant: string, day: string, timeZone: string): string {
  const then = Date.parse(instant);
  if (dayIn(new Date(then), timeZone) === day) return instant;
  const timeOfDay = new Date(then + aheadOfUtc(then, timeZone)).toISOString().slice(11);
  const moved = instantOf(`${day}T${timeOfDay}`, timeZone);
  if (Number.isNaN(moved)) return instant;
  const present = now().getTime();
  return new Date(moved > present && moved < present + 24 * 60 * minute ? present : moved).toISOString();
}
