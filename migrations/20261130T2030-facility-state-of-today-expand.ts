import { type Kysely, sql } from "kysely";

/**
 * `facility_state_present` answers what this index did. PostgreSQL preferred the smaller one, and then read a page of
 * the table for each facility.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index if exists facility_state_of_today`.execute(db);
}
