import type { Handle } from "../../db/engine/connect.ts";
import { listKnownStorageKeys } from "../../db/storage.ts";
import type { Files } from "./files.ts";
import { removeStale } from "./staging.ts";

/** Removes what a killed gateway left behind, and abandoned uploads. */

const hour = 60 * 60 * 1000;
/** Longer than any file is on its way from its last byte to its row. */
const settledMs = 6 * hour;
const batch = 500;

/** A running gateway marks the files that it uses more often (staging.ts). */
const leftMs = hour / 2;

/**
 * Removes what arrived in part, or was not yet kept, at a gateway that was killed: nobody has written to it, or marked it, for half an
 * hour, or longer than a pause of its sender may take.
 *
 * @returns how many files it removed
 */
export const sweepIncoming = ({ staging }: Pick<Files, "staging">, idleSeconds: number): Promise<number> =>
  removeStale(staging.incoming, Math.max(leftMs, 2 * idleSeconds * 1000));

/**
 * Removes partial uploads to which nothing came for `keepHours`, and files that arrived or were kept without ever getting a row.
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
