import { DialogBody, Intent } from "@blueprintjs/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { BusyButton } from "../form/BusyButton.tsx";
import { DialogButtons } from "../form/DialogButtons.tsx";
import { ModalDialog, useLast } from "./ModalDialog.tsx";

type QuestionDialogProps<Subject> = {
  /** What the action is about; undefined or false while nothing is asked. */
  asked: Subject | undefined | false;
  /** The action: the dialog's title and the caption of its button. */
  title: string | ((asked: Subject) => string);
  intent?: Intent;
  /** Called with undefined, so that the setter of `asked` can be given. */
  onClose: (asked: undefined) => void;
  /** Acts. The button is busy until this resolves. */
  onConfirm: (asked: Subject) => Promise<void>;
  children: ReactNode | ((asked: Subject) => ReactNode);
};

/** Asks for a confirmation before an action. */
export function QuestionDialog<Subject>({
  asked,
  title,
  intent,
  onClose,
  onConfirm,
  children,
}: QuestionDialogProps<Subject>) {
  const isOpen = asked !== undefined && asked !== false;
  const shown = useLast(asked);
  const [isBusy, setBusy] = useState(false);
  const action = typeof title === "string" ? title : shown === undefined ? "" : title(shown);
  const confirm = async () => {
    if (!isOpen) return;
    setBusy(true);
    await onConfirm(asked);
    setBusy(false);
  };
  const close = () => onClose(undefined);
  return (
    <ModalDialog isOpen={isOpen} onClose={close} role="alertdialog" title={action}>
      <DialogBody>
        <p>{typeof children !== "function" ? children : shown === undefined ? null : children(shown)}</p>
      </DialogBody>
      <DialogButtons closing="Cancel" onClose={close}>
        <BusyButton intent={intent ?? Intent.PRIMARY} isBusy={isBusy} onClick={() => void confirm()} text={action} />
      </DialogButtons>
    </ModalDialog>
  );
}
