import { Button, Size } from "@blueprintjs/core";
import { Link } from "react-router-dom";
import { routes } from "../routes.ts";
import { FrameNote } from "../shell/note/FrameNote.tsx";
import { showError } from "../shell/toast/toaster.tsx";
import { saveAsFile } from "../ui/network/saveAsFile.ts";
import { DiscardButton } from "./DiscardButton.tsx";
import { textOfWork } from "./formValues.ts";
import { discardWork } from "./keptWork.ts";
import type { KeptWork } from "./keptWork.ts";

/** Work that the server refused, with the reason and what can be done. It stays until the person has chosen. */
export function ReturnedWorkNotice({ work }: { work: KeptWork }) {
  const { workId, assessmentUuid, facilityUuid, facilityName, isNew, reason, keptAt, savedAt } = work;
  const save = () => saveAsFile(`assessment-${assessmentUuid}.json`, textOfWork(work, savedAt ?? keptAt));
  return (
    <FrameNote>
      <span>
        The assessment of {facilityName} was not stored: {reason?.message} It waits on this device.
      </span>
      <Link to={routes.assessment(facilityUuid, isNew ? undefined : assessmentUuid, workId)}>Open it</Link>
      <Button aria-label={`Save as a file: the assessment of ${facilityName}`} onClick={save} size={Size.SMALL} text="Save as a file" />
      <DiscardButton about={`the assessment of ${facilityName}`} onDiscard={() => void discardWork(workId).catch(() => showError("This device does not let anything be changed."))} />
    </FrameNote>
  );
}
