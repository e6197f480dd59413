import { useState } from "react";
import { useForm } from "react-hook-form";
import { v7 } from "uuid";
import { actionLimits } from "../../gateway/assessment/visitActions.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { WorklistKind } from "../gql/graphql.ts";
import { PartnerField } from "../reference/PartnerField.tsx";
import { useToday } from "../shell/session/viewer.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { DateField } from "../ui/field/DateField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { daysAfter } from "../ui/text/dates.ts";
import { mutate } from "../urql.ts";

const createMutation = graphql(`
  mutation ActionDialog_create($input: CreateActionInput!) {
    createAction(input: $input) {
      action { id facility { id } }
      errors { path message }
    }
  }
`);
const changeMutation = graphql(`
  mutation ActionDialog_change($input: UpdateActionInput!) {
    updateAction(input: $input) {
      action { id version ...ActionCard_Action }
      errors { path message }
    }
  }
`);

/** The action that is changed, as the person has read it. */
export type ChangedAction = {
  actionUuid: string;
  version: number;
  text: string;
  responsible?: string | null;
  implementingPartner?: { implementingPartnerId: number; implementingPartner: string } | null;
  dueDay: string;
  agreedDate: string;
};

type ActionDialogProps = {
  facilityUuid: string;
  facilityName: string;
  /** The kind of the entry of the work list that it is about. */
  kind?: WorklistKind;
  /** Without it a new action is agreed. */
  changed?: ChangedAction;
  isOpen: boolean;
  onClose: () => void;
  onSaved: () => void;
};

const fieldNames = ["text", "responsible", "implementingPartnerId", "dueDay"] as const;
const isField = (path: string): path is (typeof fieldNames)[number] => (fieldNames as readonly string[]).includes(path);

/** Agrees an action at a facility, by hand or about an entry of the work list, or changes one. */
export function ActionDialog({
  facilityUuid,
  facilityName,
  kind,
  changed,
  isOpen,
  onClose,
  onSaved,
}: ActionDialogProps) {
  const today = useToday();
  // The same for each attempt, so that an action whose answer was lost is not stored twice.
  const [actionUuid, setActionUuid] = useState(() => v7());
  const { register, control, handleSubmit, reset, setError, formState } = useForm({
    defaultValues: {
      text: changed?.text ?? "",
      responsible: changed?.responsible ?? "",
      implementingPartnerId: String(changed?.implementingPartner?.implementingPartnerId ?? ""),
      dueDay: changed?.dueDay ?? "",
    },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ dueDay, implementingPartnerId, ...named }) => {
    if (!dueDay) {
      setError("dueDay", { message: "is required" }, { shouldFocus: true });
      return;
    }
    const agreed = { ...named, dueDay, implementingPartnerId: Number(implementingPartnerId) || null };
    const { errors: wrong, failure } = changed
      ? await mutate(changeMutation, {
          input: { actionUuid: changed.actionUuid, version: changed.version, ...agreed },
        }).then(({ data, failure }) => ({ errors: data?.updateAction.errors ?? [], failure }))
      : await mutate(createMutation, { input: { actionUuid, facilityUuid, kind: kind ?? null, ...agreed } }).then(
          ({ data, failure }) => ({ errors: data?.createAction.errors ?? [], failure }),
        );
    for (const { path, message } of wrong) setError(isField(path) ? path : "root", { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
    if (failure || wrong.length > 0) return;
    showSuccess(changed ? "The action was changed" : "The action was agreed");
    setActionUuid(v7());
    reset();
    onSaved();
    onClose();
  });
  const firstDay = changed?.agreedDate ?? today;
  return (
    <ModalDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`${changed ? "Change an action" : "Agree an action"}: ${facilityName}`}
    >
      <DialogForm
        action={changed ? "Save" : "Agree action"}
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
          field={register("responsible", {
            validate: (name, { implementingPartnerId }) =>
              name.trim() !== "" || implementingPartnerId !== "" || "is required, unless a partner is named",
          })}
          help="A person or an organisation"
          isName
          label="Responsible"
          maxLength={actionLimits.responsible}
        />
        <PartnerField
          error={errors.implementingPartnerId?.message}
          field={register("implementingPartnerId")}
          label="Implementing partner"
          none="No partner"
          present={changed?.implementingPartner}
        />
        <DateField control={control} label="Due" max={daysAfter(firstDay, 730)} min={firstDay} name="dueDay" />
      </DialogForm>
    </ModalDialog>
  );
}
