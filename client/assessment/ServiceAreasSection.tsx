import { Button, Size } from "@blueprintjs/core";
import { useId } from "react";
import { useFormState, useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { AnswerField } from "../ui/AnswerField.tsx";
import { TextAreaField } from "../ui/TextAreaField.tsx";
import { TextField } from "../ui/TextField.tsx";
import { labels } from "./fieldLabels.ts";
import type { FormValues } from "./formValues.ts";

type ServiceAreasSectionProps = {
  form: UseFormReturn<FormValues>;
  areaName: (serviceAreaId: number) => string;
  /** The ids of the known versions' `Suggestions`. */
  libraries: string;
  databases: string;
};

/** What is typed about an area is no reason to draw them all. */
const idsOf = (areas: FormValues["serviceAreaAssessments"]) => areas.map(({ serviceAreaId }) => serviceAreaId);

/** What the assessment says about each of its service areas. */
export function ServiceAreasSection({ form, areaName, libraries, databases }: ServiceAreasSectionProps) {
  const { register, getValues, setValue, clearErrors, control } = form;
  const id = useId();
  const allErrors = useFormState({ control }).errors.serviceAreaAssessments;
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
    <section aria-labelledby={id} className="service-areas">
      <h3 id={id}>Service Areas</h3>
      {areas.length === 0 ? <p className="form-note">This facility had no active service areas at the time of the visit.</p> : null}
      {areas.map((serviceAreaId, index) => {
        const field = `serviceAreaAssessments.${index}` as const;
        const errors = allErrors?.[index];
        return (
          <div aria-label={areaName(serviceAreaId)} className="service-area" key={serviceAreaId} role="group">
            <h4>{areaName(serviceAreaId)}</h4>
            {errors?.serviceAreaId?.message ? (
              <div className="service-area-refused" role="alert">
                <p>
                  {areaName(serviceAreaId)} {errors.serviceAreaId.message}.
                </p>
                <Button autoFocus onClick={() => leaveOut(serviceAreaId)} size={Size.SMALL} text="Leave it out" />
              </div>
            ) : null}
            <div className="form-grid">
              <AnswerField label={labels.smartCareFunctional} field={register(`${field}.smartCareFunctional`)} />
              <TextField
                label={labels.libraryVersion}
                field={register(`${field}.libraryVersion`)}
                error={errors?.libraryVersion?.message}
                suggestions={libraries}
              />
              <TextField
                label={labels.databaseVersion}
                field={register(`${field}.databaseVersion`)}
                error={errors?.databaseVersion?.message}
                suggestions={databases}
              />
              <TextAreaField
                label={labels.additionalNotes}
                field={register(`${field}.additionalNotes`)}
                error={errors?.additionalNotes?.message}
                rows={1}
              />
            </div>
          </div>
        );
      })}
    </section>
  );
}
