import { type Kysely, sql } from "kysely";

/** The feed of changes tells of places, partners, people and downloads too. What is there already begins here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table change drop constraint change_kind_check`.execute(db);
  await sql`
    alter table change add constraint change_kind_check check (kind in (
      'facility', 'facilitySettings', 'facilityConnectivity', 'assessment', 'tdb', 'province', 'district', 'implementingPartner', 'user', 'download'))`.execute(
    db,
  );
  await sql`
    insert into change (kind, key, created_in, withdrawn)
    select 'province', province_id::text, pg_current_xact_id(), false from province union all
    select 'district', district_id::text, pg_current_xact_id(), false from district union all
    select 'implementingPartner', implementing_partner_id::text, pg_current_xact_id(), false from implementing_partner union all
    select 'user', user_uuid::text, pg_current_xact_id(), false from app_user where kind = 'person' union all
    select 'download', download_uuid::text, pg_current_xact_id(), false from download where withdrawn_at is null`.execute(
    db,
  );
}
