import { type RawBuilder, sql } from "kysely";

import { isOfScope, type ScopeInQuery } from "./scope.ts";

/** Assessments made in the last 7 days, month and three months, today included, in each province by name. */

export type SummarySheetCounts = {
  provinceId: number;
  name: string;
  pastWeek: number;
  pastMonth: number;
  pastQuarter: number;
};

const ago = (span: string) => sql`(current_date - ${sql.lit(span)}::interval)::date`;

/** The days before a shorter span begins follow the last of it, so no day is read twice: rows past, begins, ends. */
const stretches = sql`(values
  ('week', ${ago("7 days")} + 1, current_date),
  ('month', ${ago("1 month")} + 1, ${ago("7 days")}),
  ('quarter', ${ago("3 months")} + 1, ${ago("1 month")})) as stretch (past, begins, ends)`;

/** Each stretch is made of whole weeks, from Monday, and the days that are left before and after them; some of these are none. */
const pieces = sql`
  select past, piece.* from ${stretches}
  cross join lateral (select date_trunc('week', begins + interval '6 days')::date, date_trunc('week', ends + interval '1 day')::date) as mondays (first, last)
  cross join lateral (values
    ('day', begins, mondays.first - 1), ('week', mondays.first, mondays.last - 1), ('day', mondays.last, ends)) as piece (period, first, last)`;

/** The sheet of a scope, from the roll-up by place. The pieces are found first, for PostgreSQL then goes to each by the index. */
export const summarySheet = (scope: ScopeInQuery): RawBuilder<unknown> => sql`
  with piece as materialized (${pieces}),
  made as (
    select province_id,
      sum(value) filter (where past = 'week')::bigint as week,
      sum(value) filter (where past <> 'quarter')::bigint as month,
      sum(value)::bigint as quarter
    from piece join place_count_rollup as counted
      on counted.period = piece.period and counted.period_start between piece.first and piece.last
    where kind = 'assessments' and ${isOfScope(scope)}
    group by province_id)
  select province_id, name,
    coalesce(week, 0) as past_week, coalesce(month, 0) as past_month, coalesce(quarter, 0) as past_quarter
  from province left join made using (province_id)
  order by name, province_id`;
