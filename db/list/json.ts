import { type Expression, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/**
 * The rows of a query, in its order, as the text of a JSON array that PostgreSQL writes: what JSON.stringify would write, for texts,
 * whole numbers, booleans and nulls. A large list is passed on so without a look at each of its rows.
 *
 * @param keys the columns of the objects by their keys, in their order
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
