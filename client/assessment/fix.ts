/** A position that the device has found, and which of two belongs to a visit. */

/** `accuracy`: a radius in metres. `at`: when the device found it, ISO 8601 */
export type Fix = { latitude: number; longitude: number; accuracy: number; at: string };

/**
 * Up to this accuracy a worse fix can show that the device has moved. A mobile network's fix, with kilometres, cannot.
 */
const usableMetres = 100;
/** The longest time that a form is filled in at one place. An older fix is of another day. */
const sittingMs = 12 * 3_600_000;

/** Degrees. */
export type Place = Pick<Fix, "latitude" | "longitude">;

/** The mean radius of the earth in metres, as in db/assessment/assessment.ts. */
const earthRadius = 6_371_008.8;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The distance of two places in metres, along the surface of a sphere (haversine formula). */
export function metresBetween(one: Place, other: Place): number {
  const [north, east] = [radians(one.latitude - other.latitude), radians(one.longitude - other.longitude)];
  const squared =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(east / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(squared)));
}

/** Whether a fix is recent enough to be the place where the form is filled in. */
export const isRecent = (at: string, now: string): boolean => Date.parse(now) - Date.parse(at) <= sittingMs;

/**
 * Whether a new fix replaces the one that the form has. A better one does, and a worse one does not, unless it is good
 * enough to show that the device has moved: their circles do not meet.
 */
export function replaces(next: Fix, held: Fix | null): boolean {
  if (!held || next.accuracy <= held.accuracy || !isRecent(held.at, next.at)) return true;
  return next.accuracy <= usableMetres && metresBetween(next, held) > next.accuracy + held.accuracy;
}
