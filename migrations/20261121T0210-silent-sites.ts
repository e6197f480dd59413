import { type Kysely, sql } from "kysely";

/**
 * Silent sites. What is irregular about a TDB, judged at its receipt, and the roll-up that the overview reads: for each
 * facility that ever sent one its latest TDB, and when the last irregular one of each kind was received. Both are derived; the
 * next start counts all roll-ups anew, these among them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tdb_irregularity (
      tdb_uuid uuid not null references tdb on delete cascade,
      kind text not null check (kind in ('deltaWithoutBase', 'creationBack', 'clientsBack')),
      facility_uuid text collate "C" not null references facility on delete cascade on update cascade,
      uploaded_at timestamptz not null,
      primary key (tdb_uuid, kind)
    )`.execute(db);
  await sql`create index tdb_irregularity_latest on tdb_irregularity (facility_uuid, kind, uploaded_at)`.execute(db);

  await sql`
    create table tdb_silence (
      facility_uuid text collate "C" primary key references facility on delete cascade on update cascade,
      tdb_uuid uuid not null references tdb on delete cascade,
      tdb_created_at timestamptz not null,
      uploaded_at timestamptz not null,
      delta_without_base_at timestamptz,
      creation_back_at timestamptz,
      clients_back_at timestamptz
    )`.execute(db);
  await sql`create index tdb_silence_by_tdb on tdb_silence (tdb_uuid)`.execute(db);

  await sql`create index tdb_base_by_facility on tdb (facility_uuid, tdb_created_at, uploaded_at, tdb_uuid) where not delta`.execute(db);
  await sql`create index tdb_clients_by_facility on tdb (facility_uuid, total_patients, tdb_created_at, uploaded_at, tdb_uuid)`.execute(db);
  await sql`delete from setting where name = 'rollup_time_zone'`.execute(db);
}
