import { Intent, ProgressBar } from "@blueprintjs/core";
import { useEffect, useRef } from "react";
import type { Progress } from "./fieldDownload.ts";

export type Outcome = { isReady: boolean; text: string };

type FieldOutcomeNoticeProps = { progress: Progress | undefined; outcome: Outcome | undefined };

/** The progress of a download and how it ended, beside the button that began it. It scrolls into view when something above it has moved it out. */
export function FieldOutcomeNotice({ progress, outcome }: FieldOutcomeNoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  const isBusy = progress !== undefined;
  useEffect(() => {
    // The sections above it are drawn first.
    const frame = requestAnimationFrame(() => place.current?.scrollIntoView({ block: "nearest" }));
    return () => cancelAnimationFrame(frame);
  }, [isBusy, outcome]);
  return (
    <div className="field-outcome" ref={place}>
      {progress ? <ProgressBar aria-label="Progress" intent={Intent.PRIMARY} stripes={false} value={progress.done / progress.of} /> : null}
      <p className={outcome ? (outcome.isReady ? "good" : "bad") : undefined} role="status">
        {progress ? `${progress.what} (${progress.done} of ${progress.of})` : null}
        {outcome ? (
          <>
            <strong>{outcome.isReady ? "Ready" : "Not ready"}:</strong> {outcome.text}
          </>
        ) : null}
      </p>
    </div>
  );
}
