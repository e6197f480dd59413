import { Callout } from "@blueprintjs/core";
import type { ReactNode } from "react";
import "./FrameNote.css";

type FrameNoteProps = { role?: "status"; children: ReactNode };

/** A line of text across the screen, above its heading. It stands in an `aside` and is not printed. */
export function FrameNote({ role, children }: FrameNoteProps) {
  return (
    <Callout className="frame-note row screen-only" compact icon={false} intent="warning" role={role}>
      {children}
    </Callout>
  );
}
