import { type Kysely, sql } from "kysely";

/** How accurate the position of a visit is, in metres, and when it was found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table assessment
      add column position_accuracy double precision check (position_accuracy >= 0),
      add column position_at timestamptz`.execute(db);
}
