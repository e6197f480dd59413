import { Button, Callout, Size } from "@blueprintjs/core";
import { useId } from "react";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { AnswerField } from "../ui/field/AnswerField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { CarriedNote } from "./CarriedNote.tsx";
import { labels } from "./fieldLabels.ts";
import type { FormValues } from "./formValues.ts";
import { useTextFields } from "./useTextFields.ts";

type ServiceAreasSectionProps = {
  form: UseFormReturn<FormValues>;
  areaName: (serviceAreaId: number) => string;
  /** The ids of the known versions' `Suggestions`. */
  libraries: string;
  databases: string;
};

/** Typing in one area must not render all areas again. */
const idsOf = (areas: FormValues["serviceAreaAssessments"]) => areas.map(({ serviceAreaId }) => serviceAreaId);

/** What the assessment says about each of its service areas. */
export function ServiceAreasSection({ form, areaName, libraries, databases }: ServiceAreasSectionProps) {
  const { register, getValues, setValue, clearErrors, control } = form;
  const { errors: all, markOf, areaText } = useTextFields(form);
  const id = useId();
  const areas = useWatch({ control, name: "serviceAreaAssessments", compute: idsOf });
  const leaveOut = (left: number) => {
    clearErrors("serviceAreaAssessments");
    setValue(
      "serviceAreaAssessments",
      getValues("serviceAreaAssessments").filter(({ serviceAreaId }) => serviceAreaId !== left),
      { shouldDirty: true },
    );
  };
  return (
    <section aria-labelledby={id} className="stack">
      <h3 id={id}>Service Areas</h3>
      <CarriedNote form={form} group="areas" />
      {areas.length === 0 ? (
        <p className="note">This facility had no active service areas at the time of the visit.</p>
      ) : null}
      {areas.map((serviceAreaId, index) => {
        const refused = all.serviceAreaAssessments?.[index]?.serviceAreaId?.message;
        return (
          <div aria-label={areaName(serviceAreaId)} className="service-area stack" key={serviceAreaId} role="group">
            <h4>{areaName(serviceAreaId)}</h4>
            {refused ? (
              <Callout className="row is-spread" icon={null} intent="danger" role="alert">
                <p>
                  {areaName(serviceAreaId)} {refused}.
                </p>
                <Button autoFocus onClick={() => leaveOut(serviceAreaId)} size={Size.SMALL} text="Leave it out" />
              </Callout>
            ) : null}
            <div className="grid is-half">
              <AnswerField
                label={labels.smartCareFunctional}
                field={register(`serviceAreaAssessments.${index}.smartCareFunctional`)}
                mark={markOf(`serviceAreaAssessments.${serviceAreaId}.smartCareFunctional`)}
              />
              <TextField
                {...areaText(index, serviceAreaId, "libraryVersion")}
                enterKeyHint="next"
                inputMode="decimal"
                suggestions={libraries}
              />
              <TextField
                {...areaText(index, serviceAreaId, "databaseVersion")}
                enterKeyHint="next"
                inputMode="decimal"
                suggestions={databases}
              />
              <TextAreaField {...areaText(index, serviceAreaId, "additionalNotes")} rows={1} />
            </div>
          </div>
        );
      })}
    </section>
  );
}
