import { type Kysely, sql } from "kysely";

/** TDBs that tell a library version, the latest received first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index tdb_list_by_version on tdb (library_version, uploaded_at, tdb_uuid)`.execute(db);
}
