import { useForm } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import type { WorklistKind as KindName } from "../gql/graphql.ts";
import { useToday } from "../shell/session/viewer.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { DateField } from "../ui/field/DateField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { daysAfter } from "../ui/text/dates.ts";
import { mutate } from "../urql.ts";

const mutation = graphql(`
  mutation WorklistNoteDialog_note($input: NoteWorklistEntryInput!) {
    noteWorklistEntry(input: $input) {
      entry { snoozed snoozedUntil }
      errors { path message }
    }
  }
`);

type NoteDialogProps = {
  kind: KindName;
  facilityUuid: string;
  facilityName: string;
  /** Until when the entry is snoozed, if it is: a note alone does not show it again. */
  snoozedUntil: string | undefined;
  isOpen: boolean;
  onClose: () => void;
  onSaved: () => void;
};

/** Writes a note on an entry of the work list, or hides the entry until a day. */
export function WorklistNoteDialog({
  kind,
  facilityUuid,
  facilityName,
  snoozedUntil,
  isOpen,
  onClose,
  onSaved,
}: NoteDialogProps) {
  const today = useToday();
  const { register, control, handleSubmit, reset, setError, formState } = useForm({
    values: { comment: "", snoozedUntil: snoozedUntil ?? "" },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ comment, snoozedUntil: until }) => {
    const { data, failure } = await mutate(mutation, {
      input: { kind, facilityUuid, comment, snoozedUntil: until || null },
    });
    const wrong = data?.noteWorklistEntry.errors ?? [];
    for (const { path, message } of wrong)
      setError(path === "comment" || path === "snoozedUntil" ? path : "root", { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
    if (failure || wrong.length > 0) return;
    showSuccess("The note was saved");
    reset();
    onSaved();
    onClose();
  });
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={`Note: ${facilityName}`}>
      <DialogForm
        action="Save note"
        alert={errors.root?.message}
        isBusy={isSubmitting}
        onClose={onClose}
        onSubmit={submit}
      >
        <TextAreaField
          error={errors.comment?.message}
          field={register("comment", { required: "is required" })}
          label="Note"
          maxLength={512}
          rows={3}
        />
        <DateField
          control={control}
          help="Hidden from the list until this day"
          label="Snooze until (optional)"
          min={daysAfter(today, 1)}
          name="snoozedUntil"
        />
      </DialogForm>
    </ModalDialog>
  );
}
