import { type Kysely, sql } from "kysely";

/**
 * A person's second factor: the secret that their authenticator app holds too, which counts from its confirmation on,
 * and the last time step of which a code was accepted, so that none is accepted twice. Tables of their own, as the key
 * that seals devices has, so that no list of users can read them by accident. Recovery codes are kept hashed and work
 * once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
}
