import { useState } from "react";
import { useForm } from "react-hook-form";
import { v7 } from "uuid";
import { actionLimits } from "../../gateway/assessment/visitActions.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { WorklistKind } from "../gql/graphql.ts";
import { useToday } from "../shell/session/viewer.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { DateField } from "../ui/field/DateField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { daysAfter } from "../ui/text/dates.ts";
import { mutate } from "../urql.ts";

const mutation = graphql(`
  mutation ActionDialog_create($input: CreateActionInput!) {
    createAction(input: $input) {
      action { id facility { id } }
      errors { path message }
    }
  }
`);

type ActionDialogProps = {
  facilityUuid: string;
  facilityName: string;
  /** The kind of the entry of the work list that it is about. */
  kind?: WorklistKind;
  isOpen: boolean;
  onClose: () => void;
  onSaved: () => void;
};

const fieldNames = ["text", "responsible", "dueDay"] as const;
const isField = (path: string): path is (typeof fieldNames)[number] => (fieldNames as readonly string[]).includes(path);

/** Agrees an action at a facility, by hand or about an entry of the work list. */
export function ActionDialog({ facilityUuid, facilityName, kind, isOpen, onClose, onSaved }: ActionDialogProps) {
  const today = useToday();
  // The same for each attempt, so that an action whose answer was lost is not stored twice.
  const [actionUuid, setActionUuid] = useState(() => v7());
  const { register, control, handleSubmit, reset, setError, formState } = useForm({
    defaultValues: { text: "", responsible: "", dueDay: "" },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ text, responsible, dueDay }) => {
    if (!dueDay) {
      setError("dueDay", { message: "is required" }, { shouldFocus: true });
      return;
    }
    const { data, failure } = await mutate(mutation, {
      input: { actionUuid, facilityUuid, kind: kind ?? null, text, responsible, dueDay },
    });
    const wrong = data?.createAction.errors ?? [];
    for (const { path, message } of wrong) setError(isField(path) ? path : "root", { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
    if (failure || wrong.length > 0) return;
    showSuccess("The action was agreed");
    setActionUuid(v7());
    reset();
    onSaved();
    onClose();
  });
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={`Agree an action: ${facilityName}`}>
      <DialogForm
        action="Agree action"
        alert={errors.root?.message}
        isBusy={isSubmitting}
        onClose={onClose}
        onSubmit={submit}
      >
        <TextAreaField
          error={errors.text?.message}
          field={register("text", { validate: (text) => text.trim() !== "" || "is required" })}
          label="What is to be done"
          maxLength={actionLimits.text}
          rows={3}
        />
        <TextField
          autoComplete="off"
          error={errors.responsible?.message}
          field={register("responsible", { validate: (name) => name.trim() !== "" || "is required" })}
          help="A person or an organisation"
          isName
          label="Responsible"
          maxLength={actionLimits.responsible}
        />
        <DateField control={control} label="Due" max={daysAfter(today, 730)} min={today} name="dueDay" />
      </DialogForm>
    </ModalDialog>
  );
}
