import { useSyncExternalStore } from "react";
import { subscribeToClock } from "./clock.ts";
import { clockText, visitTimeText } from "./clockText.ts";
import "./ClockNote.css";

/** Says that the device's clock is wrong, and which time counts instead. */
export function ClockNote() {
  const text = useSyncExternalStore(subscribeToClock, clockText);
  if (text === null) return null;
  return (
    <aside className="clock-note" aria-label="Clock">
      {text} {visitTimeText()}
    </aside>
  );
}
