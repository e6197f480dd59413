import { useState } from "react";
import { useForm } from "react-hook-form";
import { v7 } from "uuid";
import { type Agreed, AgreedSection, fieldOf } from "../action/AgreedSection.tsx";
import { graphql } from "../gql/gql.ts";
import { useToday } from "../shell/session/viewer.ts";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";
import type { BulkDialogProps } from "./bulkAsking.ts";

const mutation = graphql(`
  mutation AssignSitesDialog_assign($input: AssignSitesInput!) {
    assignSites(input: $input) {
      bulkAct { ...BulkDoneNotice_BulkAct }
      errors { path message }
    }
  }
`);

/** Agrees the same action at the sites. */
export function AssignSitesDialog({ asking: { sites, what, kind }, isOpen, onClose, onDone }: BulkDialogProps) {
  const today = useToday();
  // The same for each attempt, so that an act whose answer was lost is not done twice.
  const [bulkActUuid] = useState(() => v7());
  const form = useForm<Agreed>({
    defaultValues: { text: "", responsible: "", implementingPartnerId: "", dueDay: "" },
  });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ dueDay, implementingPartnerId, ...named }) => {
    if (!dueDay) return form.setError("dueDay", { message: "is required" }, { shouldFocus: true });
    const { data, failure } = await mutate(mutation, {
      input: {
        ...{ bulkActUuid, sites, kind, dueDay, ...named },
        implementingPartnerId: Number(implementingPartnerId) || null,
      },
    });
    for (const { path, message } of data?.assignSites.errors ?? [])
      form.setError(fieldOf(path), { message }, { shouldFocus: true });
    if (failure) form.setError("root", { message: failure });
    if (!data?.assignSites.bulkAct) return;
    onDone(data.assignSites.bulkAct);
    onClose();
  });
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={`Agree an action: ${what}`}>
      <DialogForm
        action="Agree action"
        alert={errors.root?.message}
        isBusy={isSubmitting}
        onClose={onClose}
        onSubmit={submit}
      >
        <AgreedSection firstDay={today} form={form} />
      </DialogForm>
    </ModalDialog>
  );
}
