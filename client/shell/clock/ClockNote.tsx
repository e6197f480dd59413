import { useSyncExternalStore } from "react";
import { FrameNote } from "../note/FrameNote.tsx";
import { subscribeToClock } from "./clock.ts";
import { clockText, visitTimeText } from "./clockText.ts";

/** Says that the device's clock is wrong, and which time counts instead. */
export function ClockNote() {
  const text = useSyncExternalStore(subscribeToClock, clockText);
  if (text === null) return null;
  return (
    <aside aria-label="Clock">
      <FrameNote>
        {text} {visitTimeText()}
      </FrameNote>
    </aside>
  );
}
