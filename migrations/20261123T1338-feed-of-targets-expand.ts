import { type Kysely, sql } from "kysely";

/** The feed of changes tells of targets too. What is there already begins here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table change drop constraint change_kind_check`.execute(db);
  await sql`
    alter table change add constraint change_kind_check check (kind in (
      'facility', 'facilitySettings', 'facilityConnectivity', 'assessment', 'tdb', 'province', 'district', 'implementingPartner', 'user', 'download', 'target'))`.execute(
    db,
  );
  await sql`
    insert into change (kind, key, created_in, withdrawn)
    select 'target', target_uuid::text, pg_current_xact_id(), false from target`.execute(db);
}
