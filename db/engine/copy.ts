import { setTimeout } from "node:timers/promises";

import { createQueryId, type OperationNodeSource } from "kysely";
import pg from "pg";
import { to } from "pg-copy-streams";

import { type Handle, poolOf } from "./connect.ts";
import { NamingCompiler } from "./naming.ts";

/** Long results as bytes, in the text format of PostgreSQL's COPY. Rows are not converted here. */

/**
 * Receives the pieces of a result. A piece is valid only until the next one is requested. If another server must repeat
 * the statement, the function is called again, with the result from its beginning.
 */
export type Taker = (pieces: AsyncIterable<Buffer>) => Promise<void>;
export type Copier = (text: string, take: Taker, signal: AbortSignal) => Promise<void>;

/** The receiver failed, not the server: repeating it on another server would not help. */
export class NotTaken extends Error {
  override name = "NotTaken";
}

/** A value as an SQL literal, because COPY takes no parameters. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) {
    const items = value.map((item) => (item === null ? "NULL" : `"${String(item).replaceAll(/["\\]/g, "\\$&")}"`));
    return pg.escapeLiteral(`{${items.join()}}`);
  }
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return pg.escapeLiteral(String(value));
  throw new TypeError(`A ${typeof value} cannot be written into a COPY`);
}

class LiteralCompiler extends NamingCompiler {
  protected override appendValue(value: unknown): void {
    this.append(literal(value));
  }
}

/**
 * Begins a transaction for an export. Its time limit is ten times that of other statements, because it reads more and
 * blocks nobody.
 */
const begin = `begin read only; select set_config('statement_timeout', (10 * extract(epoch from current_setting('statement_timeout')::interval))::int || 's', true);
  select pg_backend_pid() as pid`;
const cancelWithinMs = 3000;
const pieceLength = 64 * 1024;

/** Runs a COPY on a connection of a pool. @throws NotTaken, the signal's reason, or PostgreSQL's error */
export async function copyFrom(pool: pg.Pool, text: string, take: Taker, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const client = await pool.connect();
  let broken: Error | undefined;
  let cancelled: Promise<unknown> | undefined;
  let stop = () => {};
  try {
    // The cast: for several statements in one text pg returns a list, which its types do not declare.
    const [, , about] = (await client.query(begin)) as unknown as pg.QueryResult<{ pid: number }>[];
    const copy = client.query(to(`copy (${text}) to stdout`, { highWaterMark: pieceLength }));
    copy.on("error", (error) => copy.destroy(error));
    stop = () => {
      copy.destroy(signal.reason as Error);
      // Closing the connection is not enough: while PostgreSQL sorts, it does not notice that.
      cancelled ??= Promise.race([
        pool.query("select pg_cancel_backend($1)", [about!.rows[0]!.pid]),
        setTimeout(cancelWithinMs, undefined, { ref: false }),
      ]).catch(() => {});
    };
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    try {
      await take(copy.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>);
    } catch (error) {
      signal.throwIfAborted();
      if (copy.errored) throw copy.errored;
      stop();
      throw new NotTaken("", { cause: error });
    }
    await client.query("commit");
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    // Wait before closing the connection: after that, its process number may belong to another connection.
    await cancelled;
    client.release(broken);
  }
}

/** How databases without a pool run COPY. */
const copiers = new WeakMap<Handle, Copier>();
/** The function that runs COPY on a database: its own, or by default one on a connection of its pool. */
export const copierOf = (handle: Handle): Copier =>
  copiers.get(handle) ?? ((...asked) => copyFrom(poolOf(handle), ...asked));
/** Sets the function that runs COPY on a database without a pool. */
export const copyBy = (handle: Handle, copier: Copier): void => void copiers.set(handle, copier);

/**
 * Reads all rows of a query in one statement.
 *
 * @throws what `take` throws, PostgreSQL's error, or the signal's reason: aborting cancels the statement
 */
export async function listAsBytes(
  handle: Handle,
  query: OperationNodeSource,
  take: Taker,
  signal: AbortSignal,
): Promise<void> {
  // The cast: by Kysely's types, a query's node need not be the root of a statement.
  const { sql: text } = new LiteralCompiler().compileQuery(query.toOperationNode() as never, createQueryId());
  try {
    await copierOf(handle)(text, take, signal);
  } catch (error) {
    throw error instanceof NotTaken ? error.cause : error;
  }
}
