import { type Kysely, sql } from "kysely";

/** A facility's name as searches compare it, so that ranking hundreds of matches does not make it anew for each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table facility add column name_key text not null generated always as (search_key(facility_name)) stored`.execute(db);
}
