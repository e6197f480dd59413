import { type Kysely, sql } from "kysely";

/** The questions that stand in a report, as they were when they were added; of a signed report with their answers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table report add column questions jsonb`.execute(db);
}
