import { DialogBody, Intent } from "@blueprintjs/core";
import type { ReactNode } from "react";
import { BusyButton } from "../form/BusyButton.tsx";
import { DialogButtons } from "../form/DialogButtons.tsx";
import { ModalDialog } from "./ModalDialog.tsx";

type QuestionDialogProps = {
  /** The action: the dialog's title and the caption of its button. */
  title: string;
  intent?: Intent;
  isOpen: boolean;
  isBusy: boolean;
  onClose: () => void;
  onConfirm: () => void;
  children: ReactNode;
};

/** Asks for a confirmation before an action. */
export function QuestionDialog({ title, intent = Intent.PRIMARY, isOpen, isBusy, onClose, onConfirm, children }: QuestionDialogProps) {
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} role="alertdialog" title={title}>
      <DialogBody>
        <p>{children}</p>
      </DialogBody>
      <DialogButtons closing="Cancel" onClose={onClose}>
        <BusyButton intent={intent} isBusy={isBusy} onClick={onConfirm} text={title} />
      </DialogButtons>
    </ModalDialog>
  );
}
