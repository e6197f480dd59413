import { Button, Intent, Size } from "@blueprintjs/core";
import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { routes } from "../routes.ts";
import { showError, withdrawMessage } from "../shell/toast/toaster.tsx";
import { signOutDialog } from "../shell/menu/SignOutButton.tsx";
import { FrameNote } from "../shell/note/FrameNote.tsx";
import { holdsOthersWork } from "../store/store.ts";
import { saveAsFile } from "../ui/network/saveAsFile.ts";
import { textOfWork } from "./formValues.ts";
import { cameBackMessage, tellOutcomes } from "./outboxMessages.ts";
import { discardWork, isReturned, keptWorkReady, listKeptWork, useKeptWork } from "./keptWork.ts";
import type { KeptWork } from "./keptWork.ts";
import { sendWaiting } from "./saveAssessment.ts";
import { discardUnreadable, textOfUnreadable, useUnreadableWork } from "./unreadableWork.ts";
import "./OutboxNotice.css";

/**
 * Discards something that only this device has, after a confirmation. `about` names it for people who do not see what
 * the button belongs to.
 */
function DiscardButton({ about, onDiscard }: { about: string; onDiscard: () => void }) {
  const [isAsked, setAsked] = useState<boolean>();
  if (!isAsked)
    return (
      <Button
        aria-label={`Discard ${about}`}
        autoFocus={isAsked === false}
        onClick={() => setAsked(true)}
        size={Size.SMALL}
        text="Discard"
      />
    );
  return (
    <>
      <span>It will be gone.</span>
      <Button autoFocus onClick={() => setAsked(false)} size={Size.SMALL} text="Keep" />
      <Button intent={Intent.DANGER} onClick={onDiscard} size={Size.SMALL} text="Discard" />
    </>
  );
}

/** Work that the server refused, with the reason and what can be done. It stays until the person has chosen. */
function ReturnedWork({ work }: { work: KeptWork }) {
  const { workId, assessmentUuid, facilityUuid, facilityName, isNew, reason, keptAt, savedAt } = work;
  const save = () => saveAsFile(`assessment-${assessmentUuid}.json`, textOfWork(work, savedAt ?? keptAt));
  const discard = () =>
    void discardWork(workId).catch(() => showError("This device does not let anything be changed."));
  return (
    <FrameNote>
      <span>
        The assessment of {facilityName} was not stored: {reason?.message} It waits on this device.
      </span>
      <Link to={routes.assessment(facilityUuid, isNew ? undefined : assessmentUuid, workId)}>Open it</Link>
      <Button
        aria-label={`Save as a file: the assessment of ${facilityName}`}
        onClick={save}
        size={Size.SMALL}
        text="Save as a file"
      />
      <DiscardButton about={`the assessment of ${facilityName}`} onDiscard={discard} />
    </FrameNote>
  );
}

/**
 * Says that this device has somebody else's work and how it can be sent, and nothing else about it. It can be hidden
 * until the screen is opened again.
 */
function OthersWork() {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    void holdsOthersWork().then(setThere);
  }, []);
  if (!isThere) return null;
  return (
    <FrameNote role="status">
      <span>Sealed work waits on this device. It is sent when the person who saved it signs in here.</span>
      <Button onClick={() => setThere(false)} size={Size.SMALL} text="Hide" />
    </FrameNote>
  );
}

/** Work that the server refused, and work that cannot be read: other people's, and damaged records of one's own. */
export function OutboxNotice() {
  const work = useKeptWork();
  const unreadable = useUnreadableWork();
  const returned = work.filter(isReturned);
  const isUnsent = work.length > 0;

  const returnedNames = JSON.stringify(returned.map(({ facilityName }) => facilityName));
  useEffect(() => {
    const names = JSON.parse(returnedNames) as string[];
    return () => {
      const left = listKeptWork().filter(isReturned);
      for (const name of names)
        if (left.every(({ facilityName }) => facilityName !== name)) withdrawMessage(cameBackMessage(name));
    };
  }, [returnedNames]);

  useEffect(() => {
    if (isUnsent) void signOutDialog.load().catch(() => {});
  }, [isUnsent]);

  // The server may accept refused work by now, because a right was given or a fault repaired. It is sent again when
  // this notice is first shown, and on request.
  useEffect(() => {
    void keptWorkReady().then(() => (listKeptWork().some(isReturned) ? sendWaiting(true, tellOutcomes) : undefined));
  }, []);

  return (
    <aside aria-label="Kept on this device" className="outbox stack is-close screen-only">
      {returned.map((one) => (
        <ReturnedWork key={one.workId} work={one} />
      ))}
      <OthersWork />
      {unreadable.map((record) => (
        <FrameNote key={record.id}>
          <span>
            An assessment that was kept on this device cannot be read. It was set aside; nothing else is affected.
          </span>
          <Button
            onClick={() => saveAsFile(`unreadable-${record.id.slice(0, 8)}.json`, textOfUnreadable(record))}
            size={Size.SMALL}
            text="Save as a file"
          />
          <DiscardButton about="what cannot be read" onDiscard={() => void discardUnreadable(record)} />
        </FrameNote>
      ))}
    </aside>
  );
}
