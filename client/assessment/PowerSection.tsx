import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TickField } from "../ui/field/TickField.tsx";
import type { OfferedName } from "./carried.ts";
import { LastAnswerHint } from "./CarriedNote.tsx";
import { labels } from "./fieldLabels.ts";
import { FormSection } from "./FormSection.tsx";
import type { FormValues } from "./formValues.ts";
import type { LastVisit } from "./lastVisit.ts";
import { answerPower } from "./power.ts";
import { useTextFields } from "./useTextFields.ts";

type PowerSectionProps = { form: UseFormReturn<FormValues>; lastVisit: LastVisit | null };

/** Power at the facility. A source can be marked as working only if it is present. */
export function PowerSection({ form, lastVisit }: PowerSectionProps) {
  const { text } = useTextFields(form);
  const [primaryPower, backupPower] = useWatch({ control: form.control, name: ["primaryPower", "backupPower"] });
  const isThere = { primaryPower, backupPower };
  const hint = (name: OfferedName) => <LastAnswerHint form={form} lastVisit={lastVisit} name={name} />;
  return (
    <FormSection name="power" of={["power"]}>
      <div className="grid is-half">
        {(["primaryPower", "backupPower"] as const).map((power) => {
          const [works, notes] = [`${power}Working`, `${power}Notes`] as const;
          const canWork = isThere[power] === true;
          return (
            <div className="stack" key={power}>
              <div>
                <TickField
                  form={form}
                  help={hint(power)}
                  label={labels[power]}
                  name={power}
                  onAnswer={(answer) => answerPower(form, power, answer)}
                />
                <TickField
                  disabled={!canWork}
                  form={form}
                  help={canWork ? hint(works) : null}
                  label={labels[works]}
                  name={works}
                />
              </div>
              <TextAreaField {...text(notes)} help={hint(notes)} />
            </div>
          );
        })}
      </div>
    </FormSection>
  );
}
