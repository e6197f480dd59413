import { type Kysely, sql } from "kysely";

/** Accounts of people, service accounts and sites. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app_user (
      user_uuid uuid primary key,
      user_name text collate "C" not null,
      first_name text collate "C" not null,
      middle_name text check (char_length(middle_name) <= 32),
      surname text collate "C" not null,
      gender text not null check (gender in ('U', 'M', 'F')),
      bio text check (char_length(bio) <= 1024),
      primary_email text not null check (char_length(primary_email) between 3 and 128),
      secondary_email text check (char_length(secondary_email) <= 128),
      primary_phone_number text not null,
      secondary_phone_number text check (char_length(secondary_phone_number) <= 15),
      implementing_partner_id integer not null references implementing_partner,
      administrator boolean not null default false,
      edit_assessments boolean not null default false,
      view_assessments boolean not null default false,
      upload_tdbs boolean not null default false,
      access_downloads boolean not null default false,
      manage_users boolean not null default false,
      edit_self boolean not null default false,
      password_hash text not null,
      password_temporary boolean not null,
      active boolean not null default true,
      last_login_at timestamptz,
      version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      search_text text generated always as (
        search_key(user_name || ' ' || first_name || ' ' || coalesce(middle_name, '') || ' ' || surname || ' ' || primary_email)) stored,
      kind text not null default 'person' check (kind in ('person', 'service', 'site')),
      constraint app_user_person_is_named check (kind <> 'person' or (
        char_length(user_name) between 3 and 32 and position('@' in user_name) = 0
        and char_length(first_name) between 3 and 32 and char_length(surname) between 3 and 32
        and char_length(primary_phone_number) between 3 and 15)),
      constraint app_user_machine_is_bounded check (kind = 'person' or (
        password_hash = '' and not password_temporary and not administrator and not manage_users and not edit_self))
    )`.execute(db);
  await sql`create unique index app_user_by_user_name on app_user (lower(user_name))`.execute(db);
  await sql`create unique index app_user_by_primary_email on app_user (lower(primary_email))`.execute(db);
  await sql`create index app_user_list on app_user (user_name, user_uuid)`.execute(db);
  await sql`create index app_user_list_by_partner on app_user (implementing_partner_id, user_name)`.execute(db);
  await sql`create index app_user_list_by_surname on app_user (surname, user_uuid)`.execute(db);
  await sql`create index app_user_list_by_creation on app_user (created_at, user_uuid)`.execute(db);
  await sql`create index app_user_search on app_user using gin (search_text gin_trgm_ops)`.execute(db);
}
