import { type Kysely, sql } from "kysely";

/** When the receipt of a TDB was removed by the rules of retention. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tdb add column receipt_removed_at timestamptz`.execute(db);
}
