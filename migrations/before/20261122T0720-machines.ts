import { type Kysely, sql } from "kysely";

/** Accounts of machines beside those of people: service accounts, and the accounts by which sites send their TDBs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table app_user
      add column kind text not null default 'person' check (kind in ('person', 'service', 'site')),
      drop constraint app_user_user_name_check,
      drop constraint app_user_first_name_check,
      drop constraint app_user_surname_check,
      drop constraint app_user_primary_phone_number_check,
      add constraint app_user_person_is_named check (kind <> 'person' or (
        char_length(user_name) between 3 and 32 and position('@' in user_name) = 0
        and char_length(first_name) between 3 and 32 and char_length(surname) between 3 and 32
        and char_length(primary_phone_number) between 3 and 15)),
      add constraint app_user_machine_is_bounded check (kind = 'person' or (
        password_hash = '' and not password_temporary and not administrator and not manage_users and not edit_self))`.execute(
    db,
  );

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
