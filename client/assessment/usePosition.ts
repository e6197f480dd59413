import { useEffect, useState } from "react";

export type Position =
  | { state: "off" | "asking" }
  | { state: "known"; latitude: number; longitude: number; accuracy: number }
  | { state: "refused"; reason: string };

const reasons: Record<number, string> = {
  1: "This device may not tell its position: allow it in the browser's settings if you want it recorded. You can save without it.",
  2: "The device cannot find its position at the moment. You can save without it.",
  3: "The device is still looking for its position. You can save without it.",
};

/** Where the device is, watched while a new assessment is filled in. */
export function usePosition(isWatching: boolean): Position {
  const [position, setPosition] = useState<Position>({ state: isWatching ? "asking" : "off" });
  useEffect(() => {
    if (!isWatching) return;
    if (!("geolocation" in navigator)) {
      setPosition({ state: "refused", reason: reasons[2]! });
      return;
    }
    const watch = navigator.geolocation.watchPosition(
      ({ coords: { latitude, longitude, accuracy } }) => setPosition({ state: "known", latitude, longitude, accuracy }),
      ({ code }) => setPosition((now) => (now.state === "known" ? now : { state: "refused", reason: reasons[code] ?? reasons[2]! })),
      { enableHighAccuracy: true, maximumAge: 10_000, timeout: 30_000 },
    );
    return () => navigator.geolocation.clearWatch(watch);
  }, [isWatching]);
  return position;
}
