import { distanceText } from "../ui/text/distance.ts";
import { instantText } from "../ui/text/instants.ts";

/** A visit that is at least so far from its facility's registered position is doubtful: another site, or a wrong one. */
export const farMetres = 2000;

/** How far a position is from the registered one, as a sentence; empty if that is not known. */
export const registeredText = (metres: number | null | undefined): string =>
  metres == null ? "" : `${distanceText(metres)} from the registered position.`;

/** How accurate a position is and when it was found, as a sentence; empty if neither is recorded. */
export function accuracyText(accuracy: number | null, at: string | null, timeZone: string): string {
  if (accuracy === null) return at === null ? "" : `Found on ${instantText(at, timeZone)}.`;
  return `Accurate to ${Math.round(accuracy)} m${at === null ? "" : `, found on ${instantText(at, timeZone)}`}.`;
}
