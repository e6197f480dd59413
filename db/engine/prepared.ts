import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";

import { within } from "./away/silent.ts";
import { withNames } from "./naming.ts";
import { timed } from "./slow.ts";

/**
 * A pool for Kysely's PostgreSQL dialect that uses prepared statements, which PostgreSQL plans once for each connection
 * instead of at every call: for most of our statements, planning takes longer than running. A statement is identified
 * by its text, and is prepared when the text comes for the second time.
 */

/** The most prepared statements of a connection, which keeps each plan in memory. */
const mostStatements = 1000;

/**
 * "cached plan must not change result type": a migration of a newer version changed a table that the statement reads.
 */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "0A000" && /cached plan/.test(error.message);

/** PostgreSQL's codes for a serialization failure and a deadlock. */
const undoneForOthers = new Set(["40001", "40P01"]);
/** Whether PostgreSQL rolled the transaction back because of another transaction, so that it can be run again. */
export const isUndone = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && undoneForOthers.has(error.code ?? "");

/** Is in the text of a statement that is planned again at each call (`onListedDays` in db/list/day.ts). */
export const plannedEachTime = "/* planned each time */";

/** Removes the time limit for the rest of the transaction. */
export const unlimited = "set local statement_timeout = 0";

const isBoundary = (text: string): boolean => text === "begin" || text === "commit" || text === "rollback";

/**
 * Asks by a callback. pg's own promise writes a function at a property of the query, which V8 puts among its old
 * objects: whatever waits for the answer, the whole request, would stay in memory until the next full garbage
 * collection.
 */
const answerOf = (client: pg.PoolClient, query: pg.QueryArrayConfig): Promise<pg.QueryArrayResult> =>
  new Promise((resolve, reject) => {
    client.query(query, (error: Error | null, result) => (error ? reject(error) : resolve(result)));
  });

/** The texts seen so far, each with the name of its prepared statement (null: seen once, not prepared). */
type Names = Map<string, string | null>;

/** @param silentSeconds if a statement has no answer for this long, its connection is considered dead and closed */
export function preparingPool(pool: pg.Pool, { silentSeconds }: { silentSeconds: number }): PostgresPool {
  let names: Names = new Map();
  let prepared = 0;
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  /** The name of a text's prepared statement. Undefined when the text comes for the first time. */
  function nameOf(text: string): string | undefined {
    if (names.size === mostStatements) names = new Map();
    const name = names.get(text);
    if (name) return name;
    names.set(text, name === null ? `prepared_${(prepared += 1)}` : null);
    return names.get(text) ?? undefined;
  }

  function open(client: pg.PoolClient): PostgresPoolClient {
    /** When the names are replaced, the connection is closed at its release, with everything that it has prepared. */
    const openedWith = names;
    let isInTransaction = false;
    let isUnlimited = false;

    async function ask(text: string, values: unknown[]): Promise<Pick<pg.QueryResult, "command" | "rows">> {
      const name =
        !isBoundary(text) && openedWith === names && !text.includes(plannedEachTime) ? nameOf(text) : undefined;
      const result = await timed(text, () =>
        within(client, isUnlimited ? Infinity : silentSeconds, () =>
          answerOf(client, { text, values, rowMode: "array", ...(name ? { name } : {}) }),
        ),
      );
      // For several statements in one text pg returns a list, of which nothing is read.
      return Array.isArray(result) ? { command: "", rows: [] } : withNames(result);
    }

    async function query(text: string, values: unknown[]): ReturnType<typeof ask> {
      if (isBoundary(text)) isInTransaction = text === "begin";
      if (text === unlimited) isUnlimited = true;
      try {
        const result = await ask(text, values);
        if (text === "commit" && result.command !== "COMMIT")
          throw new Error("The transaction was rolled back: a statement of it had failed");
        return result;
      } catch (error) {
        if (isOutdated(error)) names = new Map();
        else if (!isUndone(error)) throw error;
        // A failed transaction accepts no more statements. `transact` runs it again (transaction.ts).
        if (isInTransaction) throw error;
        return ask(text, values);
      }
    }

    return {
      // The cast: the type also has a form for cursors, which nothing uses: long results are read by COPY (copy.ts).
      query: query as unknown as PostgresPoolClient["query"],
      release() {
        isUnlimited = false;
        client.release(openedWith !== names);
      },
    };
  }

  return {
    async connect() {
      const client = await pool.connect();
      const known = clients.get(client) ?? open(client);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}
