import { type RawBuilder, sql } from "kysely";

/**
 * Any of these keys: `column = ${anyOf(keys, "text")}`. PostgreSQL is not shown how many there are: it would expect so much less of
 * one key than of any number that it plans a prepared statement anew at every call, which costs more than reading the row.
 */
export function anyOf<Key extends string | number>(keys: readonly Key[], type: "text" | "uuid" | "integer"): RawBuilder<Key> {
  const list = sql.raw(`${type}[]`);
  return sql<Key>`any((select ${keys}::${list})::${list})`;
}
