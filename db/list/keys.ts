import { type RawBuilder, sql } from "kysely";

/**
 * Any of these keys: `column = ${anyOf(keys, "text")}`. The form hides the number of keys from PostgreSQL's planner. Otherwise a plan for one key
 * looks so much cheaper than the general plan that PostgreSQL plans a prepared statement again at every call, which costs more than reading the row.
 */
export function anyOf<Key extends string | number>(keys: readonly Key[], type: "text" | "uuid" | "integer"): RawBuilder<Key> {
  const list = sql.raw(`${type}[]`);
  return sql<Key>`any((select ${keys}::${list})::${list})`;
}
