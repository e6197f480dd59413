import { Callout } from "@blueprintjs/core";
import type { ReactNode } from "react";
import "./FrameNote.css";

type FrameNoteProps = { className?: string; role?: "status"; children: ReactNode };

/** A line of text across the screen, above its heading. It stands in an `aside` and is not printed. */
export function FrameNote({ className = "", role, children }: FrameNoteProps) {
  return (
    <Callout className={`frame-note ${className}`} compact icon={false} intent="warning" role={role}>
      {children}
    </Callout>
  );
}
