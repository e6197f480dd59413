import { useSyncExternalStore } from "react";
import type { Content } from "../../gateway/assessment/content.rules.ts";
import type { FormValues } from "./formValues.ts";

/**
 * Work on assessments that is kept on this device until the server has it: what is being typed (a draft), what waits to be sent,
 * and what the server sent back. Each person sees their own only. localStorage, because it is written before a crash can come.
 */
export type KeptWork = {
  userUuid: string;
  facilityUuid: string;
  facilityName: string;
  /** made here for a new assessment, so that sending it twice stores it once */
  assessmentUuid: string;
  /** whether it belongs to the screen of a new assessment: not, once the server turned out to have one of this uuid */
  isNew: boolean;
  values: FormValues;
  /** the state that was edited; null where none was: a new assessment */
  base: { version: number; content: Content } | null;
  status: "draft" | "waiting" | "returned";
  /** why it was returned */
  message?: string;
  /** an instant, ISO 8601 */
  keptAt: string;
};

const prefix = "assessment:";
const keyOf = ({ userUuid, assessmentUuid }: Pick<KeptWork, "userUuid" | "assessmentUuid">) => `${prefix}${userUuid}:${assessmentUuid}`;

const listeners = new Set<() => void>();
let known = new Map<string, KeptWork[]>();

function changed(): void {
  known = new Map();
  for (const listener of listeners) listener();
}

window.addEventListener("storage", ({ key }) => {
  if (key === null || key.startsWith(prefix)) changed();
});

function read(userUuid: string): KeptWork[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(`${prefix}${userUuid}:`))
      .map((key) => JSON.parse(localStorage.getItem(key)!) as KeptWork)
      .toSorted((a, b) => (a.keptAt < b.keptAt ? -1 : 1));
  } catch {
    return [];
  }
}

/** A person's kept work, the oldest first. */
export function listKeptWork(userUuid: string): KeptWork[] {
  const list = known.get(userUuid) ?? read(userUuid);
  known.set(userUuid, list);
  return list;
}

/** Keeps work; false where this device cannot. */
export function keepWork(work: Omit<KeptWork, "keptAt">): boolean {
  try {
    localStorage.setItem(keyOf(work), JSON.stringify({ ...work, keptAt: new Date().toISOString() }));
    changed();
    return true;
  } catch {
    return false;
  }
}

/** Forgets work that the server has, or that nobody wants. */
export function forgetWork(work: Pick<KeptWork, "userUuid" | "assessmentUuid">): void {
  try {
    localStorage.removeItem(keyOf(work));
    changed();
  } catch {
    // Nothing could have been kept.
  }
}

/** Calls back when another window forgets this work; returns how to stop. */
export function onForgottenElsewhere(work: Pick<KeptWork, "userUuid" | "assessmentUuid">, listener: () => void): () => void {
  const heard = ({ key, newValue }: StorageEvent) => {
    if (key === keyOf(work) && newValue === null) listener();
  };
  window.addEventListener("storage", heard);
  return () => window.removeEventListener("storage", heard);
}

/** A person's kept work, and whatever becomes of it in this window or another one. */
export function useKeptWork(userUuid: string): KeptWork[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => listKeptWork(userUuid),
  );
}
