import { useState } from "react";
import { useForm } from "react-hook-form";
import { v7 } from "uuid";
import { graphql } from "../gql/gql.ts";
import { useToday } from "../shell/session/viewer.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";
import { type Agreed, AgreedSection, fieldOf } from "./AgreedSection.tsx";

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
type ChangedAction = {
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
  /** Without it a new action is agreed. */
  changed?: ChangedAction;
  isOpen: boolean;
  onClose: () => void;
  onSaved: () => void;
};

/** Agrees an action at a facility by hand, or changes one. */
export function ActionDialog({ facilityUuid, facilityName, changed, isOpen, onClose, onSaved }: ActionDialogProps) {
  const today = useToday();
  // The same for each attempt, so that an action whose answer was lost is not stored twice.
  const [actionUuid, setActionUuid] = useState(() => v7());
  const form = useForm<Agreed>({
    defaultValues: {
      text: changed?.text ?? "",
      responsible: changed?.responsible ?? "",
      implementingPartnerId: String(changed?.implementingPartner?.implementingPartnerId ?? ""),
      dueDay: changed?.dueDay ?? "",
    },
  });
  const { handleSubmit, reset, setError, formState } = form;
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
      : await mutate(createMutation, { input: { actionUuid, facilityUuid, ...agreed } }).then(({ data, failure }) => ({
          errors: data?.createAction.errors ?? [],
          failure,
        }));
    for (const { path, message } of wrong) setError(fieldOf(path), { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
    if (failure || wrong.length > 0) return;
    showSuccess(changed ? "The action was changed" : "The action was agreed");
    setActionUuid(v7());
    reset();
    onSaved();
    onClose();
  });
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
        <AgreedSection firstDay={changed?.agreedDate ?? today} form={form} partner={changed?.implementingPartner} />
      </DialogForm>
    </ModalDialog>
  );
}
