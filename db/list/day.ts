import { type RawBuilder, type SqlBool, sql } from "kysely";

import { plannedAnew } from "../engine/prepared.ts";

/** A range of days (YYYY-MM-DD, the ministry's zone), first and last included. A missing one leaves that side open. */
export type Days = { start?: string | null; end?: string | null };

/** The ministry's day of an instant, YYYY-MM-DD: every session of the pool runs in its zone. */
export const dayOf = (column: string): RawBuilder<string> => sql<string>`${sql.ref(column)}::date`;

/** The ministry's time of day of an instant, HH:MM. */
export const timeOf = (column: string): RawBuilder<string> => sql<string>`to_char(${sql.ref(column)}, 'HH24:MI')`;

/**
 * Whether an instant is on these days. Near the ends the cast to a date decides (clocks may change at midnight). Elsewhere the column itself is
 * compared, so that PostgreSQL can use an index and estimate the rows.
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
 * The same for a list that is read page by page. Such a statement is not prepared: one plan for all values expects a few hundred rows between any two days,
 * and sorts ten years of visits for each page, where an index has the next page in order.
 */
export function onListedDays(column: string, days: Days): RawBuilder<SqlBool> {
  const isOpen = days.start == null && days.end == null;
  return isOpen ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.raw(plannedAnew)} ${onDays(column, days)})`;
}
