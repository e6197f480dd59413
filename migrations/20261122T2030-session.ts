import { type Kysely, sql } from "kysely";

/**
 * How people sign in and what they hold then: sessions, tokens, second factors, the counters that slow guessing down,
 * and the keys that seal what devices keep. Secrets are in tables of their own, so that no list of users can read them
 * by accident. Counters of tokens are unlogged: a crash forgives what was counted. `last_write` notes where in the
 * write-ahead log a person's last write lies; a replica that has replayed so far may answer them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
      created_at timestamptz not null default now(),
      last_used_address text
    )`.execute(db);
  await sql`create index access_token_by_user on access_token (user_uuid, created_at)`.execute(db);

  await sql`
    create table second_factor (
      user_uuid uuid primary key references app_user on delete cascade,
      secret bytea not null check (length(secret) = 20),
      begun_at timestamptz not null default now(),
      confirmed_at timestamptz,
      last_step bigint not null default 0
    )`.execute(db);
  await sql`
    create table recovery_code (
      user_uuid uuid not null references second_factor on delete cascade,
      code_hash text not null,
      used_at timestamptz,
      primary key (user_uuid, code_hash)
    )`.execute(db);

  await sql`
    create table sign_in_limit (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint,
      trying integer not null default 0,
      tried_at timestamptz
    )`.execute(db);
  await sql`
    create unlogged table token_limit (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    )`.execute(db);

  await sql`
    create table seal_key (
      user_uuid uuid primary key references app_user on delete cascade,
      key bytea not null check (length(key) = 32),
      made_at timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table last_write (
      user_uuid uuid primary key references app_user,
      position pg_lsn not null
    ) with (fillfactor = 50)`.execute(db);
}
