import { type Kysely, sql } from "kysely";

/**
 * The state of each facility at the end of each quarter (db/derived/state.ts), and what that adds up to by place. The
 * roll-up of assessments tells when SmartCare and power were last found working.
 */
const answers = ["assessed", "functional", "power", "stopped", "lost_power", "expected", "silent"];
const modes = ["efirst", "efast", "elast", "partial", "not_deployed", "not_operational"];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table assessment_rollup add column functional_at timestamptz, add column power_at timestamptz`.execute(
    db,
  );
  await sql`
    create table facility_state (
      facility_uuid text collate "C" not null references facility on delete cascade on update cascade,
      period_start date not null,
      "until" date,
      assessment_uuid uuid,
      assessed_at timestamptz,
      smart_care_functional boolean not null,
      power_working boolean not null,
      functionality_status_mode text,
      library_version text,
      functional_at timestamptz,
      power_at timestamptz,
      expected boolean not null,
      in_time boolean not null,
      province_id integer not null,
      district_id integer not null,
      implementing_partner_id integer,
      primary key (facility_uuid, period_start)
    )`.execute(db);
  await sql`create index facility_state_of_today on facility_state (facility_uuid) where "until" is null`.execute(db);
  await sql`
    create index facility_state_by_last_visit on facility_state (assessed_at) include (province_id, district_id, implementing_partner_id)
    where "until" is null and assessed_at is not null`.execute(db);
  await sql`create index facility_state_of_province on facility_state (province_id)`.execute(db);
  await sql`
    create table place_state_rollup (
      period_start date not null,
      province_id integer not null,
      district_id integer not null,
      implementing_partner_id integer not null,
      stripe smallint not null,
      ${sql.raw([...answers, ...modes].map((name) => `${name} bigint not null`).join(", "))},
      primary key (district_id, implementing_partner_id, period_start, province_id, stripe)
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index place_state_rollup_of_province on place_state_rollup (province_id)`.execute(db);
  await sql`alter table place_count_rollup drop constraint place_count_rollup_kind_check`.execute(db);
  await sql`
    alter table place_count_rollup add constraint place_count_rollup_kind_check
      check (kind in ('libraryVersion', 'cpuCores', 'os64Bit', 'assessments', 'sites', 'due', 'irregularTdb', 'presentVersion'))`.execute(
    db,
  );
  await sql`
    create index facility_without_position on facility (province_id, district_id, implementing_partner_id)
    where latitude is null or longitude is null`.execute(db);
  // Until all is counted the situation would be that of an empty country (db/derived/recount.ts).
  await sql`
    insert into setting (name, value) select 'derived_rows_missing', 'true'
    where exists (select from assessment) or exists (select from tdb) on conflict (name) do nothing`.execute(db);
}
