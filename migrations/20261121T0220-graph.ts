import { type Kysely, sql } from "kysely";

/** What filters and orders of lists ask: a facility's roll-up of its latest year, facilities by code, people by surname and age. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index assessment_rollup_latest_of_facility on assessment_rollup (facility_uuid, period, period_start desc)`.execute(db);
  await sql`drop index assessment_rollup_by_facility`.execute(db);
  await sql`
    create index facility_list_by_code on facility (coalesce(hmis_code, ''), facility_name, facility_uuid)`.execute(db);
  await sql`create index app_user_list_by_surname on app_user (surname, user_uuid)`.execute(db);
  await sql`create index app_user_list_by_creation on app_user (created_at, user_uuid)`.execute(db);
}
