import { useForm } from "react-hook-form";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog, useLast } from "../ui/page/ModalDialog.tsx";
import type { Finding } from "./FindingsTable.tsx";

type FindingNoteDialogProps = {
  finding: Finding | undefined;
  onClose: () => void;
  onSave: (finding: Finding, note: string) => Promise<void>;
};

/** A note on a finding: why it is ignored, or what is done about it. */
export function FindingNoteDialog({ finding, onClose, onSave }: FindingNoteDialogProps) {
  const shown = useLast(finding);
  const { register, handleSubmit, formState } = useForm({ values: { note: shown?.note ?? "" } });
  const submit = handleSubmit(({ note }) => shown && onSave(shown, note));
  return (
    <ModalDialog isOpen={finding !== undefined} onClose={onClose} title={`Note: ${shown?.facilityName ?? ""}`}>
      <DialogForm action="Save note" isBusy={formState.isSubmitting} onClose={onClose} onSubmit={submit}>
        <TextAreaField field={register("note")} label="Note" maxLength={1000} rows={3} />
      </DialogForm>
    </ModalDialog>
  );
}
