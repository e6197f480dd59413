import { type Kysely, sql } from "kysely";

/**
 * Quarterly reports. A draft has no figures yet; signing stores them. Names and ids of the scope are kept as they were,
 * without keys: a signed report stays as it is, whatever happens to its place or partner.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table report (
      number integer generated always as identity primary key,
      province_id integer,
      district_id integer,
      implementing_partner_id integer,
      place text not null,
      partner text,
      year integer not null,
      quarter integer not null check (quarter between 1 and 4),
      comment text not null check (char_length(comment) <= 500),
      saved_at timestamptz not null default now(),
      saved_by uuid not null references app_user,
      signed_at timestamptz,
      signed_by uuid references app_user,
      signed_name text,
      figures jsonb,
      check (num_nonnulls(signed_at, signed_by, signed_name, figures) in (0, 4))
    )`.execute(db);
  await sql`create index report_saved_by on report (saved_by)`.execute(db);
  await sql`create index report_signed_by on report (signed_by)`.execute(db);
}
