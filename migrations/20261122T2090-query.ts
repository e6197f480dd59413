import { type Kysely, sql } from "kysely";

/**
 * GraphQL queries that people keep under a name, each with its variables, for themselves or for everybody who is signed
 * in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_query (
      query_uuid uuid primary key,
      owner_uuid uuid not null references app_user,
      name text collate "C" not null check (char_length(name) between 1 and 128),
      description text check (char_length(description) <= 512),
      query text not null check (char_length(query) between 1 and 20000),
      variables jsonb,
      operation_name text check (char_length(operation_name) <= 128),
      shared boolean not null default false,
      created_at timestamptz not null default now(),
      changed_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index saved_query_one_name_a_person on saved_query (owner_uuid, lower(name))`.execute(db);
  await sql`create index saved_query_list on saved_query (name, query_uuid)`.execute(db);
}
