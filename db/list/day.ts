import { type RawBuilder, type SqlBool, sql } from "kysely";

import { plannedEachTime } from "../engine/prepared.ts";

/** A range of days (YYYY-MM-DD, in the ministry's zone), both included. If one is missing, that side is open. */
export type Days = { start?: string | null; end?: string | null };

/** The day of an instant in the ministry's zone, YYYY-MM-DD. Every session of the pool runs in that zone. */
export const dayOf = (column: string): RawBuilder<string> => sql<string>`${sql.ref(column)}::date`;

/** The time of day of an instant in the ministry's zone, HH:MM. */
export const timeOf = (column: string): RawBuilder<string> => sql<string>`to_char(${sql.ref(column)}, 'HH24:MI')`;

/** A day as a number by which lists are sorted. No day comes after every day. */
export const numberOfDay = (day: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`coalesce(${day} - date '2000-01-01', 999999999)`;

/**
 * Whether an instant is on these days. The cast to a date decides near the ends, because clocks may change at midnight.
 * The column itself is compared too, with a margin of a day, so that PostgreSQL can use an index and estimate the rows.
 */
export function onDays(column: string, { start, end }: Days): RawBuilder<SqlBool> {
  const instant = sql.ref(column);
  const conditions = [sql`true`];
  if (start != null)
    conditions.push(
      sql`${instant} >= ${start}::date - interval '1 day'`,
      sql`(${instant} >= ${start}::date + interval '2 days' or ${instant}::date >= ${start}::date)`,
    );
  if (end != null)
    conditions.push(
      sql`${instant} < ${end}::date + interval '2 days'`,
      sql`(${instant} < ${end}::date - interval '1 day' or ${instant}::date <= ${end}::date)`,
    );
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

/**
 * The same for a list that is read page by page. Its statement is planned at each call. A prepared statement has one
 * plan for all values, which expects a few hundred rows between any two days. So for ten years of visits it would sort
 * them all for each page, although an index has the next page in order.
 */
export function onListedDays(column: string, days: Days): RawBuilder<SqlBool> {
  const isOpen = days.start == null && days.end == null;
  return isOpen ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.raw(plannedEachTime)} ${onDays(column, days)})`;
}
