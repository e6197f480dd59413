import type { Socket } from "node:net";

import type pg from "pg";

/** Dead connections: a network path can drop everything without an error. */

/** Closes a connection at once, without a message to the other side. Its statements fail as if the database were gone. */
export function cut(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

/** Closes the connection if an answer does not come in time. PostgreSQL's own `statement_timeout` is shorter. */
export async function within<Answer>(client: pg.ClientBase, seconds: number, ask: () => Promise<Answer>): Promise<Answer> {
  if (seconds === Infinity) return ask();
  const timer = setTimeout(() => cut(client), seconds * 1000);
  try {
    return await ask();
  } finally {
    clearTimeout(timer);
  }
}

/** The same for one statement on a connection of a pool. */
export async function askWithin<Row extends pg.QueryResultRow>(pool: pg.Pool, seconds: number, statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect();
  try {
    return await within(client, seconds, () => client.query<Row>(statement));
  } finally {
    client.release();
  }
}
