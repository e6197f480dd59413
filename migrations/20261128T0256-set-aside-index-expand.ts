import { type Kysely, sql } from "kysely";

/** Finds the few visits and TDBs that were set aside, by the day that their lists are narrowed and counted by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists assessment_set_aside on assessment (assessed_at) where set_aside_at is not null`.execute(
    db,
  );
  await sql`create index if not exists tdb_set_aside on tdb (uploaded_at) where set_aside_at is not null`.execute(db);
}
