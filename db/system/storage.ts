import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/** Which of these storage keys belong to a row whose content was not removed. */
export async function listKnownStorageKeys(handle: Handle, { keys }: { keys: string[] }): Promise<string[]> {
  const rows = await handle
    .selectFrom("tdb")
    .select("storageKey")
    .where("storageKey", "in", keys)
    .where("contentRemovedAt", "is", null)
    .unionAll(
      handle
        .selectFrom("download")
        .select("storageKey")
        .where("storageKey", "in", keys)
        .where("contentRemovedAt", "is", null),
    )
    .execute();
  return rows.map(({ storageKey }) => storageKey);
}

/** How many stored files the rows refer to; 0 in a database that was not migrated yet. */
export async function countStoredFiles(handle: Handle): Promise<number> {
  const { rows } = await sql<{
    migrated: boolean;
  }>`select to_regclass('tdb') is not null and to_regclass('download') is not null as migrated`.execute(handle);
  if (!rows[0]!.migrated) return 0;
  const counted = await sql<{
    files: number;
  }>`select (select count(*) from tdb where content_removed_at is null) + (select count(*) from download where content_removed_at is null) as files`.execute(
    handle,
  );
  return counted.rows[0]!.files;
}
