import { useCallback, useEffect, useState } from "react";
import { now } from "../shell/clock/clock.ts";
import { replaces } from "./fix.ts";
import type { Fix } from "./fix.ts";

export type Position =
  | { state: "off" | "asking" }
  | { state: "known"; fix: Fix }
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
const serverInstant = (timestamp: number): string => new Date(now().getTime() - Math.max(0, Date.now() - timestamp)).toISOString();

const fixOf = ({ coords: { latitude, longitude, accuracy }, timestamp }: GeolocationPosition): Fix => ({
  latitude,
  longitude,
  accuracy,
  at: serverInstant(timestamp),
});

/** Where the device is, watched while a new assessment is filled in, and how to ask for it again. `held`: the fix with which the form begins. */
export function usePosition(isWatching: boolean, held: Fix | null): { position: Position; retry: () => void } {
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
        setPosition((present) => (replaces(fix, present.state === "known" ? present.fix : null) ? { state: "known", fix } : present));
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

  return { position: isWatching ? position : { state: "off" }, retry };
}
