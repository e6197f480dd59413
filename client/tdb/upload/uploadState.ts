import { useSyncExternalStore } from "react";
import type { TdbReceipt } from "../../../gateway/tdb/tdb.rules.ts";
import type { Inspection } from "../inspectFile.ts";

/**
 * The state of this window's uploads, which outlives the screens that show it. The code that changes it is fetched with
 * the upload screen.
 */

/**
 * A file's state: not started, being sent, paused by the person, received or rejected, or failed for another reason.
 */
type FileState = "chosen" | "waiting" | "sending" | "paused" | "settled";
export type UploadFile = {
  id: number;
  file: File;
  state: FileState;
  inspection?: Inspection;
  /** bytes that the server is known to have */
  there: number;
  receipt?: TdbReceipt;
};
type Outcome = { tone: "pending" | "successful" | "failed" | "warning"; caption: string };
export type Progress = {
  /** acknowledged bytes, and an estimate of those that arrived since */
  sent: number;
  total: number;
  bytesPerSecond?: number;
  /** how long nothing was acknowledged, if that is longer than usual */
  quietSeconds?: number;
  /** why the last attempt failed, until something is acknowledged again */
  trouble?: string;
};
export type Uploads = {
  files: UploadFile[];
  outcome: Outcome;
  receipts: TdbReceipt[];
  /** files that failed for a temporary reason */
  again: File[];
  /** present while a batch is being sent */
  progress?: Progress;
  isPaused: boolean;
  /** the session ended: uploads continue when the same person has signed in again */
  needsSignIn: boolean;
};

export const pending: Outcome = { tone: "pending", caption: "Upload" };
const none: Uploads = { files: [], outcome: pending, receipts: [], again: [], isPaused: false, needsSignIn: false };

let uploads = none;
const listeners = new Set<() => void>();

export const currentUploads = (): Uploads => uploads;

export function changeUploads(change: Partial<Uploads>): void {
  uploads = { ...uploads, ...change };
  for (const listener of listeners) listener();
}

/** Changes one of the files. */
export const changeFile = (id: number, change: Partial<UploadFile>): void =>
  changeUploads({ files: uploads.files.map((one) => (one.id === id ? { ...one, ...change } : one)) });

/** Clears everything, also file names. */
export const resetUploads = (): void => changeUploads({ ...none, progress: undefined });

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The present state of this window's uploads. */
export const useUploads = (): Uploads => useSyncExternalStore(subscribe, currentUploads);
