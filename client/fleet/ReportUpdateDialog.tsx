import { useForm, useWatch } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import type { UpdateOutcome } from "../gql/graphql.ts";
import { SelectField } from "../ui/field/SelectField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";

const reportMutation = graphql(`
  mutation ReportUpdateDialog_report($input: ReportUpdateInput!) {
    reportUpdate(input: $input) { report { uuid } errors { path message } }
  }
`);

const outcomes: { value: UpdateOutcome; label: string }[] = [
  { value: "APPLIED", label: "It was applied" },
  { value: "FAILED", label: "It failed" },
];

type ReportUpdateDialogProps = {
  facilityUuid: string;
  file: { uuid: string; name: string };
  onClose: () => void;
  onReported: () => void;
};

/** Reports for a site without a credential that a file was applied there, or why that failed. */
export function ReportUpdateDialog({ facilityUuid, file, onClose, onReported }: ReportUpdateDialogProps) {
  const { register, handleSubmit, setError, control, formState } = useForm<{ outcome: UpdateOutcome; why: string }>({
    defaultValues: { outcome: "APPLIED", why: "" },
  });
  const { errors, isSubmitting } = formState;
  const hasFailed = useWatch({ control, name: "outcome" }) === "FAILED";
  const submit = handleSubmit(async ({ outcome, why }) => {
    const { data, failure } = await mutate(reportMutation, {
      input: { facilityUuid, downloadUuid: file.uuid, outcome, why: outcome === "FAILED" ? why.trim() : null },
    });
    for (const { path, message } of data?.reportUpdate.errors ?? [])
      setError(path === "why" ? "why" : "root", { message }, { shouldFocus: true });
    if (failure !== undefined) setError("root", { message: failure });
    if (data?.reportUpdate.report) onReported();
  });
  return (
    <ModalDialog isOpen onClose={onClose} title={`Report on ${file.name}`}>
      <DialogForm
        action="Report"
        alert={errors.root?.message}
        closing="Cancel"
        isBusy={isSubmitting}
        onClose={onClose}
        onSubmit={submit}
      >
        <SelectField field={register("outcome")} label="What became of it" options={outcomes} />
        {hasFailed ? <TextField error={errors.why?.message} field={register("why")} label="Why" /> : null}
      </DialogForm>
    </ModalDialog>
  );
}
