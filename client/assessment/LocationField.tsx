import { Button, Callout, FormGroup, InputGroup, Size } from "@blueprintjs/core";
import { useCallback, useEffect, useId, useState } from "react";
import { useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { now } from "../shell/clock/clock.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { TextField } from "../ui/field/TextField.tsx";
import { metresBetween } from "../../gateway/facility/distance.rules.ts";
import { distanceText } from "../ui/text/distance.ts";
import type { Place } from "../../gateway/facility/distance.rules.ts";
import { replaces } from "./fix.ts";
import type { Fix } from "./fix.ts";
import { positionOf } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";
import { accuracyText, farMetres, registeredText } from "./positionText.ts";
import { useTextFields } from "./useTextFields.ts";

/** `other`: a later fix that did not replace it. */
type Position =
  | { state: "off" | "asking" }
  | { state: "known"; fix: Fix; other?: Fix }
  | { state: "refused"; reason: string };

const notAllowed = 1;
const reasons: Record<number, string> = {
  [notAllowed]:
    "This browser may not read your position. To have it recorded, allow the location for this site (the sign before the address) and for the browser in the device's settings.",
  2: "The device cannot find its position at the moment. Outside it is found more easily.",
  3: "The device is still looking for its position. Outside it is found more easily.",
};
const insecure = "The browser gives the position only to an address that begins with https.";

const refused = (code: number): Position => ({
  state: "refused",
  reason: (code === notAllowed && !isSecureContext ? insecure : reasons[code]) ?? reasons[2]!,
});

/** The instant of a fix, from the device's clock to the server's. A fix cannot be of the future. */
const serverInstant = (timestamp: number): string =>
  new Date(now().getTime() - Math.max(0, Date.now() - timestamp)).toISOString();

const fixOf = ({ coords: { latitude, longitude, accuracy }, timestamp }: GeolocationPosition): Fix => ({
  latitude,
  longitude,
  accuracy,
  at: serverInstant(timestamp),
});

/**
 * Where the device is, watched while a new assessment is filled in, how to ask for it again, and how to take a fix that
 * did not replace the present one. `held`: the fix with which the form begins.
 */
function usePosition(isWatching: boolean, held: Fix | null) {
  const [position, setPosition] = useState<Position>(() => {
    if (held) return { state: "known", fix: held };
    return "geolocation" in navigator || !isWatching ? { state: "asking" } : refused(2);
  });
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (!isWatching || !("geolocation" in navigator)) return;
    const watch = navigator.geolocation.watchPosition(
      (found) => {
        const fix = fixOf(found);
        setPosition((present) =>
          present.state !== "known" || replaces(fix, present.fix)
            ? { state: "known", fix }
            : { ...present, other: fix },
        );
      },
      ({ code }) => setPosition((present) => (present.state === "known" ? present : refused(code))),
      { enableHighAccuracy: true, maximumAge: 10_000, timeout: 30_000 },
    );
    return () => navigator.geolocation.clearWatch(watch);
  }, [isWatching, attempt]);

  const retry = useCallback(() => {
    setPosition((present) => (present.state === "known" ? present : { state: "asking" }));
    setAttempt((made) => made + 1);
  }, []);

  // If the person allows it in the browser's settings, the position is requested again by itself.
  useEffect(() => {
    if (!isWatching || !("permissions" in navigator)) return;
    let permission: PermissionStatus | undefined;
    let isGone = false;
    navigator.permissions.query({ name: "geolocation" }).then(
      (found) => {
        if (isGone) return;
        permission = found;
        found.addEventListener("change", retry);
      },
      () => {
        // A browser that does not report this change shows the button instead.
      },
    );
    return () => {
      isGone = true;
      permission?.removeEventListener("change", retry);
    };
  }, [isWatching, retry]);

  const take = (fix: Fix) => setPosition({ state: "known", fix });
  return { position: isWatching ? position : ({ state: "off" } as const), retry, take };
}

type LocationFieldProps = {
  form: UseFormReturn<FormValues>;
  /** whether the device reports its position */
  isLocated: boolean;
  /** the facility's registered position */
  registered: Place | null;
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
export function LocationField({ form, isLocated, registered, error }: LocationFieldProps) {
  const { control, getValues, setValue } = form;
  const { text } = useTextFields(form);
  const id = useId();
  const { timeZone } = useSystem();
  const [latitude, longitude, accuracy, at, note] = useWatch({
    control,
    name: ["latitude", "longitude", "positionAccuracy", "positionAt", "positionNote"],
  });
  const [held] = useState(() => heldFix(getValues()));
  const { position, retry, take } = usePosition(isLocated, held);
  const fix = position.state === "known" ? position.fix : null;
  // Also after a draft was discarded: that empties the field, and a device that has not moved reports no new position.
  useEffect(() => {
    if (!fix || (latitude === fix.latitude && longitude === fix.longitude && at === fix.at)) return;
    const { accuracy: positionAccuracy, at: positionAt, ...place } = fix;
    for (const [name, value] of Object.entries(positionOf({ ...place, positionAccuracy, positionAt })))
      setValue(name as keyof ReturnType<typeof positionOf>, value);
  }, [fix, latitude, longitude, at, setValue]);
  const isKnown = latitude !== null && longitude !== null;
  const metres = isKnown && registered ? metresBetween({ latitude, longitude }, registered) : null;
  const isFar = metres !== null && metres >= farMetres;
  const other = position.state === "known" ? position.other : undefined;
  return (
    <FormGroup
      helperText={
        <span id={`${id}-note`}>
          {/* Announced once, because the figures beside it change with every step. */}
          <span role="status">{error ?? stateOf(position)}</span>{" "}
          {isKnown ? accuracyText(accuracy, at, timeZone) : null} {isFar ? null : registeredText(metres)}
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
        {isFar ? (
          <Callout intent="warning" role="status">
            {distanceText(metres)} from the registered position. Is this the right facility, and are you there?
          </Callout>
        ) : null}
        {other ? (
          <div className="row">
            <span className="note">The device now says: {accuracyText(other.accuracy, other.at, timeZone)}</span>
            <Button onClick={() => take(other)} size={Size.SMALL} text="Use this position" />
          </div>
        ) : null}
        {position.state === "refused" ? (
          <div>
            <Button onClick={retry} size={Size.SMALL} text="Look for the position again" />
          </div>
        ) : null}
        {isFar || note || (!isKnown && position.state !== "asking") ? (
          <TextField {...text("positionNote")} enterKeyHint="next" help="Why there is none, or why it is far away" />
        ) : null}
      </div>
    </FormGroup>
  );
}
