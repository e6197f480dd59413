import { type Kysely, sql } from "kysely";

/**
 * Assessments, their service areas and revisions. `assessed_at` is the time of the visit, `received_at` that of its
 * receipt.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table assessment (
      assessment_uuid uuid primary key,
      facility_uuid text collate "C" not null references facility on update cascade,
      user_uuid uuid not null references app_user,
      assessed_at timestamptz not null,
      primary_power boolean,
      primary_power_working boolean,
      primary_power_notes text check (char_length(primary_power_notes) <= 512),
      backup_power boolean,
      backup_power_working boolean,
      backup_power_notes text check (char_length(backup_power_notes) <= 512),
      smart_care_functional boolean,
      library_version_consistent boolean,
      library_version text check (char_length(library_version) <= 128),
      database_version text check (char_length(database_version) <= 128),
      functionality_status_mode text not null check (functionality_status_mode in ('EFirst', 'EFast', 'ELast', 'NotDeployed', 'Partial', 'NotOperational')),
      date_of_last_upgrade date not null,
      number_of_staff_trained_in_smart_care integer not null check (number_of_staff_trained_in_smart_care >= 0),
      latitude double precision check (latitude between -90 and 90),
      longitude double precision check (longitude between -180 and 180),
      other_issues text check (char_length(other_issues) <= 1024),
      closing_comments text check (char_length(closing_comments) <= 256),
      contact_a_name text check (char_length(contact_a_name) <= 128),
      contact_a_role text check (char_length(contact_a_role) <= 128),
      contact_a_primary_phone text check (char_length(contact_a_primary_phone) <= 15),
      contact_a_secondary_phone text check (char_length(contact_a_secondary_phone) <= 15),
      contact_a_email text check (char_length(contact_a_email) <= 128),
      contact_b_name text check (char_length(contact_b_name) <= 128),
      contact_b_role text check (char_length(contact_b_role) <= 128),
      contact_b_primary_phone text check (char_length(contact_b_primary_phone) <= 15),
      contact_b_secondary_phone text check (char_length(contact_b_secondary_phone) <= 15),
      contact_b_email text check (char_length(contact_b_email) <= 128),
      version integer not null default 1,
      received_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (primary_power is true or primary_power_working is not true),
      check (backup_power is true or backup_power_working is not true),
      check ((latitude is null) = (longitude is null))
    )`.execute(db);
  await sql`create index assessment_list_by_facility on assessment (facility_uuid, assessed_at, assessment_uuid)`.execute(
    db,
  );
  await sql`create index assessment_list_by_user on assessment (user_uuid, assessed_at, assessment_uuid)`.execute(db);
  await sql`create index assessment_list_by_mode on assessment (functionality_status_mode, assessed_at, assessment_uuid)`.execute(
    db,
  );
  await sql`create index assessment_summary_sheet on assessment (assessed_at, assessment_uuid) include (facility_uuid)`.execute(
    db,
  );

  await sql`
    create table service_area_assessment (
      assessment_uuid uuid not null references assessment on delete cascade,
      service_area_id integer not null references service_area,
      library_version text check (char_length(library_version) <= 128),
      database_version text check (char_length(database_version) <= 128),
      smart_care_functional boolean,
      additional_notes text check (char_length(additional_notes) <= 128),
      primary key (assessment_uuid, service_area_id)
    )`.execute(db);

  await sql`
    create table assessment_revision (
      assessment_uuid uuid not null references assessment on delete cascade,
      version integer not null,
      user_uuid uuid not null references app_user,
      token_uuid uuid references access_token,
      revised_at timestamptz not null default now(),
      changes jsonb not null,
      primary key (assessment_uuid, version)
    )`.execute(db);
}
