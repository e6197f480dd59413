import type { Socket } from "node:net";

import type pg from "pg";

/** Detects dead connections: a network path can drop all packets without an error. */

/**
 * Closes a connection at once, without a message to the other side. Its statements fail as if the database were gone.
 */
export function cut(client: pg.ClientBase): void {
  // The cast: pg's types do not declare `connection`.
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

/** The number of steps in which a silence is counted. */
const steps = 20;

/**
 * Calls `onSilence` after a silence of `ms`, unless the count is ended before. It counts in steps, and between two
 * steps this process reads what has arrived. So a time in which the process itself was blocked, by its own work or by
 * the machine, counts as at most one step: an answer that has arrived and waits to be read does not count as silence.
 *
 * @returns a function that ends the count
 */
export function afterSilence(ms: number, onSilence: () => void): () => void {
  let left = steps;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    onSilence();
  }, ms / steps);
  return () => clearInterval(timer);
}

/**
 * Closes the connection if there is no answer in time. Give it more time than `statement_timeout`, with which
 * PostgreSQL ends a slow statement itself.
 */
export async function within<Answer>(
  client: pg.ClientBase,
  seconds: number,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  if (seconds === Infinity) return ask();
  const end = afterSilence(seconds * 1000, () => cut(client));
  try {
    return await ask();
  } finally {
    end();
  }
}

/** Runs one statement on a connection of a pool, and closes the connection if there is no answer in time. */
export async function askWithin<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  seconds: number,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect();
  try {
    return await within(client, seconds, () => client.query<Row>(statement));
  } finally {
    client.release();
  }
}
