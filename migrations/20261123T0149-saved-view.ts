import { type Kysely, sql } from "kysely";

/**
 * Lists that people keep under a name, as addresses of the client. What part of the country an address names is noted
 * beside it, without a foreign key: a view outlives its place, and says so.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_view (
      view_uuid uuid primary key,
      owner_uuid uuid not null references app_user,
      name text collate "C" not null check (char_length(name) between 1 and 128),
      address text collate "C" not null check (char_length(address) between 1 and 2000),
      shared boolean not null default false,
      province_id integer,
      district_id integer,
      implementing_partner_id integer,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index saved_view_one_name_a_person on saved_view (owner_uuid, lower(name))`.execute(db);
  await sql`create index saved_view_list on saved_view (name, view_uuid)`.execute(db);
}
