import type { Handle } from "../../db/engine/connect.ts";
import { listKnownStorageKeys } from "../../db/system/storage.ts";
import type { Files } from "./files.ts";
import { removeStale } from "./staging.ts";

/** Removes what a killed gateway left behind, and abandoned uploads. */

const hour = 60 * 60 * 1000;
/** Longer than the time between the last byte of any file and its row. */
const settledMs = 6 * hour;
const batch = 500;

/** A running gateway marks the files that it uses more often (staging.ts). */
const leftMs = hour / 2;

/**
 * Removes files that arrived incompletely, or were not yet stored, at a gateway that was killed: nobody has written to
 * them, or marked them, for half an hour, or for longer than the longest pause that a sender may make.
 *
 * @returns how many files it removed
 */
export const sweepIncoming = ({ staging }: Pick<Files, "staging">, idleSeconds: number): Promise<number> =>
  removeStale(staging.incoming, Math.max(leftMs, 2 * idleSeconds * 1000));

/**
 * Removes partial uploads that have received nothing for `keepHours`. Also removes files that nobody has written to, or
 * marked, for `afterMs`: files in the staging folder, and stored files without a row.
 *
 * @returns how many files it removed
 */
export async function sweepFiles(
  handle: Handle,
  { storage, staging, parts }: Files,
  { keepHours, afterMs = settledMs }: { keepHours: number; afterMs?: number },
): Promise<number> {
  let removed = (await parts.removeStale(keepHours * hour)) + (await removeStale(staging.incoming, afterMs));
  const sweep = async (keys: string[]) => {
    if (keys.length === 0) return;
    const known = new Set(await listKnownStorageKeys(handle, { keys }));
    for (const key of keys.filter((each) => !known.has(each))) {
      await storage.remove(key);
      removed += 1;
    }
  };
  let keys: string[] = [];
  for await (const { key, storedAt } of storage.list()) {
    if (Date.now() - storedAt.getTime() < afterMs) continue;
    keys.push(key);
    if (keys.length < batch) continue;
    await sweep(keys);
    keys = [];
  }
  await sweep(keys);
  return removed;
}
