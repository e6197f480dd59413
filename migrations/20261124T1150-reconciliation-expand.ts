import { type Kysely, sql } from "kysely";

/**
 * Comparisons of the registry with other lists of facilities: each run, and each of its findings with what was decided
 * about it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reconciliation (
      reconciliation_uuid uuid primary key,
      source text not null check (char_length(source) between 1 and 128),
      file_name text not null check (char_length(file_name) between 1 and 256),
      form text collate "C" not null check (form in ('list', 'organisationUnits')),
      rows integer not null,
      equal integer not null,
      here integer not null,
      compared jsonb not null,
      notes jsonb not null,
      previous_uuid uuid,
      created_at timestamptz not null default now(),
      user_uuid uuid references app_user on delete set null,
      operator text check (char_length(operator) <= 256)
    )`.execute(db);
  await sql`create index reconciliation_newest on reconciliation (created_at desc, reconciliation_uuid desc)`.execute(
    db,
  );
  await sql`create index reconciliation_newest_of_source on reconciliation (lower(source), created_at desc, reconciliation_uuid desc)`.execute(
    db,
  );
  await sql`create index reconciliation_by_user on reconciliation (user_uuid)`.execute(db);

  await sql`
    create table reconciliation_finding (
      reconciliation_uuid uuid not null references reconciliation on delete cascade,
      number integer not null,
      kind text collate "C" not null check (kind in ('onlyHere', 'onlyThere', 'differs', 'unclear')),
      trend text collate "C" not null check (trend in ('new', 'changed', 'still', 'gone')),
      state text collate "C" not null check (state in ('open', 'done', 'ignored')),
      note text check (char_length(note) <= 1000),
      decided_at timestamptz,
      decided_by uuid references app_user on delete set null,
      key text not null,
      facility_uuid text collate "C",
      their_id text,
      facility_name text not null,
      place text not null,
      score double precision,
      reason text not null,
      warnings jsonb not null,
      differences jsonb not null,
      their_row jsonb,
      primary key (reconciliation_uuid, number)
    )`.execute(db);
  await sql`create index reconciliation_finding_by_kind on reconciliation_finding (reconciliation_uuid, kind, trend, state, number)`.execute(
    db,
  );
  await sql`create index reconciliation_finding_by_decider on reconciliation_finding (decided_by)`.execute(db);
}
