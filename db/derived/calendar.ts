import { type RawBuilder, sql } from "kysely";

/** The fiscal calendar in SQL: the year begins on 1 October. */

/**
 * The month, quarter and fiscal year that contain a local timestamp, as rows (period, period_start, period_end);
 * period_end is excluded.
 */
export const periodsOf = (local: RawBuilder<unknown>): RawBuilder<unknown> => sql`lateral (
  select period, start::date as period_start, (start + length)::date as period_end
  from (values
    ('month', date_trunc('month', ${local}), interval '1 month'),
    ('quarter', date_trunc('quarter', ${local}), interval '3 months'),
    ('year', date_trunc('year', ${local} + interval '3 months') - interval '3 months', interval '1 year')
  ) as calendar (period, start, length)) as p`;

/**
 * Whether an instant is on a day of period `p`. The comparisons without a cast let PostgreSQL use an index (see
 * db/list/day.ts).
 */
export const inPeriod = (
  instant: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`${instant} >= p.period_start - interval '1 day'
  and ${instant} < p.period_end + interval '1 day'
  and ${instant}::date >= p.period_start and ${instant}::date < p.period_end`;

/** The periods that contain these days, each once. */
export const periodsWith = (days: readonly string[]): RawBuilder<unknown> => sql`(
  select distinct p.period, p.period_start, p.period_end
  from unnest(${days}::date[]) as day cross join ${periodsOf(sql`day::timestamp`)}) as p`;
