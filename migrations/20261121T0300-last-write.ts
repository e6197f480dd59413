import { type Kysely, sql } from "kysely";

/**
 * Where in the log of changes (WAL) a person's last write lies before: a replica that has replayed so far shows it to them.
 * Written only where a gateway reads from a replica.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table last_write (
    user_uuid uuid primary key references app_user,
    position pg_lsn not null
  ) with (fillfactor = 50)`.execute(db);
}
