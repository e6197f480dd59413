import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  // A facility's latest TDB as at a day: of each finished period that lies before it.
  await sql`create index tdb_rollup_of_facility on tdb_rollup (facility_uuid, period, period_start)`.execute(db);
  // It answers what this one did.
  await sql`drop index tdb_rollup_by_facility`.execute(db);
}
