import { Button, DialogBody, Size } from "@blueprintjs/core";
import { useState } from "react";
import { useKeptWork } from "../assessment/keptWork.ts";
import { FrameNote } from "../shell/note/FrameNote.tsx";
import { useHasEnded } from "../shell/session/viewer.ts";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { LoginForm } from "./LoginForm.tsx";

/**
 * Says that the session ended by time. The person signs in again in a dialog, so that the screen and what was typed
 * there stay.
 */
export function SessionEndedNotice() {
  const hasEnded = useHasEnded();
  const [isOpen, setOpen] = useState(false);
  const waiting = useKeptWork().filter(({ status }) => status === "waiting").length;
  if (!hasEnded) return null;
  const close = () => setOpen(false);
  const purpose = waiting === 0 ? "see what is new" : waiting === 1 ? "send your visit" : `send your ${waiting} visits`;
  return (
    <aside aria-label="Session" className="session-ended" role="status">
      <FrameNote>
        <span>Your session ended. Sign in to {purpose}.</span>
        <Button onClick={() => setOpen(true)} size={Size.SMALL} text="Sign in" />
      </FrameNote>
      <ModalDialog isOpen={isOpen} onClose={close} title="Sign in">
        <DialogBody>
          <LoginForm />
        </DialogBody>
        <DialogButtons closing="Not now" onClose={close} />
      </ModalDialog>
    </aside>
  );
}
