import { type Kysely, sql } from "kysely";

/**
 * The registry of facilities: the identifiers under which other systems know a facility, from which day on it is
 * closed, and which facilities were merged into which. Facilities' own codes are identifiers too: a trigger keeps those
 * rows, and here they begin.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identifier_system (
      system text collate "C" primary key check (system ~ '^[a-z][A-Za-z0-9]{0,31}$'),
      name text collate "C" not null check (char_length(name) between 1 and 64),
      pattern text check (char_length(pattern) between 1 and 256),
      is_unique boolean not null,
      created_at timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table facility_identifier (
      facility_uuid text collate "C" not null references facility on delete cascade on update cascade,
      system text collate "C" not null check (char_length(system) between 1 and 32),
      value text collate "C" not null check (char_length(value) between 1 and 128),
      valid_from date,
      valid_until date,
      is_unique boolean not null,
      primary key (facility_uuid, system, value)
    )`.execute(db);
  await sql`create index facility_by_identifier on facility_identifier (value, system)`.execute(db);
  await sql`
    create unique index facility_identifier_is_one_facilitys on facility_identifier (system, value)
    where is_unique and valid_until is null`.execute(db);
  await sql`
    insert into facility_identifier (facility_uuid, system, value, is_unique)
    select facility_uuid, 'hmis', hmis_code, true from facility where hmis_code is not null
    union all select facility_uuid, 'formerHmis', old_hmis_code, false from facility where old_hmis_code is not null`.execute(
    db,
  );

  await sql`
    alter table facility
      add column closed_on date,
      add column close_reason text check (char_length(close_reason) between 1 and 512),
      add constraint facility_reason_has_a_day check (closed_on is not null or close_reason is null)`.execute(db);
  await sql`alter table tdb_silence add column closed_on date`.execute(db);
  await sql`create index facility_list_closed on facility (closed_on desc, facility_uuid) where closed_on is not null`.execute(
    db,
  );

  await sql`
    create table facility_merge (
      facility_uuid text collate "C" primary key check (char_length(facility_uuid) between 1 and 64),
      into_uuid text collate "C" not null references facility on update cascade,
      merged_at timestamptz not null default now(),
      user_uuid uuid references app_user,
      facility jsonb not null,
      moved jsonb not null,
      check (facility_uuid <> into_uuid)
    )`.execute(db);
  await sql`create index facility_merge_by_survivor on facility_merge (into_uuid)`.execute(db);

  await sql`alter table app_user add column edit_registry boolean not null default false`.execute(db);
  await sql`alter table app_user add constraint app_user_machine_keeps_no_registry check (kind = 'person' or not edit_registry)`.execute(
    db,
  );
}
