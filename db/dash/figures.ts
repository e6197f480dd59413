import { type RawBuilder, sql } from "kysely";

/** Statistics of a number over several facilities, visits or TDBs. All groups share this definition. */

export type Figures = {
  /** for how many the number is known; the other figures are about these */
  known: number;
  notStated: number;
  sum: number | null;
  mean: number | null;
  median: number | null;
  p90: number | null;
  min: number | null;
  max: number | null;
};

/** The SQL columns of `Figures` for a value. Percentiles are interpolated between the two nearest values. */
export const figures = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  count(${value}) as known, count(*) - count(${value}) as not_stated, sum(${value})::float8 as sum, avg(${value})::float8 as mean,
  percentile_cont(0.5) within group (order by ${value}) as median, percentile_cont(0.9) within group (order by ${value}) as p90,
  min(${value})::float8 as min, max(${value})::float8 as max`;

/** How many answered yes, no, or not at all. */
export type Answers = { yes: number; no: number; notStated: number };

/** The SQL columns of `Answers` for a boolean value. */
export const answersTo = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  count(*) filter (where ${value}) as yes, count(*) filter (where not ${value}) as no, count(*) filter (where ${value} is null) as not_stated`;
