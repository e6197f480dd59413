import { Button, Callout, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { useSystem } from "../shell/session/viewer.ts";
import { instantText } from "../ui/text/instants.ts";
import { isReturned } from "./keptWork.ts";
import type { KeptWork } from "./keptWork.ts";

function saying(kept: KeptWork, when: string): string {
  if (isReturned(kept)) return `This assessment was not stored: ${kept.reason?.message ?? ""} It waits on this device. What you typed is here.`;
  if (kept.status === "waiting") return `What you saved here on ${when} waits on this device to be sent.`;
  return `Your draft of ${when} was brought back. It is not saved yet.`;
}

/** Says that the form was filled from a draft on this device, and offers to start again. Starting again needs a confirmation, because it cannot be undone. */
export function DraftNotice({ kept, onDiscard }: { kept: KeptWork; onDiscard: () => void }) {
  const { timeZone } = useSystem();
  const when = instantText(kept.keptAt, timeZone);
  const [isAsking, setAsking] = useState<boolean>();
  return (
    <Callout className="row is-spread screen-only" icon={null} intent="primary">
      <p role="status">
        {saying(kept, when)}
      </p>
      {isAsking ? (
        <div className="row" role="group" aria-label="Discard draft">
          <span>What you typed will be gone.</span>
          <Button autoFocus onClick={() => setAsking(false)} text="Keep" />
          <Button intent={Intent.DANGER} onClick={onDiscard} text="Discard" />
        </div>
      ) : (
        <Button autoFocus={isAsking === false} onClick={() => setAsking(true)} text="Discard draft" />
      )}
    </Callout>
  );
}
