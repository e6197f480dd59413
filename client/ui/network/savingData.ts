import { useSyncExternalStore } from "react";

/**
 * Whether data saving is on for this device. Then nothing is fetched in advance, and charts only on request. The
 * default is the browser's setting (Save-Data, prefers-reduced-data), until the person chooses.
 */

const key = "saving-data";
const listeners = new Set<() => void>();

function chosen(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The choice in this window, also on a device that stores nothing. */
let chosenHere: string | null = chosen();

export function isSavingData(): boolean {
  if (chosenHere !== null) return chosenHere === "on";
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true || matchMedia("(prefers-reduced-data: reduce)").matches;
}

function choose(isSaving: boolean): void {
  chosenHere = isSaving ? "on" : "off";
  try {
    localStorage.setItem(key, chosenHere);
  } catch {
    // The choice then lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

/** Whether data saving is on, and a function that switches it. The choice is stored on the device. */
export function useSavingData(): [isSaving: boolean, choose: (isSaving: boolean) => void] {
  const isSaving = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, isSavingData);
  return [isSaving, choose];
}
