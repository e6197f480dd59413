import { type Kysely, sql } from "kysely";

/**
 * Notes of assessments are searched by any part of them. The texts are written as db/assessment/assessment.ts asks for
 * them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index assessment_search_notes on assessment using gin ((
      lower(coalesce(primary_power_notes, '') || E'\\n' || coalesce(backup_power_notes, '') || E'\\n' || coalesce(other_issues, '') || E'\\n' || coalesce(closing_comments, ''))
    ) gin_trgm_ops)`.execute(db);
  await sql`
    create index service_area_assessment_search_notes on service_area_assessment using gin (lower(additional_notes) gin_trgm_ops)
    where additional_notes is not null`.execute(db);
}
