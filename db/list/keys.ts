import { type RawBuilder, sql } from "kysely";

/**
 * Any of these keys: `column = ${anyOf(keys, "text")}`. The subquery hides the number of keys from PostgreSQL's
 * planner. Otherwise the plan for one key would look so much cheaper than the generic plan that PostgreSQL would plan
 * the prepared statement at every call, which takes longer than reading the row.
 */
export function anyOf<Key extends string | number>(
  keys: readonly Key[],
  type: "text" | "uuid" | "integer",
): RawBuilder<Key> {
  const list = sql.raw(`${type}[]`);
  return sql<Key>`any((select ${keys}::${list})::${list})`;
}
