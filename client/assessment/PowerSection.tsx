import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { CheckField } from "../ui/field/CheckField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { labels } from "./fieldLabels.ts";
import { FormSection } from "./FormSection.tsx";
import type { FormValues } from "./formValues.ts";
import { useTextFields } from "./useTextFields.ts";

/** Power at the facility. A source can be marked as working only if it is present. */
export function PowerSection({ form }: { form: UseFormReturn<FormValues> }) {
  const { register, setValue, control } = form;
  const { text } = useTextFields(form);
  const [primaryPower, backupPower] = useWatch({ control, name: ["primaryPower", "backupPower"] });
  const isThere = { primary: primaryPower, backup: backupPower };
  return (
    <FormSection name="power">
      {(["primary", "backup"] as const).map((power) => {
        const [there, works, notes] = [`${power}Power`, `${power}PowerWorking`, `${power}PowerNotes`] as const;
        const untick = (event: { target: { checked: boolean } }) => {
          if (!event.target.checked) setValue(works, false, { shouldDirty: true });
        };
        return (
          <div className="form-column" key={power}>
            <div>
              <CheckField label={labels[there]} field={register(there, { onChange: untick })} />
              <CheckField label={labels[works]} field={register(works)} disabled={!isThere[power]} />
            </div>
            <TextAreaField {...text(notes)} />
          </div>
        );
      })}
    </FormSection>
  );
}
