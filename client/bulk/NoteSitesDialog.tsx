import { useState } from "react";
import { useForm } from "react-hook-form";
import { v7 } from "uuid";
import { graphql } from "../gql/gql.ts";
import { useToday } from "../shell/session/viewer.ts";
import { DateField } from "../ui/field/DateField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { daysAfter } from "../ui/text/dates.ts";
import { mutate } from "../urql.ts";
import type { BulkDialogProps } from "./bulkAsking.ts";

const mutation = graphql(`
  mutation NoteSitesDialog_note($input: NoteSitesInput!) {
    noteSites(input: $input) {
      bulkAct { ...BulkDoneNotice_BulkAct }
      errors { path message }
    }
  }
`);

/** Writes a note on the sites' entries of the work list, or hides the entries until a day. */
export function NoteSitesDialog({ asking, isOpen, onClose, onDone }: BulkDialogProps) {
  const { act, sites, what, kind, snoozedUntil } = asking;
  const isSnooze = act === "snooze";
  const today = useToday();
  const [bulkActUuid] = useState(() => v7());
  const { register, control, handleSubmit, setError, formState } = useForm({
    defaultValues: { comment: "", snoozedUntil: snoozedUntil ?? "" },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ comment, snoozedUntil: until }) => {
    if (isSnooze && !until) return setError("snoozedUntil", { message: "is required" }, { shouldFocus: true });
    const { data, failure } = await mutate(mutation, {
      // An emptied day shows the entry again; without a day, snoozed ones stay snoozed.
      input: { bulkActUuid, sites, kind, comment, snoozedUntil: until || (snoozedUntil ? null : undefined) },
    });
    for (const { path, message } of data?.noteSites.errors ?? [])
      setError(path === "comment" || path === "snoozedUntil" ? path : "root", { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
    if (!data?.noteSites.bulkAct) return;
    onDone(data.noteSites.bulkAct);
    onClose();
  });
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={`${isSnooze ? "Snooze" : "Note"}: ${what}`}>
      <DialogForm
        action={isSnooze ? "Snooze" : "Save note"}
        alert={errors.root?.message}
        isBusy={isSubmitting}
        onClose={onClose}
        onSubmit={submit}
      >
        <TextAreaField
          error={errors.comment?.message}
          field={register("comment", { required: "is required" })}
          help={kind ? undefined : "It is written on every entry that the sites have on the work list"}
          label={isSnooze ? "Why" : "Note"}
          maxLength={512}
          rows={3}
        />
        <DateField
          control={control}
          help="Hidden from the list until this day"
          label={isSnooze ? "Snooze until" : "Snooze until (optional)"}
          min={daysAfter(today, 1)}
          name="snoozedUntil"
        />
      </DialogForm>
    </ModalDialog>
  );
}
