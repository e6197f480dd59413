import { type RawBuilder, sql } from "kysely";

/** Figures of a fact of several facilities, visits or TDBs: one definition for all groups. */

export type Figures = {
  /** of how many it is known; the figures are about these */
  known: number;
  notStated: number;
  sum: number | null;
  mean: number | null;
  median: number | null;
  p90: number | null;
  min: number | null;
  max: number | null;
};

/** The columns of the figures of a value. Percentiles are interpolated between the two nearest values. */
export const figures = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  count(${value}) as known, count(*) - count(${value}) as not_stated, sum(${value})::float8 as sum, avg(${value})::float8 as mean,
  percentile_cont(0.5) within group (order by ${value}) as median, percentile_cont(0.9) within group (order by ${value}) as p90,
  min(${value})::float8 as min, max(${value})::float8 as max`;

/** How many said yes, no, or nothing. */
export type Answers = { yes: number; no: number; notStated: number };

export const answersTo = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  count(*) filter (where ${value}) as yes, count(*) filter (where not ${value}) as no, count(*) filter (where ${value} is null) as not_stated`;
