import { type Kysely, sql } from "kysely";

/** People, their sessions and tokens, and the counters that slow guessing down. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app_user (
      user_uuid uuid primary key,
      user_name text collate "C" not null check (char_length(user_name) between 3 and 32 and position('@' in user_name) = 0),
      first_name text collate "C" not null check (char_length(first_name) between 3 and 32),
      middle_name text check (char_length(middle_name) <= 32),
      surname text collate "C" not null check (char_length(surname) between 3 and 32),
      gender text not null check (gender in ('U', 'M', 'F')),
      bio text check (char_length(bio) <= 1024),
      primary_email text not null check (char_length(primary_email) between 3 and 128),
      secondary_email text check (char_length(secondary_email) <= 128),
      primary_phone_number text not null check (char_length(primary_phone_number) between 3 and 15),
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
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index app_user_by_user_name on app_user (lower(user_name))`.execute(db);
  await sql`create unique index app_user_by_primary_email on app_user (lower(primary_email))`.execute(db);
  await sql`create index app_user_list_by_partner on app_user (implementing_partner_id, user_name)`.execute(db);

  await sql`
    create table session (
      token_hash text primary key,
      user_uuid uuid not null references app_user on delete cascade,
      purpose text not null check (purpose in ('session', 'reset')),
      address text,
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index session_by_user on session (user_uuid)`.execute(db);
  await sql`create index session_expired on session (expires_at)`.execute(db);

  await sql`
    create table access_token (
      token_uuid uuid primary key,
      user_uuid uuid not null references app_user on delete cascade,
      name text not null check (char_length(name) between 1 and 64),
      token_hash text not null unique,
      privileges text[] not null,
      expires_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index access_token_by_user on access_token (user_uuid, created_at)`.execute(db);

  // The layout that rate-limiter-flexible's PostgreSQL store expects.
  await sql`
    create table sign_in_limit (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    )`.execute(db);
}
