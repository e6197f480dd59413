import { type Expression, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/**
 * The rows of a query, in its order, as a JSON array that PostgreSQL writes. For texts, whole numbers, booleans and
 * nulls it equals the output of JSON.stringify. So a large list needs no work for each row in this process.
 *
 * @param keys the objects' columns by key, in their order
 */
export async function readJson<Row>(
  handle: Handle,
  query: Expression<Row>,
  keys: Readonly<Record<string, keyof Row & string>>,
): Promise<string> {
  const values = Object.entries(keys).map(([key, column]) => sql`${sql.ref(column)} as ${sql.raw(`"${key}"`)}`);
  const { rows } = await sql<{ json: string }>`
    select coalesce(array_to_json(array_agg(listed))::text, '[]') as json
    from (select ${sql.join(values)} from (${query}) as found) as listed`.execute(handle);
  return rows[0]!.json;
}
