import { type Kysely, sql } from "kysely";

/**
 * Transport databases: the record of each stored file, the computers that its manifest listed (grouped), and what is
 * irregular about it, judged at its receipt. The indexes by receipt carry what the charts count, so that no row of the
 * table is fetched for them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tdb (
      tdb_uuid uuid primary key,
      reference bigint generated always as identity unique,
      facility_uuid text collate "C" not null references facility on update cascade,
      user_uuid uuid not null references app_user,
      uploaded_at timestamptz not null default now(),
      delta boolean not null,
      tdb_created_at timestamptz not null,
      total_patients integer not null check (total_patients >= 0),
      library_version text check (char_length(library_version) <= 128),
      database_version text check (char_length(database_version) <= 128),
      file_name text not null check (char_length(file_name) between 1 and 255),
      file_size bigint not null check (file_size > 0),
      sha256 text not null unique check (sha256 ~ '^[0-9a-f]{64}$'),
      storage_key text not null unique
    )`.execute(db);
  await sql`create index tdb_latest_by_facility on tdb (facility_uuid, tdb_created_at, uploaded_at, tdb_uuid)`.execute(
    db,
  );
  await sql`create index tdb_base_by_facility on tdb (facility_uuid, tdb_created_at, uploaded_at, tdb_uuid) where not delta`.execute(
    db,
  );
  await sql`create index tdb_clients_by_facility on tdb (facility_uuid, total_patients, tdb_created_at, uploaded_at, tdb_uuid)`.execute(
    db,
  );
  await sql`create index tdb_list_by_facility on tdb (facility_uuid, uploaded_at, tdb_uuid) include (tdb_created_at, total_patients)`.execute(
    db,
  );
  await sql`create index tdb_list_by_user on tdb (user_uuid, uploaded_at, tdb_uuid)`.execute(db);
  await sql`create index tdb_list_by_receipt on tdb (uploaded_at, tdb_uuid) include (facility_uuid, tdb_created_at, total_patients)`.execute(
    db,
  );
  await sql`create index tdb_list_by_creation on tdb (tdb_created_at, tdb_uuid)`.execute(db);
  await sql`create index tdb_list_by_size on tdb (file_size, tdb_uuid)`.execute(db);

  await sql`
    create table tdb_computer (
      tdb_uuid uuid not null references tdb on delete cascade,
      cpu_cores integer not null check (cpu_cores between 1 and 1024),
      os64_bit boolean not null,
      computers integer not null check (computers > 0),
      primary key (tdb_uuid, cpu_cores, os64_bit)
    )`.execute(db);

  await sql`
    create table tdb_irregularity (
      tdb_uuid uuid not null references tdb on delete cascade,
      kind text not null check (kind in ('deltaWithoutBase', 'creationBack', 'clientsBack')),
      facility_uuid text collate "C" not null references facility on delete cascade on update cascade,
      uploaded_at timestamptz not null,
      primary key (tdb_uuid, kind)
    )`.execute(db);
  await sql`create index tdb_irregularity_latest on tdb_irregularity (facility_uuid, kind, uploaded_at)`.execute(db);
}
