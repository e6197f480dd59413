import { type Kysely, sql } from "kysely";

/**
 * The present state of facilities. Their rows lie apart in a table with a row for each quarter, so this index holds
 * what is asked of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists facility_state_present on facility_state (facility_uuid) include (
      assessment_uuid, assessed_at, smart_care_functional, power_working, functionality_status_mode, library_version,
      functional_at, power_at, not_functional_at, no_power_at, not_recorded_functional, not_recorded_power, expected)
    where "until" is null`.execute(db);
}
