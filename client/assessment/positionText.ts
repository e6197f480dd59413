import { instantText } from "../ui/text/instants.ts";

/** A visit that is at least so far from its facility's registered position is doubtful: another site, or a wrong one. */
export const farMetres = 2000;

/** A distance: "340 m", "1.2 km", "680 km". */
export function metresText(metres: number): string {
  if (metres < 1000) return `${Math.round(metres)} m`;
  return `${(metres / 1000).toFixed(metres < 10_000 ? 1 : 0)} km`;
}

/** How far a position is from the registered one, as a sentence; empty if that is not known. */
export const distanceText = (metres: number | null | undefined): string =>
  metres == null ? "" : `${metresText(metres)} from the registered position.`;

/** How accurate a position is and when it was found, as a sentence; empty if neither is recorded. */
export function accuracyText(accuracy: number | null, at: string | null, timeZone: string): string {
  if (accuracy === null) return at === null ? "" : `Found on ${instantText(at, timeZone)}.`;
  return `Accurate to ${Math.round(accuracy)} m${at === null ? "" : `, found on ${instantText(at, timeZone)}`}.`;
}
