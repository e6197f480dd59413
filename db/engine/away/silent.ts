import type { Socket } from "node:net";

import type pg from "pg";

/** Dead connections: a network path can drop everything without an error. */

/** Closes a connection at once, without a message to the other side. Its statements fail as if the database were gone. */
export function cut(client: pg.ClientBase): void {
  // pg's types leave its connection out.
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

/** A silence is counted in so many steps. */
const steps = 20;

/**
 * Calls back after a silence of so long, unless it is ended before. It is counted in steps, and between two steps this process reads what
 * has arrived. So the time in which the process itself was held up, by its own work or by the machine, counts as one step at most: an answer
 * that waits to be read is not taken for silence.
 *
 * @returns ends the count
 */
export function afterSilence(ms: number, tell: () => void): () => void {
  let left = steps;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    tell();
  }, ms / steps);
  return () => clearInterval(timer);
}

/** Closes the connection if an answer does not come in time. PostgreSQL's own `statement_timeout` is shorter. */
export async function within<Answer>(client: pg.ClientBase, seconds: number, ask: () => Promise<Answer>): Promise<Answer> {
  if (seconds === Infinity) return ask();
  const end = afterSilence(seconds * 1000, () => cut(client));
  try {
    return await ask();
  } finally {
    end();
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
