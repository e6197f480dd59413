import type { Socket } from "node:net";

import type pg from "pg";

/** Connections that may lead nowhere: a network path can swallow what is sent, and tells nobody. */

/** Closes a connection at once, without a word to the other side. What it was asked fails as if the database had gone. */
export function cut(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

/** Cuts the connection where the answer to what it is asked does not come in time. PostgreSQL's own `statement_timeout` ends sooner. */
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
