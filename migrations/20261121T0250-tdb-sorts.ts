import { type Kysely, sql } from "kysely";

/** Lists of TDBs by their day of creation and by size. (By facility name, the facility's own index leads.) */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index tdb_list_by_creation on tdb (tdb_created_at, tdb_uuid)`.execute(db);
  await sql`create index tdb_list_by_size on tdb (file_size, tdb_uuid)`.execute(db);
}
