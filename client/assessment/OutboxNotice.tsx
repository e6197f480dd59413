import { Size } from "@blueprintjs/core";
import { useCallback, useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { counted } from "../reference/counted.ts";
import { routes } from "../routes.ts";
import { showSuccess, showWarning } from "../shell/toaster.tsx";
import { useMay, useViewer } from "../shell/viewer.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { whenIdle } from "../ui/idle.ts";
import { ruleParts } from "../ui/ruleParts.ts";
import { useKeptWork } from "./keptWork.ts";
import "./OutboxNotice.css";

const againMs = 30_000;

/** What waits on this device to be sent, and what came back. Sends by itself when the network is back, and when asked. */
export function OutboxNotice() {
  const userUuid = useViewer().user.uuid;
  const mayEdit = useMay("editAssessments");
  const work = useKeptWork(userUuid);
  const [isSending, setSending] = useState(false);
  const waiting = work.filter(({ status }) => status === "waiting");
  const returned = work.filter(({ status }) => status === "returned");
  const isWaiting = waiting.length > 0;

  const send = useCallback(async () => {
    setSending(true);
    // What checks and sends an assessment is fetched when there is one; where it cannot be fetched, nothing can be sent either.
    const file = await import("./saveAssessment.ts").catch(() => undefined);
    await file?.sendWaiting(userUuid, ({ facilityName }, outcome) => {
      if (outcome.kind === "saved") showSuccess(`The assessment of ${facilityName} was sent`);
      if (outcome.kind === "conflict" || outcome.kind === "refused") showWarning(`The assessment of ${facilityName} came back: please look at it`);
    });
    setSending(false);
  }, [userUuid]);

  useEffect(() => {
    if (!isWaiting) return;
    const sendNow = () => void send();
    // Not at once: a save that is under way is not waiting yet for its network.
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
  }, [isWaiting, send]);

  // So that the screens of a visit are on the device before the network is gone.
  useEffect(() => {
    if (mayEdit)
      return whenIdle(
        () => import("./AssessmentScreen.tsx"),
        ...ruleParts,
        () => import("./formRules.ts"),
        () => import("../facility/FacilityScreen.tsx"),
      );
  }, [mayEdit]);

  if (!isWaiting && returned.length === 0) return null;
  return (
    <aside aria-label="Kept on this device" className="outbox">
      {isWaiting ? (
        <div className="outbox-line" role="status">
          <span>
            {counted(waiting.length, "assessment")} {waiting.length === 1 ? "waits" : "wait"} on this device to be sent:{" "}
            {waiting.map(({ facilityName }) => facilityName).join(", ")}.
          </span>
          <BusyButton isBusy={isSending} onClick={() => void send()} size={Size.SMALL} text="Send now" />
        </div>
      ) : null}
      {returned.map(({ assessmentUuid, facilityUuid, facilityName, isNew, message }) => (
        <div className="outbox-line" key={assessmentUuid}>
          <span>
            The assessment of {facilityName} was not stored: {message}
          </span>
          <Link to={routes.assessment(facilityUuid, isNew ? undefined : assessmentUuid)}>Open it</Link>
        </div>
      ))}
    </aside>
  );
}
