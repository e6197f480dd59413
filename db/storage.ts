import type { Handle } from "./connect.ts";

/** Those of these keys that a row names. */
export async function listKnownStorageKeys(handle: Handle, { keys }: { keys: string[] }): Promise<string[]> {
  const rows = await handle
    .selectFrom("tdb")
    .select("storageKey")
    .where("storageKey", "in", keys)
    .unionAll(handle.selectFrom("download").select("storageKey").where("storageKey", "in", keys))
    .execute();
  return rows.map(({ storageKey }) => storageKey);
}
