import { type Kysely, sql } from "kysely";

/** Acts on many sites at once, with what their undoing needs: the stored records, and the former partners. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bulk_act (
      bulk_act_uuid uuid primary key,
      user_uuid uuid not null references app_user,
      act text not null check (act in ('assign', 'note', 'setPartner')),
      implementing_partner_id integer,
      asked integer not null,
      left_out jsonb not null,
      made_at timestamptz not null default now(),
      undone_at timestamptz
    )`.execute(db);
  await sql`create index bulk_act_by_age on bulk_act (made_at)`.execute(db);
  await sql`create index bulk_act_of_user on bulk_act (user_uuid)`.execute(db);
  await sql`
    create table bulk_act_record (
      bulk_act_uuid uuid not null references bulk_act on delete cascade,
      facility_uuid text collate "C" not null references facility on delete cascade on update cascade,
      record_uuid uuid not null,
      former_partner_id integer,
      primary key (bulk_act_uuid, facility_uuid, record_uuid)
    )`.execute(db);
  await sql`create index bulk_act_record_of_facility on bulk_act_record (facility_uuid)`.execute(db);
}
