import { Button, Classes } from "@blueprintjs/core";
import type { FormEvent } from "react";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import type { Finding } from "./FindingsTable.tsx";

type FindingNoteDialogProps = { finding: Finding | undefined; isOpen: boolean; isBusy: boolean; onClose: () => void; onSave: (finding: Finding, note: string) => void };

/** A note on a finding: why it is ignored, or what is done about it. */
export function FindingNoteDialog({ finding, isOpen, isBusy, onClose, onSave }: FindingNoteDialogProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (finding) onSave(finding, (event.currentTarget.elements.namedItem("note") as HTMLTextAreaElement).value);
  };
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={`Note: ${finding?.facilityName ?? ""}`}>
      <form className="stack dialog-form" onSubmit={submit}>
        <label>
          Note
          <textarea className={Classes.INPUT} defaultValue={finding?.note ?? ""} key={finding?.number} maxLength={1000} name="note" rows={3} />
        </label>
        <div className={Classes.DIALOG_FOOTER_ACTIONS}>
          <Button onClick={onClose} text="Close" />
          <BusyButton intent="primary" isBusy={isBusy} text="Save note" type="submit" />
        </div>
      </form>
    </ModalDialog>
  );
}
