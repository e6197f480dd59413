import { type RawBuilder, sql } from "kysely";

import { isOfScope, type ScopeInQuery } from "../list/scope.ts";

/**
 * Assessments made in the last 7 days, month and three months, today included, in each province by name. The roll-up by
 * place has a row for each day and for each week (from Monday). Each span is the sum of its days before its first
 * Monday, the whole weeks from there, and the days of this week. The weeks and this week's days are read once for all
 * spans.
 */

export type SummarySheetCounts = {
  provinceId: number;
  name: string;
  pastWeek: number;
  pastMonth: number;
  pastQuarter: number;
  /** of the province in the scope today */
  facilities: number;
};

const lengths = { week: "7 days", month: "1 month", quarter: "3 months" };
type Past = keyof typeof lengths;

const spans = (today: RawBuilder<unknown>) => sql`
  select past, begins, date_trunc('week', begins + interval '6 days')::date as monday
  from (values ${sql.join(
    Object.entries(lengths).map(
      ([past, length]) => sql`(${sql.lit(past)}, (${today} - ${sql.lit(length)}::interval)::date + 1)`,
    ),
  )}) as named (past, begins)`;

/** The days and weeks to read. The first Monday in the last 7 days is this week's. */
const pieces = (today: RawBuilder<unknown>) => sql`
  select past, 'day' as period, begins as first, monday - 1 as last from span
  union all select null, 'week', min(monday), max(monday) - 1 from span
  union all select null, 'day', max(monday), ${today} from span`;

const made = (past: Past) => sql`
  sum(value) filter (where coalesce(past = ${sql.lit(past)}, period_start >= (select monday from span where past = ${sql.lit(past)})))::bigint`;

/**
 * The query for a scope. `materialized`: the days and weeks are computed first, so that PostgreSQL finds each by the
 * index.
 */
export const summarySheet = (
  scope: ScopeInQuery,
  today: RawBuilder<unknown> = sql`current_date`,
): RawBuilder<unknown> => sql`
  with span as materialized (${spans(today)}),
  piece as materialized (${pieces(today)}),
  made as (
    select province_id, ${made("week")} as week, ${made("month")} as month, ${made("quarter")} as quarter
    from piece join place_count_rollup as counted
      on counted.period = piece.period and counted.period_start between piece.first and piece.last
    where kind = 'assessments' and ${isOfScope(scope)}
    group by province_id),
  sites as (
    select province_id, sum(value)::bigint as sites from place_count_rollup
    where kind = 'sites' and period = 'day' and period_start = 'infinity' and ${isOfScope(scope)} group by province_id)
  select province_id, name,
    coalesce(week, 0) as past_week, coalesce(month, 0) as past_month, coalesce(quarter, 0) as past_quarter,
    coalesce(sites, 0) as facilities
  from province left join made using (province_id) left join sites using (province_id)
  order by name, province_id`;
