import { useSyncExternalStore } from "react";
import type { SealedRecord } from "../store/database.ts";
import { forgetUnreadable } from "../store/store.ts";

/**
 * Work of this person that cannot be read: it is cut off, of another version, or encrypted with another key. It is set
 * aside.
 */

let aside: SealedRecord[] = [];
const listeners = new Set<() => void>();

/** Sets aside what could not be read. */
export function setAside(records: SealedRecord[]): void {
  if (aside.length === 0 && records.length === 0) return;
  aside = records;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useUnreadableWork = (): SealedRecord[] => useSyncExternalStore(subscribe, () => aside);

/** A stored record as text for a file. */
export function textOfUnreadable(record: SealedRecord): string {
  const base64 = (bytes: ArrayBuffer) =>
    btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(""));
  // As it is, even if it is malformed.
  const plain = (_: string, value: unknown) =>
    value instanceof ArrayBuffer
      ? base64(value)
      : ArrayBuffer.isView(value)
        ? base64(new Uint8Array(value.buffer as ArrayBuffer).slice().buffer)
        : value;
  return JSON.stringify(record, plain, 2);
}

/** Removes a record, after the person has confirmed it. @throws NotKept */
export async function discardUnreadable(record: SealedRecord): Promise<void> {
  await forgetUnreadable(record);
  setAside(aside.filter((one) => one !== record));
}
