import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import pg from "pg";

import { namedRows } from "./names.ts";

/**
 * A pool whose statements PostgreSQL plans once for a connection instead of at every call: planning costs more than running for
 * most of what this product asks. A statement is known by its text, and prepared when its text comes a second time.
 */

/** A connection keeps each statement's plan in memory, so there is a most. */
const mostStatements = 1000;

/** "cached plan must not change result type": a migration of a newer version changed a table that the statement reads. */
export const isOutdated = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "0A000" && /cached plan/.test(error.message);

/** Texts that were seen, with the names of those that are prepared. */
type Statements = { names: Map<string, string | null>; prepared: number };

export function preparingPool(pool: pg.Pool): PostgresPool {
  let statements: Statements = { names: new Map(), prepared: 0 };
  /** The statements that a connection was opened with: it is closed when others are in force, with all that it had prepared. */
  const openedWith = new WeakMap<pg.PoolClient, Statements>();
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  const forget = () => {
    statements = { names: new Map(), prepared: 0 };
  };

  /** The name under which a text is prepared; undefined when it comes for the first time. */
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
    const ask = (as: { name?: string }) => client.query<unknown[]>({ ...as, text, values: [...values], rowMode: "array" });
    let result: pg.QueryArrayResult<unknown[]> | pg.QueryArrayResult<unknown[]>[];
    try {
      result = await ask(name ? { name } : {});
    } catch (error) {
      if (!isOutdated(error)) throw error;
      forget();
      // Within a transaction nothing can be asked any more: then it is done again (transaction.ts).
      result = await ask({}).catch(() => Promise.reject(error as Error));
    }
    // Several statements in one text, as migrations send them, have a result each.
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
      return run(client, asked, values);
    }
    const made: PostgresPoolClient = {
      query,
      release: () => client.release(openedWith.get(client) !== statements),
    };
    clients.set(client, made);
    openedWith.set(client, statements);
    return made;
  }

  return { connect: async () => clientOf(await pool.connect()), end: () => pool.end() };
}
