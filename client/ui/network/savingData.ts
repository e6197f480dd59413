import { useSyncExternalStore } from "react";

/**
 * Whether this device saves data: nothing is fetched ahead then, and charts only on request. It is what the browser says (Save-Data,
 * prefers-reduced-data), until the person chooses.
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

/** Chosen in this window, where the device keeps nothing. */
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

/** Whether data is saved, and how to switch; the choice is kept on the device. */
export function useSavingData(): [isSaving: boolean, choose: (isSaving: boolean) => void] {
  const isSaving = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, isSavingData);
  return [isSaving, choose];
}
