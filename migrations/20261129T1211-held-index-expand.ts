import { type Kysely, sql } from "kysely";

/** Finds the few visits and TDBs that are held, by the day that their lists are narrowed and counted by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists assessment_held on assessment (assessed_at) where held is not null`.execute(db);
  await sql`create index if not exists tdb_held on tdb (uploaded_at) where held is not null`.execute(db);
}
