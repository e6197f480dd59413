import { type Kysely, sql } from "kysely";

/** Saved queries that people pinned to their Home. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table query_pin (
      user_uuid uuid not null references app_user on delete cascade,
      query_uuid uuid not null references saved_query on delete cascade,
      pinned_at timestamptz not null default now(),
      primary key (user_uuid, query_uuid)
    )`.execute(db);
  await sql`create index query_pin_of_query on query_pin (query_uuid)`.execute(db);
}
