/**
 * Whether a device's clock is wrong without a correction that is known, because it stands before the server's last
 * answer or jumped.
 */

/** How far a clock may be off before the times of visits are refused or misleading. */
export const toleratedMs = 5 * 60_000;
const dayMs = 24 * 60 * 60_000;
/** A device is not without the server for longer than this: a clock that says so was set. */
const longestAwayMs = 60 * dayMs;
/** When this was written. No clock that is right is before it. */
const written = Date.parse("2026-11-27");

/**
 * What an answer of the server said. `ahead`: how far the device's clock was ahead, in milliseconds. `at`: the server's
 * time
 */
export type Learned = { ahead: number; at: number };
/**
 * `jumped`: how much more the clock has moved since the last answer than the time since the start, which nobody can set
 */
type Reading = { clock: number; jumped: number; learned: Learned | undefined };

/**
 * What is wrong with a clock; null if nothing is. `behindMs`: it is behind by at least this much; without it, that is
 * not known.
 */
export function faultOf({ clock, jumped, learned }: Reading): { behindMs?: number } | null {
  // The time since the start may stand still while a device sleeps, so only a longer difference forwards means that the
  // clock was set.
  if (jumped < -toleratedMs || jumped > dayMs) return {};
  const { ahead, at } = learned ?? { ahead: 0, at: written };
  const corrected = clock - ahead;
  if (corrected < at - toleratedMs) return clock < at - toleratedMs ? { behindMs: at - clock } : {};
  return learned && corrected - at > longestAwayMs ? {} : null;
}
