import { Button, Classes, Size } from "@blueprintjs/core";
import { useEffect, useId, useMemo } from "react";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import type { FormValues } from "./formValues.ts";
import { usePosition } from "./usePosition.ts";
import type { Position } from "./usePosition.ts";

type LocationFieldProps = {
  form: UseFormReturn<FormValues>;
  /** whether the device reports its position */
  isLocated: boolean;
  error?: string;
};

function stateOf(position: Position): string {
  switch (position.state) {
    case "off":
      return "";
    case "asking":
      return "Looking for the device's position …";
    case "known":
      return "Position found.";
    case "refused":
      return `${position.reason} You can save without it.`;
  }
}

/** Where the assessment was made. Read only: the device fills it in. */
export function LocationField({ form: { control, setValue }, isLocated, error }: LocationFieldProps) {
  const id = useId();
  const [latitude, longitude] = useWatch({ control, name: ["latitude", "longitude"] });
  const { position, retry } = usePosition(isLocated);
  // Also after a draft was discarded: that empties the field, and a device that has not moved reports no new position.
  useEffect(() => {
    if (position.state !== "known" || (latitude === position.latitude && longitude === position.longitude)) return;
    setValue("latitude", position.latitude);
    setValue("longitude", position.longitude);
  }, [position, latitude, longitude, setValue]);
  // By the device's own clock, which the person sees beside it.
  const clock = useMemo(() => new Intl.DateTimeFormat("en-GB", { timeStyle: "short" }), []);
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
      <div className="form-note" id={`${id}-note`}>
        {/* Announced once, because the figures beside it change with every step. */}
        <span role="status">{error ?? stateOf(position)}</span>
        {position.state === "known" ? ` Accurate to ${Math.round(position.accuracy)} m, at ${clock.format(position.foundAt)}.` : null}
      </div>
      {position.state === "refused" ? <Button onClick={retry} size={Size.SMALL} text="Look for the position again" /> : null}
    </div>
  );
}
