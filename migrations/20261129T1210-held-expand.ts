import { type Kysely, sql } from "kysely";

/** Why a visit or a TDB that a program sent is held: no figure counts it until somebody accepts it. Null: it is not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table assessment add column held text`.execute(db);
  await sql`alter table tdb add column held text`.execute(db);
}
