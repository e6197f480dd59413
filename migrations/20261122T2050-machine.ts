import { type Kysely, sql } from "kysely";

/**
 * Accounts of machines: service accounts with what they are limited to, and the accounts by which sites send their
 * TDBs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table service_account (
      user_uuid uuid primary key references app_user,
      owner_uuid uuid not null references app_user,
      province_id integer references province,
      district_id integer references district,
      implementing_partner_id integer references implementing_partner,
      check (num_nonnulls(province_id, district_id, implementing_partner_id) <= 1)
    )`.execute(db);
  await sql`create index service_account_by_owner on service_account (owner_uuid)`.execute(db);

  await sql`
    create table site_account (
      user_uuid uuid primary key references app_user,
      facility_uuid text collate "C" not null unique references facility on update cascade on delete cascade,
      valid_days integer not null check (valid_days between 1 and 366)
    )`.execute(db);
}
