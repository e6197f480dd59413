import { type Kysely, sql } from "kysely";

/**
 * Lists of facilities that are imported with review: each import, and each of its rows with what it would change and
 * what was decided.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table registry_import (
      import_uuid uuid primary key,
      file_name text not null check (char_length(file_name) between 1 and 256),
      status text collate "C" not null default 'ready' check (status in ('ready', 'applied', 'reverted')),
      rows integer not null,
      ignored jsonb not null,
      created_at timestamptz not null default now(),
      user_uuid uuid references app_user on delete set null,
      applied_at timestamptz,
      applied_by uuid references app_user on delete set null,
      reverted_at timestamptz,
      reverted_by uuid references app_user on delete set null
    )`.execute(db);
  await sql`create index registry_import_newest on registry_import (created_at desc, import_uuid desc)`.execute(db);
  await sql`create index registry_import_by_user on registry_import (user_uuid)`.execute(db);

  await sql`
    create table registry_import_row (
      import_uuid uuid not null references registry_import on delete cascade,
      line integer not null,
      kind text collate "C" not null check (kind in ('new', 'changed', 'same', 'duplicate', 'conflict', 'mergeCandidate', 'unknownPlace')),
      decision text collate "C" not null default 'undecided' check (decision in ('undecided', 'accepted', 'rejected')),
      acceptable boolean not null,
      facility_name text not null,
      place text not null,
      facility_uuid text collate "C",
      score double precision,
      reason text not null,
      warned boolean not null,
      warnings jsonb not null,
      changes jsonb not null,
      written jsonb not null,
      identifiers jsonb not null,
      reviewed_version integer,
      before jsonb,
      applied_version integer,
      primary key (import_uuid, line),
      check (acceptable or decision <> 'accepted')
    )`.execute(db);
  await sql`create index registry_import_row_by_kind on registry_import_row (import_uuid, kind, decision, line)`.execute(
    db,
  );
}
