import { Button, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { useSystem } from "../shell/viewer.ts";
import type { KeptWork } from "./keptWork.ts";

/** Says that the form was filled from what this device had kept, and offers to begin anew; that is asked back, for it cannot be undone. */
export function DraftNotice({ kept, onDiscard }: { kept: KeptWork; onDiscard: () => void }) {
  const { timeZone } = useSystem();
  const when = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(new Date(kept.keptAt));
  const [isAsking, setAsking] = useState<boolean>();
  return (
    <div className="draft-notice">
      <p role="status">
        {kept.status === "returned"
          ? `This assessment was not stored: ${kept.message ?? ""} What you typed is here.`
          : `Your draft of ${when} was brought back. It is not saved yet.`}
      </p>
      {isAsking ? (
        <div className="draft-question" role="group" aria-label="Discard draft">
          <span>What you typed will be gone.</span>
          <Button autoFocus onClick={() => setAsking(false)} text="Keep" />
          <Button intent={Intent.DANGER} onClick={onDiscard} text="Discard" />
        </div>
      ) : (
        <Button autoFocus={isAsking === false} onClick={() => setAsking(true)} text="Discard draft" />
      )}
    </div>
  );
}
