import { type Kysely, sql } from "kysely";

/**
 * Installers, upgraders, patches and other files that are handed out. A withdrawn file is kept and no longer listed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table download (
      download_uuid uuid primary key,
      download_id integer generated always as identity unique,
      user_uuid uuid not null references app_user,
      uploaded_at timestamptz not null default now(),
      file_type text not null check (file_type in ('INSTALLER', 'UPGRADER', 'PATCH', 'OTHER')),
      name text not null check (char_length(name) between 6 and 48),
      description text not null check (char_length(description) between 12 and 128),
      database_key text check (char_length(database_key) = 8),
      file_name text not null check (char_length(file_name) between 1 and 255),
      file_size bigint not null check (file_size >= 0),
      sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
      storage_key text not null unique,
      withdrawn_at timestamptz,
      check ((database_key is not null) = (file_type in ('INSTALLER', 'UPGRADER')))
    )`.execute(db);
  await sql`create index download_list on download (file_type, name) where withdrawn_at is null`.execute(db);
}
