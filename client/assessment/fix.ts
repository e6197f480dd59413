import { metresBetween } from "../../gateway/facility/distance.rules.ts";

/** A position that the device has found, and which of two belongs to a visit. */

/** `accuracy`: a radius in metres. `at`: when the device found it, ISO 8601 */
export type Fix = { latitude: number; longitude: number; accuracy: number; at: string };

/**
 * Up to this accuracy a worse fix can show that the device has moved. A mobile network's fix, with kilometres, cannot.
 */
const usableMetres = 100;
/** The longest time that a form is filled in at one place. An older fix is of another day. */
const sittingMs = 12 * 3_600_000;

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
