import { type Kysely, sql } from "kysely";

/** What the feed of the ledger shows whose address has the token as its secret. Null: an ordinary token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table access_token add column feed jsonb`.execute(db);
}
