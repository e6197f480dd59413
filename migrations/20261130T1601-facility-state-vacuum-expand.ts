import { type Kysely, sql } from "kysely";

/**
 * An index answers alone only for pages without changes since the last vacuum. Vacuums the states after some thousand
 * saves, not after a fifth of all rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table facility_state set (autovacuum_vacuum_scale_factor = 0.01)`.execute(db);
}
