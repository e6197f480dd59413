import { instantText } from "../ui/text/instants.ts";

/** How accurate a position is and when it was found, as a sentence; empty if neither is recorded. */
export function accuracyText(accuracy: number | null, at: string | null, timeZone: string): string {
  if (accuracy === null) return at === null ? "" : `Found on ${instantText(at, timeZone)}.`;
  return `Accurate to ${Math.round(accuracy)} m${at === null ? "" : `, found on ${instantText(at, timeZone)}`}.`;
}
