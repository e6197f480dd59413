import { Classes } from "@blueprintjs/core";
import { useEffect, useId } from "react";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import type { FormValues } from "./formValues.ts";
import { usePosition } from "./usePosition.ts";
import type { Position } from "./usePosition.ts";

type LocationFieldProps = {
  form: UseFormReturn<FormValues>;
  /** whether the device tells where it is */
  isLocated: boolean;
  error?: string;
};

function note(position: Position): string {
  switch (position.state) {
    case "off":
      return "";
    case "asking":
      return "Looking for the device's position …";
    case "known":
      return `Accurate to ${Math.round(position.accuracy)} m.`;
    case "refused":
      return position.reason;
  }
}

/** Where the assessment was made: read only, kept current by the device. */
export function LocationField({ form: { control, setValue }, isLocated, error }: LocationFieldProps) {
  const id = useId();
  const [latitude, longitude] = useWatch({ control, name: ["latitude", "longitude"] });
  const position = usePosition(isLocated);
  useEffect(() => {
    if (position.state !== "known") return;
    setValue("latitude", position.latitude);
    setValue("longitude", position.longitude);
  }, [position, setValue]);
  const isKnown = latitude !== null && longitude !== null;
  return (
    <div className="location-field">
      <label htmlFor={id}>GPS location</label>
      <input
        aria-describedby={`${id}-note`}
        aria-invalid={error ? true : undefined}
        className={`${Classes.INPUT} ${Classes.FILL}`}
        id={id}
        placeholder="Not recorded"
        readOnly
        value={isKnown ? `${latitude.toFixed(4)}, ${longitude.toFixed(4)}` : ""}
      />
      <p className="form-note" id={`${id}-note`} role="status">
        {error ?? note(position)}
      </p>
    </div>
  );
}
