import { type Kysely, sql } from "kysely";

/** Beside the wrong passwords of a name or an address: how many are being looked at now, and since when the last one is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sign_in_limit add column trying integer not null default 0, add column tried_at timestamptz`.execute(db);
}
