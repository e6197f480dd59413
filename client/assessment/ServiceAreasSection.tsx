import { Button, Callout } from "@blueprintjs/core";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { AnswerField } from "../ui/field/AnswerField.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { counted } from "../ui/text/counted.ts";
import { fillVersions, fillWorks } from "./carried.ts";
import { CarriedNote } from "./CarriedNote.tsx";
import { labels } from "./fieldLabels.ts";
import { headingIdOf, sections } from "./formSections.ts";
import type { FormValues } from "./formValues.ts";
import { useIsShown } from "./useSteps.ts";
import { useTextFields } from "./useTextFields.ts";
import "./ServiceAreasSection.css";

type ServiceAreasSectionProps = {
  form: UseFormReturn<FormValues>;
  areaName: (serviceAreaId: number) => string;
  /** The ids of the known versions' `Suggestions`. */
  libraries: string;
  databases: string;
};

/** Typing in one area must not render all areas again. */
const idsOf = (areas: FormValues["serviceAreaAssessments"]) => areas.map(({ serviceAreaId }) => serviceAreaId);

/** What the assessment says about each of its service areas: a grid with a row for each, on a phone compact rows. */
export function ServiceAreasSection({ form, areaName, libraries, databases }: ServiceAreasSectionProps) {
  const { register, getValues, setValue, clearErrors, control } = form;
  const { errors: all, markOf, areaText } = useTextFields(form);
  const id = headingIdOf("areas");
  const areas = useWatch({ control, name: "serviceAreaAssessments", compute: idsOf });
  const [filled, setFilled] = useState("");
  const leaveOut = (left: number) => {
    clearErrors("serviceAreaAssessments");
    setValue(
      "serviceAreaAssessments",
      getValues("serviceAreaAssessments").filter(({ serviceAreaId }) => serviceAreaId !== left),
      { shouldDirty: true },
    );
  };
  const fill = () => {
    const versions = fillVersions(form);
    setFilled(
      versions.length
        ? `${versions.map(({ part, text }) => `${labels[part]} ${text}`).join(" and ")} in ${counted(areas.length, "area")}`
        : "Enter a version of SmartCare, or of one area, first",
    );
  };
  return (
    <section aria-labelledby={id} className="stack" hidden={!useIsShown("areas")}>
      <h3 id={id} tabIndex={-1}>
        {sections.areas}
      </h3>
      <CarriedNote form={form} group="areas" />
      {areas.length === 0 ? (
        <p className="note">This facility had no active service areas at the time of the visit.</p>
      ) : (
        <div className="row">
          <Button
            onClick={() => setFilled(`Works in ${counted(fillWorks(form), "more area")}`)}
            text="Works everywhere else"
          />
          <Button onClick={fill} text="Same version everywhere" />
          <span className="note" role="status">
            {filled}
          </span>
        </div>
      )}
      <div>
        <div aria-hidden="true" className="area-row area-head note">
          <span>Service area</span>
          <span>{labels.smartCareFunctional}</span>
          <span>{labels.libraryVersion}</span>
          <span>{labels.databaseVersion}</span>
          <span>{labels.additionalNotes}</span>
        </div>
        {areas.map((serviceAreaId, index) => {
          const refused = all.serviceAreaAssessments?.[index]?.serviceAreaId?.message;
          return (
            <div aria-label={areaName(serviceAreaId)} className="area-row" key={serviceAreaId} role="group">
              <h4>{areaName(serviceAreaId)}</h4>
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
              {refused ? (
                <Callout className="area-refused row is-spread" icon={null} intent="danger" role="alert">
                  <p>
                    {areaName(serviceAreaId)} {refused}.
                  </p>
                  {/* Named as the wrong field, because it puts it right: there the focus goes. */}
                  <Button
                    name={`serviceAreaAssessments.${index}.serviceAreaId`}
                    onClick={() => leaveOut(serviceAreaId)}
                    text="Leave it out"
                  />
                </Callout>
              ) : null}
            </div>
          );
        })}
      </div>
    </section>
  );
}
