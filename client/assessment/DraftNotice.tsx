import { Button, Callout, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { now } from "../shell/clock/clock.ts";
import { useSystem } from "../shell/session/viewer.ts";
import type { Reason } from "../store/database.ts";
import { saveAsFile } from "../ui/network/saveAsFile.ts";
import { instantText } from "../ui/text/instants.ts";
import { textOfWork } from "./formValues.ts";
import { isReturned } from "./keptWork.ts";
import type { FormWork, KeptWork } from "./keptWork.ts";

function saying(kept: KeptWork, when: string): string {
  if (isReturned(kept))
    return `This assessment was not stored: ${kept.reason?.message ?? ""} It waits on this device. What you typed is here.`;
  if (kept.status === "waiting") return `What you saved here on ${when} waits on this device to be sent.`;
  return `Your draft of ${when} was brought back. It is not saved yet.`;
}

/**
 * Says that the form was filled from a draft on this device, and offers to start again. Starting again needs a
 * confirmation, because it cannot be undone.
 */
export function DraftNotice({ kept, onDiscard }: { kept: KeptWork; onDiscard: () => void }) {
  const { timeZone } = useSystem();
  const when = instantText(kept.keptAt, timeZone);
  const [isAsking, setAsking] = useState<boolean>();
  return (
    <Callout className="row is-spread screen-only" icon={null} intent="primary">
      <p role="status">{saying(kept, when)}</p>
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

const reasons: Record<Reason, string> = {
  full: "this device has no room left",
  refused: "this device does not let anything be kept",
  insecure: "nothing is kept on this device, because the connection is not secure",
  closed: "nobody is signed in on this device any more",
};

/** Shown in a form whose work neither the device nor the server has stored. Offers the work as a file. */
export function UnkeptNotice({ reason, work }: { reason: Reason; work: () => FormWork }) {
  const save = () => {
    const present = work();
    saveAsFile(`assessment-${present.assessmentUuid}.json`, textOfWork(present, now().toISOString()));
  };
  return (
    <Callout className="stack is-close" intent="danger" role="alert">
      <p>
        This assessment is not saved: {reasons[reason]}, and the server cannot be reached. What you typed is still here.
        Keep it as a file, or save again when there is a connection.
      </p>
      <Button onClick={save} text="Save as a file" />
    </Callout>
  );
}
