import { type Kysely, sql } from "kysely";

/**
 * An import is read before it is reviewed: its file is stored in pieces, with what was read, what was chosen about the
 * reading, and whether it was reviewed since. Choices are remembered by the name of the list's source.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table registry_import
      add column is_reviewed boolean not null default true,
      add column reading jsonb,
      add column choice jsonb`.execute(db);
  await sql`
    create table registry_import_piece (
      import_uuid uuid not null references registry_import on delete cascade,
      number integer not null,
      content bytea not null,
      primary key (import_uuid, number)
    )`.execute(db);
  await sql`
    create table registry_list_source (
      name text primary key check (char_length(name) between 1 and 128),
      headings text not null,
      choice jsonb not null,
      used_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index registry_list_source_by_headings on registry_list_source (md5(headings), used_at)`.execute(db);
}
