import { type Kysely, sql } from "kysely";

/** Field lists: named lists of sites that somebody visits. Sites are put on them, and taken off, by acts on many sites. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table field_list (
      field_list_uuid uuid primary key,
      owner_uuid uuid not null references app_user,
      name text collate "C" not null check (char_length(name) between 1 and 128),
      shared boolean not null,
      made_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index field_list_one_name_a_person on field_list (owner_uuid, lower(name))`.execute(db);
  await sql`create index field_list_by_name on field_list (name, field_list_uuid)`.execute(db);
  await sql`
    create table field_list_site (
      field_list_uuid uuid not null references field_list on delete cascade,
      facility_uuid text collate "C" not null references facility on delete cascade on update cascade,
      primary key (field_list_uuid, facility_uuid)
    )`.execute(db);
  await sql`create index field_list_site_of_facility on field_list_site (facility_uuid)`.execute(db);
  await sql`alter table bulk_act drop constraint bulk_act_act_check`.execute(db);
  await sql`
    alter table bulk_act add constraint bulk_act_act_check
      check (act in ('assign', 'note', 'setPartner', 'addToFieldList', 'removeFromFieldList'))`.execute(db);
}
