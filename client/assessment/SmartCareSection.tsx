import { useId } from "react";
import { useFormState } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { AnswerField } from "../ui/AnswerField.tsx";
import { TextAreaField } from "../ui/TextAreaField.tsx";
import { SelectField } from "../ui/SelectField.tsx";
import { Suggestions, TextField } from "../ui/TextField.tsx";
import { labels } from "./fieldLabels.ts";
import { FormSection } from "./FormSection.tsx";
import type { FormValues } from "./formValues.ts";
import { LocationField } from "./LocationField.tsx";
import { ServiceAreasSection } from "./ServiceAreasSection.tsx";

/** The known versions of SmartCare, to choose from. */
export type Versions = { library: string[]; database: string[] };

const modeOptions = Object.entries(modeLabels).map(([value, label]) => ({ value, label }));

type SmartCareSectionProps = {
  form: UseFormReturn<FormValues>;
  versions: Versions;
  areaName: (serviceAreaId: number) => string;
  /** whether the device's position is part of it: of a new assessment */
  isLocated: boolean;
  /** the ministry's today */
  today: string;
};

/** How SmartCare runs at the facility, as a whole and in each service area. */
export function SmartCareSection({ form, versions, areaName, isLocated, today }: SmartCareSectionProps) {
  const { register, control } = form;
  const { errors } = useFormState({ control });
  const id = useId();
  return (
    <FormSection title="SmartCare Assessment">
      <Suggestions id={`${id}-library`} values={versions.library} />
      <Suggestions id={`${id}-database`} values={versions.database} />
      <SelectField
        label={labels.functionalityStatusMode}
        field={register("functionalityStatusMode")}
        options={modeOptions}
        none="Choose a mode"
        error={errors.functionalityStatusMode?.message}
      />
      <AnswerField label={labels.smartCareFunctional} field={register("smartCareFunctional")} />
      <TextField
        label={labels.libraryVersion}
        field={register("libraryVersion")}
        error={errors.libraryVersion?.message}
        suggestions={`${id}-library`}
      />
      <TextField
        label={labels.databaseVersion}
        field={register("databaseVersion")}
        error={errors.databaseVersion?.message}
        suggestions={`${id}-database`}
      />
      <AnswerField label={labels.libraryVersionConsistent} field={register("libraryVersionConsistent")} />
      <TextField
        label={labels.dateOfLastUpgrade}
        field={register("dateOfLastUpgrade")}
        error={errors.dateOfLastUpgrade?.message}
        max={today}
        type="date"
      />
      <TextField
        label={labels.numberOfStaffTrainedInSmartCare}
        field={register("numberOfStaffTrainedInSmartCare")}
        error={errors.numberOfStaffTrainedInSmartCare?.message}
        type="number"
      />
      <LocationField form={form} isLocated={isLocated} error={errors.latitude?.message ?? errors.longitude?.message} />
      <div className="is-wide">
        <TextAreaField label={labels.otherIssues} field={register("otherIssues")} error={errors.otherIssues?.message} />
      </div>
      <div className="is-wide">
        <ServiceAreasSection form={form} areaName={areaName} libraries={`${id}-library`} databases={`${id}-database`} />
      </div>
    </FormSection>
  );
}
