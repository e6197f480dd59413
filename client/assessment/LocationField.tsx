import { Button, FormGroup, InputGroup, Size } from "@blueprintjs/core";
import { useEffect, useId, useState } from "react";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { useSystem } from "../shell/session/viewer.ts";
import type { Fix } from "./fix.ts";
import { positionOf } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";
import { accuracyText } from "./positionText.ts";
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

/** The fix of a draft that is opened again. One from an older client has no instant: any new fix is better. */
function heldFix({ latitude, longitude, positionAccuracy, positionAt }: FormValues): Fix | null {
  if (latitude === null || longitude === null || positionAccuracy === null || positionAt === null) return null;
  return { latitude, longitude, accuracy: positionAccuracy, at: positionAt };
}

/** Where the assessment was made. Read only: the device fills it in until the first save. */
export function LocationField({ form: { control, getValues, setValue }, isLocated, error }: LocationFieldProps) {
  const id = useId();
  const { timeZone } = useSystem();
  const [latitude, longitude, accuracy, at] = useWatch({ control, name: ["latitude", "longitude", "positionAccuracy", "positionAt"] });
  const [held] = useState(() => heldFix(getValues()));
  const { position, retry } = usePosition(isLocated, held);
  const fix = position.state === "known" ? position.fix : null;
  // Also after a draft was discarded: that empties the field, and a device that has not moved reports no new position.
  useEffect(() => {
    if (!fix || (latitude === fix.latitude && longitude === fix.longitude && at === fix.at)) return;
    const { accuracy: positionAccuracy, at: positionAt, ...place } = fix;
    for (const [name, value] of Object.entries(positionOf({ ...place, positionAccuracy, positionAt })))
      setValue(name as keyof ReturnType<typeof positionOf>, value);
  }, [fix, latitude, longitude, at, setValue]);
  const isKnown = latitude !== null && longitude !== null;
  return (
    <FormGroup
      helperText={
        <span id={`${id}-note`}>
          {/* Announced once, because the figures beside it change with every step. */}
          <span role="status">{error ?? stateOf(position)}</span> {isKnown ? accuracyText(accuracy, at, timeZone) : null}
        </span>
      }
      label="GPS location"
      labelFor={id}
    >
      <div className="stack is-close">
        <InputGroup
          aria-describedby={`${id}-note`}
          aria-invalid={error ? true : undefined}
          id={id}
          placeholder="Not recorded"
          readOnly
          value={isKnown ? `${latitude.toFixed(4)}, ${longitude.toFixed(4)}` : ""}
        />
        {position.state === "refused" ? (
          <div>
            <Button onClick={retry} size={Size.SMALL} text="Look for the position again" />
          </div>
        ) : null}
      </div>
    </FormGroup>
  );
}
