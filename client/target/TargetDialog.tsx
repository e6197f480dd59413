import { Button, Classes, Intent } from "@blueprintjs/core";
import { useState } from "react";
import type { FormEvent } from "react";
import { graphql } from "../gql/gql.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";
import { type MeasureName, measures, type TargetAnswer } from "./measures.ts";
import type { TargetUnit } from "./TargetsSection.tsx";

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

const labels: Record<string, string> = { year: "Fiscal year", share: "Share" };
const isOf = (target: TargetAnswer, unit: TargetUnit) =>
  (["provinceId", "districtId", "implementingPartnerId"] as const).every((name) => (target[name] ?? undefined) === unit[name]);

type TargetDialogProps = {
  choices: MeasureName[];
  targets: readonly TargetAnswer[];
  unit: TargetUnit;
  unitName: string;
  year: number;
  onChange: () => void;
  onClose: () => void;
};

/** Sets or removes a target of the unit that a chart is about. */
export function TargetDialog({ choices, targets, unit, unitName, year, onChange, onClose }: TargetDialogProps) {
  const [measure, setMeasure] = useState(choices[0]!);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const own = targets.find((target) => target.measure === measure && target.year === year && isOf(target, unit));

  const finish = (failed: string | undefined, errors: readonly { path: string; message: string }[] = [], done = "") => {
    setBusy(false);
    const [wrong] = errors;
    setFailure(failed ?? (wrong && `${labels[wrong.path] ? `${labels[wrong.path]} ` : ""}${wrong.message}`));
    if (failed !== undefined || wrong) return;
    showSuccess(done);
    onChange();
    onClose();
  };
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const value = (name: string) => Number((form.elements.namedItem(name) as HTMLInputElement).value);
    setBusy(true);
    const { data, failure: failed } = await mutate(setMutation, { input: { measure, year: value("year"), share: value("share"), ...unit } });
    finish(failed, data?.setTarget.errors, "The target was set");
  };
  const remove = async ({ targetUuid }: TargetAnswer) => {
    setBusy(true);
    const { data, failure: failed } = await mutate(removeMutation, { uuid: targetUuid });
    finish(failed, data?.removeTarget.errors, "The target was removed");
  };

  return (
    <ModalDialog isOpen onClose={onClose} title={`Target: ${unitName}`}>
      <form className="stack dialog-form" onSubmit={(event) => void save(event)}>
        <label>
          Measure
          <select className={Classes.INPUT} onChange={(event) => setMeasure(event.currentTarget.value as MeasureName)} value={measure}>
            {choices.map((name) => (
              <option key={name} value={name}>
                {measures[name].label}
              </option>
            ))}
          </select>
        </label>
        <label>
          Fiscal year
          <input className={Classes.INPUT} defaultValue={year} inputMode="numeric" min={2000} name="year" required type="number" />
        </label>
        <label>
          Share of the facilities assessed, in percent
          <input className={Classes.INPUT} defaultValue={own?.share ?? ""} inputMode="decimal" key={own?.targetUuid ?? measure} max={100} min={0} name="share" required step={0.1} type="number" />
        </label>
        {failure === undefined ? null : <p role="alert">{failure}</p>}
        <div className={Classes.DIALOG_FOOTER_ACTIONS}>
          <Button onClick={onClose} text="Close" />
          {own ? <Button disabled={isBusy} onClick={() => void remove(own)} text="Remove target" /> : null}
          <BusyButton intent={Intent.PRIMARY} isBusy={isBusy} text="Save target" type="submit" />
        </div>
      </form>
    </ModalDialog>
  );
}
