import { Size } from "@blueprintjs/core";
import { useCallback, useEffect, useState } from "react";
import { counted } from "../ui/text/counted.ts";
import { showSuccess, showWarning, withdrawMessage } from "../shell/toast/toaster.tsx";
import { FrameNote } from "../shell/note/FrameNote.tsx";
import { useHasEnded } from "../shell/session/viewer.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { cameBackMessage, endedMessage, waitsMessage } from "./outboxMessages.ts";
import { isReturned, keptWorkReady, listKeptWork, useKeptWork } from "./keptWork.ts";
import { ReturnedWorkNotice } from "./ReturnedWorkNotice.tsx";
import { sendWaiting } from "./saveAssessment.ts";
import { SealedWorkNotice } from "./SealedWorkNotice.tsx";
import "./OutboxNotice.css";

const againMs = 30_000;

/** Work that waits on this device to be sent, and work that the server refused. It is sent when the network is back, and on request. */
export function OutboxNotice() {
  const work = useKeptWork();
  const [isSending, setSending] = useState(false);
  const waiting = work.filter((one) => one.status === "waiting" && !isReturned(one));
  const returned = work.filter(isReturned);
  const isWaiting = waiting.length > 0;
  const hasEnded = useHasEnded();
  const reason = waiting.find((one) => one.reason)?.reason;

  const send = useCallback(async (all = false) => {
    setSending(true);
    await sendWaiting(all, (work, outcome) => {
      const { facilityName } = work;
      if (outcome.kind === "saved") {
        showSuccess(`The assessment of ${facilityName} was sent`);
        if (outcome.warning) showWarning(outcome.warning);
      }
      if ((outcome.kind === "conflict" || outcome.kind === "refused") && !isReturned(work)) showWarning(cameBackMessage(facilityName));
    });
    setSending(false);
  }, []);

  const returnedNames = JSON.stringify(returned.map(({ facilityName }) => facilityName));
  useEffect(() => {
    if (!isWaiting) for (const message of [waitsMessage, endedMessage]) withdrawMessage(message);
  }, [isWaiting]);
  useEffect(() => {
    const names = JSON.parse(returnedNames) as string[];
    return () => {
      const left = listKeptWork().filter(isReturned);
      for (const name of names) if (left.every(({ facilityName }) => facilityName !== name)) withdrawMessage(cameBackMessage(name));
    };
  }, [returnedNames]);

  // The server may accept refused work by now, because a right was given or a fault repaired. It is sent again when this notice is first shown, and on request.
  useEffect(() => {
    void keptWorkReady().then(() => (listKeptWork().some(isReturned) ? send(true) : undefined));
  }, [send]);

  useEffect(() => {
    if (!isWaiting || hasEnded) return;
    const sendNow = () => void send();
    // Not at once: a save that is being sent does not count as waiting yet.
    let soon = setTimeout(sendNow, 1000);
    const again = setInterval(sendNow, againMs);
    // The browser says that it is online before its first request gets through.
    const online = () => {
      sendNow();
      clearTimeout(soon);
      soon = setTimeout(sendNow, 3000);
    };
    window.addEventListener("online", online);
    return () => {
      clearTimeout(soon);
      clearInterval(again);
      window.removeEventListener("online", online);
    };
  }, [isWaiting, hasEnded, send]);

  return (
    <aside aria-label="Kept on this device" className="outbox stack is-close screen-only">
      {isWaiting ? (
        <FrameNote role="status">
          <span>
            {counted(waiting.length, "assessment")} {waiting.length === 1 ? "waits" : "wait"} on this device to be sent:{" "}
            {waiting.map(({ facilityName }) => facilityName).join(", ")}.
            {reason ? ` The server says: ${reason.message}` : null}
          </span>
          {hasEnded ? null : <BusyButton isBusy={isSending} onClick={() => void send(true)} size={Size.SMALL} text="Send now" />}
        </FrameNote>
      ) : null}
      {returned.map((one) => (
        <ReturnedWorkNotice key={one.workId} work={one} />
      ))}
      <SealedWorkNotice />
    </aside>
  );
}
