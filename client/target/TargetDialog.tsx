import { Button } from "@blueprintjs/core";
import { useForm, useWatch } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import type { ModeScope } from "../routes.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { SelectField } from "../ui/field/SelectField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";
import { type MeasureName, measures, type TargetAnswer } from "./measures.ts";

const setMutation = graphql(`
  mutation TargetDialog_set($input: SetTargetInput!) {
    setTarget(input: $input) {
      target { uuid }
      errors { path message }
    }
  }
`);
const removeMutation = graphql(`
  mutation TargetDialog_remove($uuid: String!) {
    removeTarget(uuid: $uuid) {
      errors { path message }
    }
  }
`);

const isOf = (target: TargetAnswer, unit: ModeScope) =>
  (["provinceId", "districtId", "implementingPartnerId"] as const).every(
    (name) => (target[name] ?? undefined) === unit[name],
  );

type TargetFormProps = {
  choices: MeasureName[];
  targets: readonly TargetAnswer[];
  unit: ModeScope;
  year: number;
  onChange: () => void;
  onClose: () => void;
};

function TargetForm({ choices, targets, unit, year, onChange, onClose }: TargetFormProps) {
  const targetOf = (measure: MeasureName) =>
    targets.find((target) => target.measure === measure && target.year === year && isOf(target, unit));
  const { register, handleSubmit, setError, setValue, control, formState } = useForm({
    defaultValues: { measure: choices[0]!, year: String(year), percent: String(targetOf(choices[0]!)?.percent ?? "") },
  });
  const { errors, isSubmitting } = formState;
  const own = targetOf(useWatch({ control, name: "measure" }));

  const finish = (failed: string | undefined, wrong: readonly { path: string; message: string }[] = [], done = "") => {
    for (const { path, message } of wrong)
      setError(path === "year" || path === "percent" ? path : "root", { message }, { shouldFocus: true });
    if (failed !== undefined) setError("root", { message: failed });
    if (failed !== undefined || wrong.length > 0) return;
    showSuccess(done);
    onChange();
    onClose();
  };
  const save = handleSubmit(async (typed) => {
    const input = { measure: typed.measure, year: Number(typed.year), percent: Number(typed.percent), ...unit };
    const { data, failure } = await mutate(setMutation, { input });
    finish(failure, data?.setTarget.errors, "The target was set");
  });
  const remove = ({ targetUuid }: TargetAnswer) =>
    handleSubmit(async () => {
      const { data, failure } = await mutate(removeMutation, { uuid: targetUuid });
      finish(failure, data?.removeTarget.errors, "The target was removed");
    });

  return (
    <DialogForm
      action="Save target"
      alert={errors.root?.message}
      isBusy={isSubmitting}
      onClose={onClose}
      onSubmit={save}
      other={own ? <Button disabled={isSubmitting} onClick={() => void remove(own)()} text="Remove target" /> : null}
    >
      <SelectField
        field={register("measure", {
          onChange: ({ target }: { target: HTMLSelectElement }) =>
            setValue("percent", String(targetOf(target.value as MeasureName)?.percent ?? "")),
        })}
        label="Measure"
        options={choices.map((name) => ({ value: name, label: measures[name].label }))}
      />
      <TextField
        error={errors.year?.message}
        field={register("year", { required: "is required" })}
        label="Fiscal year"
        type="number"
      />
      <TextField
        error={errors.percent?.message}
        field={register("percent", { required: "is required" })}
        inputMode="decimal"
        label="Share of the facilities assessed, in percent"
      />
    </DialogForm>
  );
}

/** Sets or removes a target of the unit that a chart is about. It stays mounted, so that it can return the focus. */
export function TargetDialog({ isOpen, unitName, ...form }: TargetFormProps & { isOpen: boolean; unitName: string }) {
  return (
    <ModalDialog isOpen={isOpen} onClose={form.onClose} title={`Target: ${unitName}`}>
      <TargetForm {...form} />
    </ModalDialog>
  );
}
