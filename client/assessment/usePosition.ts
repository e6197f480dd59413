import { useCallback, useEffect, useState } from "react";

export type Position =
  | { state: "off" | "asking" }
  | { state: "known"; latitude: number; longitude: number; accuracy: number; foundAt: Date }
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

/** Where the device is, watched while a new assessment is filled in, and how to ask for it again. */
export function usePosition(isWatching: boolean): { position: Position; retry: () => void } {
  const [position, setPosition] = useState<Position>({ state: isWatching ? "asking" : "off" });
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (!isWatching) return;
    if (!("geolocation" in navigator)) {
      setPosition(refused(2));
      return;
    }
    const watch = navigator.geolocation.watchPosition(
      ({ coords: { latitude, longitude, accuracy }, timestamp }) =>
        setPosition({ state: "known", latitude, longitude, accuracy, foundAt: new Date(timestamp) }),
      ({ code }) => setPosition((now) => (now.state === "known" ? now : refused(code))),
      { enableHighAccuracy: true, maximumAge: 10_000, timeout: 30_000 },
    );
    return () => navigator.geolocation.clearWatch(watch);
  }, [isWatching, attempt]);

  const retry = useCallback(() => {
    setPosition((now) => (now.state === "known" ? now : { state: "asking" }));
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

  return { position, retry };
}
