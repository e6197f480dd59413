import { type Kysely, sql } from "kysely";

/** Lists of assessments that found one mode, or sorted by mode: one page is read however long the history is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index assessment_list_by_mode on assessment (functionality_status_mode, assessed_at, assessment_uuid)`.execute(db);
}
