import { type Kysely, sql } from "kysely";

/** Rollouts: which sites shall come to which version, and what sites reported about the files that they applied. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rollout (
      rollout_uuid uuid primary key,
      version text collate "C" not null check (version ~ '[0-9]' and char_length(version) <= 64),
      channel text collate "C" not null check (channel in ('pilot', 'general')),
      province_ids integer[] not null,
      district_ids integer[] not null,
      implementing_partner_ids integer[] not null,
      by_list boolean not null,
      percentage smallint not null check (percentage between 1 and 100),
      start_day date not null,
      paused_at timestamptz,
      resumed_at timestamptz,
      ended_at timestamptz,
      created_at timestamptz not null default now(),
      user_uuid uuid not null references app_user
    )`.execute(db);
  await sql`create index rollout_that_runs on rollout (start_day) where ended_at is null`.execute(db);
  await sql`
    create table rollout_facility (
      rollout_uuid uuid not null references rollout on delete cascade,
      facility_uuid text collate "C" not null references facility on delete cascade on update cascade,
      primary key (rollout_uuid, facility_uuid)
    )`.execute(db);
  await sql`create index rollout_facility_by_facility on rollout_facility (facility_uuid)`.execute(db);
  await sql`
    create table update_report (
      report_uuid uuid primary key,
      facility_uuid text collate "C" not null references facility on delete cascade on update cascade,
      download_uuid uuid not null references download on delete cascade,
      rollout_uuid uuid references rollout on delete set null,
      outcome text collate "C" not null check (outcome in ('applied', 'failed')),
      why text check (char_length(why) <= 512),
      due_day date not null,
      reported_at timestamptz not null default now(),
      user_uuid uuid not null references app_user
    )`.execute(db);
  await sql`create index update_report_of_facility on update_report (facility_uuid, reported_at, report_uuid)`.execute(
    db,
  );
  await sql`create index update_report_of_download on update_report (download_uuid, outcome, reported_at)`.execute(db);
  await sql`create index update_report_of_rollout on update_report (rollout_uuid) where rollout_uuid is not null`.execute(
    db,
  );
}
