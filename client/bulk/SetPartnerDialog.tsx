import { useState } from "react";
import { useForm } from "react-hook-form";
import { v7 } from "uuid";
import { graphql } from "../gql/gql.ts";
import { PartnerField } from "../reference/PartnerField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";
import type { BulkDialogProps } from "./bulkAsking.ts";

const mutation = graphql(`
  mutation SetPartnerDialog_set($input: SetPartnerOfSitesInput!) {
    setPartnerOfSites(input: $input) {
      bulkAct { ...BulkDoneNotice_BulkAct }
      errors { path message }
    }
  }
`);

/** Sets the partner that supports the sites. */
export function SetPartnerDialog({ asking: { sites, what }, isOpen, onClose, onDone }: BulkDialogProps) {
  const [bulkActUuid] = useState(() => v7());
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { implementingPartnerId: "" } });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ implementingPartnerId }) => {
    const { data, failure } = await mutate(
      mutation,
      { input: { bulkActUuid, sites, implementingPartnerId: Number(implementingPartnerId) || null } },
      { additionalTypenames: ["Facility", "FacilityGroup"] },
    );
    for (const { path, message } of data?.setPartnerOfSites.errors ?? [])
      setError(path === "implementingPartnerId" ? path : "root", { message }, { shouldFocus: true });
    if (failure) setError("root", { message: failure });
    if (!data?.setPartnerOfSites.bulkAct) return;
    onDone(data.setPartnerOfSites.bulkAct);
    onClose();
  });
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title={`Set the partner: ${what}`}>
      <DialogForm
        action="Set partner"
        alert={errors.root?.message}
        isBusy={isSubmitting}
        onClose={onClose}
        onSubmit={submit}
      >
        <PartnerField
          error={errors.implementingPartnerId?.message}
          field={register("implementingPartnerId")}
          label="Implementing partner"
          none="No partner"
        />
      </DialogForm>
    </ModalDialog>
  );
}
