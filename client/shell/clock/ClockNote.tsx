import { useSyncExternalStore } from "react";
import { clockIsOffBy, subscribeToClock } from "./clock.ts";
import { spanText } from "./span.ts";
import "./ClockNote.css";

const toleratedMs = 5 * 60_000;

/** Says that the device's clock is wrong, and which time counts instead. */
export function ClockNote() {
  const off = useSyncExternalStore(subscribeToClock, clockIsOffBy);
  if (Math.abs(off) <= toleratedMs) return null;
  return (
    <aside className="clock-note" aria-label="Clock">
      The clock of this device is {spanText(Math.abs(off))} {off > 0 ? "ahead" : "behind"}. Visits are saved with the server's time instead.
      Please set the clock.
    </aside>
  );
}
