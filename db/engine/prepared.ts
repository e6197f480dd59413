import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from "kysely";
import pg from "pg";

import { within } from "./away/silent.ts";
import type { Handle } from "./connect.ts";
import { namedRows } from "./names.ts";
import { timed } from "./slow.ts";
import { type Answered, sendTogether, type Sent } from "./together.ts";

/**
 * A driver that uses prepared statements, which PostgreSQL plans once for each connection instead of at every call: for most of our statements,
 * planning takes longer than running. A statement is identified by its text, and is prepared when the text comes for the second time.
 *
 * A transaction's `begin` is sent together with its first statement, and a statement whose result is not needed (`withNext`) together with the next one or the commit.
 */

/** The most prepared statements of a connection, which keeps each plan in memory. */
const mostStatements = 1000;
/** The most statements that wait to be sent with the next one. */
const mostAhead = 50;

/** "cached plan must not change result type": a migration of a newer version changed a table that the statement reads. */
export const isOutdated = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "0A000" && /cached plan/.test(error.message);

/** PostgreSQL's codes for a serialization failure and a deadlock. */
const undoneForOthers = new Set(["40001", "40P01"]);
/** Whether PostgreSQL rolled the transaction back because of another transaction, so that it can be run again. */
export const isUndone = (error: unknown): boolean => error instanceof pg.DatabaseError && undoneForOthers.has(error.code ?? "");

/** Is in the text of a statement that is planned again at each call (`onListedDays` in db/list/day.ts). */
export const plannedEachTime = "/* planned each time */";

/** The texts seen so far, each with the name of its prepared statement (null: not prepared). */
type Statements = { names: Map<string, string | null>; prepared: number };

/** Removes the time limit for the rest of the transaction. */
export const unlimited = "set local statement_timeout = 0";

const begin = CompiledQuery.raw("begin");
const commit = CompiledQuery.raw("commit");
const rollback = CompiledQuery.raw("rollback");

const unanswered = new WeakSet<CompiledQuery>();

/**
 * Runs a statement whose result is not needed. In a transaction it is sent with the next statement or the commit, which fails if this one fails; outside a transaction it
 * is sent at once. Do not use it if the act handles the failure of this statement, nor for a lock that work outside the transaction relies on.
 */
export async function withNext(on: Handle, statement: { compile(on: Handle): CompiledQuery }): Promise<void> {
  const query = statement.compile(on);
  unanswered.add(query);
  await on.executeQuery(query);
}

type PreparingConnection = DatabaseConnection & { begin: () => void; commit: () => Promise<void>; rollback: () => Promise<void>; release: () => void };

/** @param silentSeconds if a statement has no answer for this long, its connection is considered dead and closed */
export function preparingDriver(pool: pg.Pool, { silentSeconds }: { silentSeconds: number }): Driver {
  let statements: Statements = { names: new Map(), prepared: 0 };
  const connections = new WeakMap<pg.PoolClient, PreparingConnection>();

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

  function open(client: pg.PoolClient): PreparingConnection {
    /** The set of statements at the start. When the driver replaces it, the connection is closed, with everything that it had prepared. */
    const openedWith = statements;
    let isInTransaction = false;
    let isUnlimited = false;
    /** The statements that are sent with the next one. */
    let ahead: CompiledQuery[] = [];

    const prepared = ({ sql: text, parameters }: CompiledQuery): Sent => {
      const name = openedWith === statements && !text.includes(plannedEachTime) ? nameOf(text) : undefined;
      return { text, values: [...parameters], rowMode: "array", ...(name ? { name } : {}) };
    };

    /** Sends one statement, or several together. @returns the result of the last one */
    async function send(queries: readonly CompiledQuery[]): Promise<Answered> {
      if (queries.some(({ sql }) => sql === unlimited)) isUnlimited = true;
      const seconds = isUnlimited ? Infinity : silentSeconds * queries.length;
      const sent = queries.map(prepared);
      const [only] = sent;
      // A text with several statements, as in migrations, has several results.
      const ask = async () => (sent.length > 1 ? sendTogether(client, sent) : [await client.query<unknown[]>(only!)].flat());
      const answers = await timed(queries.map(({ sql }) => sql).join(";\n"), () => within(client, seconds, ask));
      return answers.at(-1)!;
    }

    async function run(query: CompiledQuery): Promise<Answered> {
      const queries = [...ahead, query];
      ahead = [];
      // A text without parameters may contain several statements, until it has been prepared. Then it must be sent alone.
      const isByItself = query.parameters.length === 0 && !statements.names.get(query.sql);
      try {
        if (!isByItself || queries.length === 1) return await send(queries);
        await send(queries.slice(0, -1));
        return await send([query]);
      } catch (error) {
        // The stack of the caller, instead of the place where the result was read.
        Error.captureStackTrace(error as Error);
        if (isOutdated(error)) forget();
        else if (!isUndone(error)) throw error;
        // A failed transaction accepts no more statements. `transact` runs it again (transaction.ts).
        if (isInTransaction) throw error;
        return send([query]).catch(() => Promise.reject(error as Error));
      }
    }

    return {
      async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        if (isInTransaction && unanswered.has(query) && ahead.length < mostAhead) {
          ahead.push(query);
          return { rows: [] };
        }
        const { command, rowCount, ...answer } = await run(query);
        const rows = namedRows(answer) as Row[];
        return rowCount !== null && /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command) ? { rows, numAffectedRows: BigInt(rowCount) } : { rows };
      },
      streamQuery: () => {
        throw new Error("Long results are read by COPY (copy.ts)");
      },
      begin() {
        isInTransaction = true;
        ahead = [begin];
      },
      async commit() {
        // No statement was sent, so there is nothing to commit.
        if (ahead[0] === begin && ahead.length === 1) ahead = [];
        else if ((await run(commit)).command !== "COMMIT") throw new Error("The transaction was rolled back: a statement of it had failed");
        isInTransaction = false;
      },
      async rollback() {
        const isBegun = ahead[0] !== begin;
        ahead = [];
        try {
          if (isBegun) await run(rollback);
        } finally {
          isInTransaction = false;
        }
      },
      release() {
        isUnlimited = false;
        client.release(openedWith !== statements);
      },
    };
  }

  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      const client = await pool.connect();
      const known = connections.get(client) ?? open(client);
      connections.set(client, known);
      return known;
    },
    beginTransaction: async (connection) => (connection as PreparingConnection).begin(),
    commitTransaction: (connection) => (connection as PreparingConnection).commit(),
    rollbackTransaction: (connection) => (connection as PreparingConnection).rollback(),
    releaseConnection: async (connection) => (connection as PreparingConnection).release(),
    destroy: () => pool.end(),
  };
}
