import { sql } from "kysely";

import type { Handle } from "../connect.ts";

/** How far a person has written, as places in PostgreSQL's log of changes (WAL): what a replica must have replayed to show it. */

/** Of `app_user`: the place that all they wrote lies before; null when nothing was noted. */
export const lastWrite = sql<string | null>`(select position::text from last_write where last_write.user_uuid = app_user.user_uuid)`;

/** Notes that a person has written until now. To be called after the commit; the primary's place is taken under the row's lock, so it only grows. */
export async function upsertLastWrite(handle: Handle, { userUuid }: { userUuid: string }): Promise<void> {
  await handle
    .insertInto("lastWrite")
    .values({ userUuid, position: sql<string>`pg_current_wal_insert_lsn()` })
    .onConflict((conflict) => conflict.column("userUuid").doUpdateSet({ position: sql<string>`pg_current_wal_insert_lsn()` }))
    .execute();
}
