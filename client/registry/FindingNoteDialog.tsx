import { DialogBody } from "@blueprintjs/core";
import { useForm } from "react-hook-form";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import type { Finding } from "./FindingsTable.tsx";

type FindingNoteDialogProps = { finding: Finding | undefined; isOpen: boolean; isBusy: boolean; onClose: () => void; onSave: (finding: Finding, note: string) => void };

/** A note on a finding: why it is ignored, or what is done about it. */
export function FindingNoteDialog({ finding, isOpen, isBusy, onClose, onSave }: FindingNoteDialogProps) {
  const { register, handleSubmit } = useForm({ values: { note: finding?.note ?? "" } });
  const submit = handleSubmit(({ note }) => finding && onSave(finding, note));
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={`Note: ${finding?.facilityName ?? ""}`}>
      <form onSubmit={(event) => void submit(event)}>
        <DialogBody>
          <TextAreaField field={register("note")} label="Note" maxLength={1000} rows={3} />
        </DialogBody>
        <DialogButtons onClose={onClose}>
          <BusyButton intent="primary" isBusy={isBusy} text="Save note" type="submit" />
        </DialogButtons>
      </form>
    </ModalDialog>
  );
}
