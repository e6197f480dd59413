import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import pg from "pg";

import { namedRows } from "./names.ts";
import { within } from "./silent.ts";
import { timed } from "./slow.ts";

/**
 * A pool that uses prepared statements, which PostgreSQL plans once for each connection instead of at every call: for most of our statements,
 * planning takes longer than running. A statement is identified by its text, and prepared when the text comes a second time.
 */

/** The most prepared statements of a connection: it keeps each plan in memory. */
const mostStatements = 1000;

/** "cached plan must not change result type": a migration of a newer version changed a table that the statement reads. */
export const isOutdated = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "0A000" && /cached plan/.test(error.message);

/** PostgreSQL's codes for a serialization failure and a deadlock. */
const undoneForOthers = new Set(["40001", "40P01"]);
/** PostgreSQL took back what was done, for others: it can be done again. */
export const isUndone = (error: unknown): boolean => error instanceof pg.DatabaseError && undoneForOthers.has(error.code ?? "");

/** Texts seen before, with the names of the prepared ones. */
type Statements = { names: Map<string, string | null>; prepared: number };

/** Removes the time limit for the rest of the transaction. */
export const unlimited = "set local statement_timeout = 0";

/** @param silentSeconds if a statement has no answer for so long, its connection is taken for dead */
export function preparingPool(pool: pg.Pool, { silentSeconds }: { silentSeconds: number }): PostgresPool {
  let statements: Statements = { names: new Map(), prepared: 0 };
  /** The statements that a connection started with. When they are replaced, the connection is closed with everything it had prepared. */
  const openedWith = new WeakMap<pg.PoolClient, Statements>();
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  /** Connections whose transaction has no time limit. */
  const unlimitedClients = new WeakSet<pg.PoolClient>();

  const forget = () => {
    statements = { names: new Map(), prepared: 0 };
  };

  /** The name of a text's prepared statement. Undefined when the text comes for the first time. */
  function nameOf(text: string): string | undefined {
    if (statements.names.size === mostStatements) forget();
    const { names } = statements;
    const name = names.get(text);
    if (name) return name;
    names.set(text, name === null ? `prepared_${(statements.prepared += 1)}` : null);
    return names.get(text) ?? undefined;
  }

  async function run(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<object> {
    const name = openedWith.get(client) === statements ? nameOf(text) : undefined;
    if (text === unlimited) unlimitedClients.add(client);
    const seconds = unlimitedClients.has(client) ? Infinity : silentSeconds;
    const ask = (as: { name?: string }) => within(client, seconds, () => client.query<unknown[]>({ ...as, text, values: [...values], rowMode: "array" }));
    let result: pg.QueryArrayResult<unknown[]> | pg.QueryArrayResult<unknown[]>[];
    try {
      result = await ask(name ? { name } : {});
    } catch (error) {
      if (isOutdated(error)) forget();
      else if (!isUndone(error)) throw error;
      // A failed transaction accepts no statement any more: it is run again (transaction.ts).
      result = await ask({}).catch(() => Promise.reject(error as Error));
    }
    // A text with several statements, as in migrations, has several results.
    const { command, rowCount, ...rest } = Array.isArray(result) ? result.at(-1)! : result;
    return { command, rowCount, rows: namedRows(rest) };
  }

  function clientOf(client: pg.PoolClient): PostgresPoolClient {
    const known = clients.get(client);
    if (known) return known;
    function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
    function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
    function query(asked: string | PostgresCursor<unknown>, values: readonly unknown[] = []): unknown {
      if (typeof asked !== "string") return client.query(asked as never);
      return timed(asked, () => run(client, asked, values));
    }
    const made: PostgresPoolClient = {
      query,
      release: () => {
        unlimitedClients.delete(client);
        client.release(openedWith.get(client) !== statements);
      },
    };
    clients.set(client, made);
    openedWith.set(client, statements);
    return made;
  }

  const connect = async (): Promise<PostgresPoolClient> => clientOf(await pool.connect());
  return { connect, end: () => pool.end() };
}
