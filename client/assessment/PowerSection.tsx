import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TickField } from "../ui/field/TickField.tsx";
import type { OfferedName } from "./carried.ts";
import { CarriedNote, LastAnswerWords } from "./CarriedNote.tsx";
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
  const last = (name: OfferedName) => <LastAnswerWords form={form} lastVisit={lastVisit} name={name} />;
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
                  help={last(power)}
                  label={labels[power]}
                  name={power}
                  onAnswer={(answer) => answerPower(form, power, answer)}
                />
                <TickField
                  disabled={!canWork}
                  form={form}
                  help={canWork ? last(works) : null}
                  label={labels[works]}
                  name={works}
                />
              </div>
              <TextAreaField {...text(notes)} help={last(notes)} />
            </div>
          );
        })}
      </div>
      {/* Below the fields: above them a phone has the note of all sections. */}
      <CarriedNote form={form} lastVisit={lastVisit} section="power" />
    </FormSection>
  );
}
