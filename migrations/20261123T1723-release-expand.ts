import { type Kysely, sql } from "kysely";

/** What a file to download brings a site to: its version, what it installs, and which versions it can be applied to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table download
      add column version text collate "C" check (version ~ '[0-9]' and char_length(version) <= 64),
      add column installs text[] not null default '{}' check (installs <@ array['library', 'database']),
      add column applies_from text collate "C" check (applies_from ~ '[0-9]' and char_length(applies_from) <= 64),
      add column applies_to text collate "C" check (applies_to ~ '[0-9]' and char_length(applies_to) <= 64),
      add column channel text collate "C" not null default 'general' check (channel in ('pilot', 'general')),
      add column required_since date`.execute(db);
  await sql`create index download_release on download (version) where version is not null and withdrawn_at is null`.execute(
    db,
  );
}
