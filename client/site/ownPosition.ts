import { useSyncExternalStore } from "react";
import { onHolder } from "../store/store.ts";
import type { Place } from "../../gateway/facility/distance.rules.ts";

/** Where the device is: asked for by a button, never by itself, and forgotten with the page. */
type OwnPosition = { isAsking: boolean; place?: Place; failure?: string };

const notAllowed = 1;
const refused =
  "This browser may not read your position. Allow the location for this site in the browser's settings, then try again.";
const notFound = "The device cannot find its position at the moment. Outside it is found more easily.";

let position: OwnPosition = { isAsking: false };
const listeners = new Set<() => void>();

function become(next: OwnPosition): void {
  position = next;
  for (const listener of listeners) listener();
}

/** Asks the device where it is. Resolves when it has answered, or could not. */
export function askPosition(): Promise<void> {
  if (!("geolocation" in navigator)) {
    become({ ...position, isAsking: false, failure: notFound });
    return Promise.resolve();
  }
  const { failure: _, ...before } = position;
  become({ ...before, isAsking: true });
  return new Promise((resolve) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        become({ isAsking: false, place: { latitude, longitude } });
        resolve();
      },
      ({ code }) => {
        become({ ...before, isAsking: false, failure: code === notAllowed ? refused : notFound });
        resolve();
      },
      { enableHighAccuracy: true, maximumAge: 60_000, timeout: 30_000 },
    ),
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useOwnPosition = (): OwnPosition => useSyncExternalStore(subscribe, () => position);

onHolder(() => become({ isAsking: false }));
