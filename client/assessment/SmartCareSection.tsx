import { useId } from "react";
import type { UseFormReturn } from "react-hook-form";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { AnswerField } from "../ui/field/AnswerField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { DateField } from "../ui/field/DateField.tsx";
import { SelectField } from "../ui/field/SelectField.tsx";
import { Suggestions, TextField } from "../ui/field/TextField.tsx";
import type { OfferedName } from "./carried.ts";
import { CarriedNote, LastAnswerWords } from "./CarriedNote.tsx";
import { labels } from "./fieldLabels.ts";
import { FormSection } from "./FormSection.tsx";
import type { RequiredName } from "./formSections.ts";
import type { FormValues } from "./formValues.ts";
import type { LastVisit } from "./lastVisit.ts";
import type { Place } from "../../gateway/facility/distance.rules.ts";
import { LocationField } from "./LocationField.tsx";
import { ServiceAreasSection } from "./ServiceAreasSection.tsx";
import { useIsShown } from "./useSteps.ts";
import { useTextFields } from "./useTextFields.ts";

/** The known versions of SmartCare, to choose from. */
export type Versions = { library: string[]; database: string[] };

const modeOptions = Object.entries(modeLabels).map(([value, label]) => ({ value, label }));

type SmartCareSectionProps = {
  form: UseFormReturn<FormValues>;
  versions: Versions;
  areaName: (serviceAreaId: number) => string;
  /** whether the device's position is recorded: until the first save of a new assessment */
  isLocated: boolean;
  /** the facility's registered position */
  registered: Place | null;
  /** the last visit, whose answers a new assessment offers */
  lastVisit: LastVisit | null;
  /** the ministry's today */
  today: string;
};

/** How SmartCare runs at the facility, as a whole and in each service area. */
export function SmartCareSection({
  form,
  versions,
  areaName,
  isLocated,
  registered,
  lastVisit,
  today,
}: SmartCareSectionProps) {
  const { register } = form;
  const { errors, text } = useTextFields(form);
  const id = useId();
  const help = (name: OfferedName) => <LastAnswerWords form={form} lastVisit={lastVisit} name={name} />;
  const required = (name: RequiredName) => ({
    label: labels[name],
    field: register(name),
    error: errors[name]?.message,
    help: help(name),
    isRequired: true,
  });
  return (
    <FormSection name="smartCare" of={["smartCare", "areas"]}>
      <Suggestions id={`${id}-library`} values={versions.library} />
      <Suggestions id={`${id}-database`} values={versions.database} />
      <div className="stack" hidden={!useIsShown("smartCare")}>
        <CarriedNote form={form} lastVisit={lastVisit} section="smartCare" />
        <div className="grid is-half">
          <SelectField {...required("functionalityStatusMode")} options={modeOptions} none="Choose a mode" />
          <AnswerField
            label={labels.smartCareFunctional}
            field={register("smartCareFunctional")}
            help={help("smartCareFunctional")}
          />
          <TextField
            {...text("libraryVersion")}
            enterKeyHint="next"
            inputMode="decimal"
            suggestions={`${id}-library`}
          />
          <TextField
            {...text("databaseVersion")}
            enterKeyHint="next"
            inputMode="decimal"
            suggestions={`${id}-database`}
          />
          <AnswerField
            label={labels.libraryVersionConsistent}
            field={register("libraryVersionConsistent")}
            help={help("libraryVersionConsistent")}
          />
          <DateField
            control={form.control}
            enterKeyHint="next"
            help={help("dateOfLastUpgrade")}
            isRequired
            label={labels.dateOfLastUpgrade}
            max={today}
            name="dateOfLastUpgrade"
          />
          <TextField {...required("numberOfStaffTrainedInSmartCare")} enterKeyHint="next" inputMode="numeric" />
          <LocationField
            key={`${isLocated}`}
            form={form}
            isLocated={isLocated}
            registered={registered}
            error={errors.latitude?.message ?? errors.longitude?.message}
          />
          <div className="is-wide">
            <TextAreaField {...text("otherIssues")} help={help("otherIssues")} />
          </div>
        </div>
      </div>
      <ServiceAreasSection
        form={form}
        areaName={areaName}
        lastVisit={lastVisit}
        libraries={`${id}-library`}
        databases={`${id}-database`}
      />
    </FormSection>
  );
}
