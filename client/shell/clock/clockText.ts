import { clockIsOffBy, findClockFault } from "./clock.ts";
import { toleratedMs } from "./clockFault.ts";

const minute = 60_000;
const units = [
  ["year", 365.25 * 24 * 60 * minute],
  ["day", 24 * 60 * minute],
  ["hour", 60 * minute],
  ["minute", minute],
] as const;

/** A span of time in its largest unit, rounded: "3 years", "1 hour". */
export function spanText(milliseconds: number): string {
  const [name, length] = units.find(([, unit]) => milliseconds >= unit) ?? units[3];
  const count = Math.round(milliseconds / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** What is wrong with the device's clock, and by how much; null if nothing is. */
export function clockText(): string | null {
  const fault = findClockFault();
  if (fault)
    return fault.behindMs === undefined
      ? "The clock of this device is wrong. By how much is not known."
      : `The clock of this device is at least ${spanText(fault.behindMs)} behind.`;
  const off = clockIsOffBy();
  if (Math.abs(off) <= toleratedMs) return null;
  return `The clock of this device is ${spanText(Math.abs(off))} ${off > 0 ? "ahead" : "behind"}.`;
}

/** Which time a visit gets when the clock is wrong. */
export const visitTimeText = (): string =>
  findClockFault()
    ? "Save asks for the day of the visit. Please set the clock."
    : "Visits are saved with the server's time instead. Please set the clock.";
