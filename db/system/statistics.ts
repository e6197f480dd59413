import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/** Estimated sizes of tables from PostgreSQL's statistics, which are fast to read. */

/** The number of rows of a table: PostgreSQL's running count, or its last estimate. */
const rowsOf = (table: string) => sql<number>`(select greatest(c.reltuples, s.n_live_tup, 0)::float8
  from pg_class c left join pg_stat_user_tables s on s.relid = c.oid where c.oid = ${table}::regclass)`;

type Numbers = Record<"facilities" | "assessments" | "tdbs" | "provinces" | "districts" | "partners", number>;

/**
 * Estimated sizes of tables, the first day with visits and with TDBs (YYYY-MM-DD; null: none), and today in the
 * ministry's zone.
 */
export async function findStatistics(handle: Handle) {
  const { rows } = await sql<Numbers & { firstVisit: string | null; firstTdb: string | null; today: string }>`
    select ${rowsOf("facility")} as facilities, ${rowsOf("assessment")} as assessments, ${rowsOf("tdb")} as tdbs,
      (select count(*) from province) as provinces, (select count(*) from district) as districts, (select count(*) from implementing_partner) as partners,
      (select min(period_start)::text from assessment_rollup where period = 'month') as first_visit,
      (select min(period_start)::text from tdb_rollup where period = 'month') as first_tdb,
      current_date::text as today`.execute(handle);
  return rows[0]!;
}
