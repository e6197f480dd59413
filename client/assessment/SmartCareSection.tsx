import { useId } from "react";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import type { Content } from "../../gateway/assessment/content.rules.ts";
import { type Unusual, unusualIn } from "../../gateway/assessment/unusual.rules.ts";
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
import { contentOfForm } from "./formValues.ts";
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

type UnusualWordsProps = {
  form: UseFormReturn<FormValues>;
  name: Unusual["field"];
  previous: Content | null;
  today: string;
};

/** Says of an answer that it is far from usual while it is typed: the people of the site can still be asked. */
function UnusualWords({ form, name, previous, today }: UnusualWordsProps) {
  const found = useWatch({
    control: form.control,
    compute: (values) => unusualIn(contentOfForm(values), previous, today).find(({ field }) => field === name)?.reason,
  });
  return (
    <span className="warn" role="status">
      {found === undefined ? null : ` Unusual: ${found}.`}
    </span>
  );
}

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
  /** with what answers are compared: the last visit's, or those before a correction */
  previous: Content | null;
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
  previous,
  today,
}: SmartCareSectionProps) {
  const { register } = form;
  const { errors, text } = useTextFields(form);
  const id = useId();
  const help = (name: OfferedName) => <LastAnswerWords form={form} lastVisit={lastVisit} name={name} />;
  const helpAndUnusual = (name: Unusual["field"]) => (
    <>
      {help(name)}
      <UnusualWords form={form} name={name} previous={previous} today={today} />
    </>
  );
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
            help={helpAndUnusual("dateOfLastUpgrade")}
            isRequired
            label={labels.dateOfLastUpgrade}
            max={today}
            name="dateOfLastUpgrade"
          />
          <TextField
            {...required("numberOfStaffTrainedInSmartCare")}
            enterKeyHint="next"
            help={helpAndUnusual("numberOfStaffTrainedInSmartCare")}
            inputMode="numeric"
          />
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
