import { type Kysely, sql } from "kysely";

/** A user name may look like an e-mail address. Nobody gets one that is somebody else's address (db/user/user.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app_user drop constraint app_user_person_is_named`.execute(db);
  await sql`
    alter table app_user add constraint app_user_person_is_named check (kind <> 'person' or (
      char_length(user_name) between 3 and 32
      and char_length(first_name) between 3 and 32 and char_length(surname) between 3 and 32
      and char_length(primary_phone_number) between 3 and 15))`.execute(db);
}
