import { Button, Callout } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
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
import type { LastVisit } from "./lastVisit.ts";
import { focusField, useIsShown } from "./useSteps.ts";
import { useTextFields } from "./useTextFields.ts";
import "./ServiceAreasSection.css";

type ServiceAreasSectionProps = {
  form: UseFormReturn<FormValues>;
  areaName: (serviceAreaId: number) => string;
  lastVisit: LastVisit | null;
  /** The ids of the known versions' `Suggestions`. */
  libraries: string;
  databases: string;
};

/** Typing in one area must not render all areas again. */
const idsOf = (areas: FormValues["serviceAreaAssessments"]) => areas.map(({ serviceAreaId }) => serviceAreaId);

const hasAnswer = (area: FormValues["serviceAreaAssessments"][number] | undefined): boolean =>
  Boolean(area && (area.smartCareFunctional || area.libraryVersion || area.databaseVersion || area.additionalNotes));

/** What the assessment says about each of its service areas: a grid with a row for each, on a phone compact rows. */
export function ServiceAreasSection({ form, areaName, lastVisit, libraries, databases }: ServiceAreasSectionProps) {
  const { getValues, setValue, clearErrors, control } = form;
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
      <CarriedNote form={form} lastVisit={lastVisit} section="areas" />
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
        {areas.map((serviceAreaId, index) => (
          <AreaRow
            databases={databases}
            form={form}
            index={index}
            key={serviceAreaId}
            libraries={libraries}
            name={areaName(serviceAreaId)}
            onLeaveOut={() => leaveOut(serviceAreaId)}
            serviceAreaId={serviceAreaId}
          />
        ))}
      </div>
    </section>
  );
}

type AreaRowProps = Pick<ServiceAreasSectionProps, "form" | "libraries" | "databases"> & {
  index: number;
  serviceAreaId: number;
  name: string;
  onLeaveOut: () => void;
};

/** One area. Its versions and its note are asked once it has an answer, or when somebody opens them. */
function AreaRow({ form, index, serviceAreaId, name, libraries, databases, onLeaveOut }: AreaRowProps) {
  const { register, control } = form;
  const { errors, markOf, areaText } = useTextFields(form);
  const refused = errors.serviceAreaAssessments?.[index]?.serviceAreaId?.message;
  const isAnswered = useWatch({ control, name: `serviceAreaAssessments.${index}`, compute: hasAnswer });
  const [isOpen, setOpen] = useState(isAnswered);
  // It stays open when its only answer is taken back.
  if (isAnswered && !isOpen) setOpen(true);
  return (
    <div aria-label={name} className="area-row" role="group">
      <h4>{name}</h4>
      <AnswerField
        label={labels.smartCareFunctional}
        field={register(`serviceAreaAssessments.${index}.smartCareFunctional`)}
        mark={markOf(`serviceAreaAssessments.${serviceAreaId}.smartCareFunctional`)}
      />
      {isOpen ? (
        <>
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
        </>
      ) : (
        <Button
          aria-label={`Versions and notes: ${name}`}
          className="area-open"
          icon={<AddIcon />}
          onClick={() => {
            setOpen(true);
            requestAnimationFrame(() => focusField(`serviceAreaAssessments.${index}.libraryVersion`));
          }}
          text="Versions and notes"
          variant="minimal"
        />
      )}
      {refused ? (
        <Callout className="area-refused row is-spread" icon={null} intent="danger" role="alert">
          <p>
            {name} {refused}.
          </p>
          {/* Named as the wrong field, because it puts it right: there the focus goes. */}
          <Button name={`serviceAreaAssessments.${index}.serviceAreaId`} onClick={onLeaveOut} text="Leave it out" />
        </Callout>
      ) : null}
    </div>
  );
}
