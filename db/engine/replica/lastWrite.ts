import { sql } from "kysely";

import type { Handle } from "../connect.ts";

/**
 * The position of a person's last write in PostgreSQL's write-ahead log (WAL): a replica must have replayed it to show
 * the write.
 */

/** A column for a query of `app_user`: a position after all of the person's writes; null if none was recorded. */
export const lastWrite = sql<
  string | null
>`(select position::text from last_write where last_write.user_uuid = app_user.user_uuid)`;

/**
 * Records that a person has just written. Call it after the commit. The position is read under the row's lock, so it
 * only grows.
 */
export async function upsertLastWrite(handle: Handle, { userUuid }: { userUuid: string }): Promise<void> {
  await handle
    .insertInto("lastWrite")
    .values({ userUuid, position: sql<string>`pg_current_wal_insert_lsn()` })
    .onConflict((conflict) =>
      conflict.column("userUuid").doUpdateSet({ position: sql<string>`pg_current_wal_insert_lsn()` }),
    )
    .execute();
}
