import { type Kysely, sql } from "kysely";

/**
 * The charts of TDBs received between two days read the two indexes by receipt and nothing else: these carry what the charts
 * count, so that not one row of the table is fetched for them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index tdb_list_by_receipt`.execute(db);
  await sql`create index tdb_list_by_receipt on tdb (uploaded_at, tdb_uuid) include (facility_uuid, tdb_created_at, total_patients)`.execute(db);
  await sql`drop index tdb_list_by_facility`.execute(db);
  await sql`create index tdb_list_by_facility on tdb (facility_uuid, uploaded_at, tdb_uuid) include (tdb_created_at, total_patients)`.execute(db);
}
