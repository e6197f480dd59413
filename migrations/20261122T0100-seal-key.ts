import { type Kysely, sql } from "kysely";

/**
 * The key that seals what a person's devices keep. A table of its own, so that no list of users can read it by accident, and no
 * trigger on users tells of it. Whoever is deleted takes it along; whoever gets a new one cannot open what was sealed before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table seal_key (
      user_uuid uuid primary key references app_user on delete cascade,
      key bytea not null check (length(key) = 32),
      made_at timestamptz not null default now()
    )`.execute(db);
}
