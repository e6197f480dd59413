import { type Kysely, sql } from "kysely";

/** From where an access token was last used, so that whoever manages its owner sees a use that is not theirs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table access_token add column last_used_address text`.execute(db);
}
