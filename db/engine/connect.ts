import { Kysely, type Transaction } from "kysely";
import pg from "pg";

import { NamingDialect } from "./naming.ts";
import { Connections } from "./pool.ts";
import { preparingPool } from "./prepared.ts";
import { cut } from "./away/silent.ts";
import type { DB } from "../schema.ts";

/** A connection or a transaction: the first parameter of every function in db. */
export type Handle = Kysely<DB> | Transaction<DB>;
export type Database = Kysely<DB>;

/** Where PostgreSQL is: an address, or the parts of one (the embedded server's socket folder). */
export type Connection = string | { host: string; port: number; user: string; database: string };

const { builtins } = pg.types;

/** Dates stay the strings that PostgreSQL wrote. Counts (int8) become numbers if a number can hold them. */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.DATE, (text) => text],
  [
    builtins.INT8,
    (text) => {
      const value = Number(text);
      return Number.isSafeInteger(value) ? value : text;
    },
  ],
]);

type Opened = { pool: Connections; connections: Set<pg.ClientBase>; onLost: (() => void)[] };
const opened = new WeakMap<Database, Opened>();

/**
 * PostgreSQL cancels a statement at its time limit. If there is no answer within this many seconds after that, the
 * connection is dead.
 */
const graceSeconds = 5;

/**
 * How long an unused connection stays open. A new one plans everything again: its first save takes nine times the CPU
 * of a later one. The connection used last is taken first, so those of a busy minute close after it.
 */
const idleMilliseconds = 10 * 60_000;

/**
 * Opens a pool. Every session of it runs in the ministry's zone, so that `assessed_at::date` is the ministry's day. A
 * statement is cancelled after `statementSeconds`; if no answer comes at all, its connection is closed. A lost
 * connection is reported to `onError` and replaced at the next use. Waiting for a connection ends after 3 s. `helpers`:
 * how many parallel workers PostgreSQL may use.
 */
export function connect(
  connection: Connection,
  timeZone: string,
  onError: (error: Error) => void,
  max = 10,
  statementSeconds = 30,
  helpers = 2,
): Database {
  const pool = new Connections({
    ...(typeof connection === "string" ? { connectionString: connection } : connection),
    max,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: idleMilliseconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: `-c TimeZone=${timeZone} -c statement_timeout=${statementSeconds}s -c idle_in_transaction_session_timeout=60s -c pg_trgm.word_similarity_threshold=0.5 -c jit=off -c max_parallel_workers_per_gather=${helpers}`,
    types: {
      getTypeParser: ((oid: number, format?: "text" | "binary") =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser,
    },
  });
  pool.on("error", onError);
  const own: Opened = { pool, connections: new Set(), onLost: [] };
  pool.on("connect", (client) => {
    own.connections.add(client);
    client
      .on("error", () => own.onLost.forEach((notify) => notify()))
      .on("error", onError)
      .once("end", () => own.connections.delete(client));
  });
  const db = new Kysely<DB>({
    dialect: new NamingDialect({ pool: preparingPool(pool, { silentSeconds: statementSeconds + graceSeconds }) }),
  });
  opened.set(db, own);
  return db;
}

function openedBy(db: Database): Opened {
  const own = opened.get(db);
  if (!own) throw new Error("This database was not opened by connect()");
  return own;
}

/**
 * A pool's connections: how many are open, busy and allowed (`most`), how many statements wait for one, and the total
 * seconds that statements have waited.
 */
export function poolUse(db: Database): {
  open: number;
  busy: number;
  waiting: number;
  waitedSeconds: number;
  most: number;
} {
  const { totalCount, idleCount, waitingCount, waitedSeconds, options } = openedBy(db).pool;
  return { open: totalCount, busy: totalCount - idleCount, waiting: waitingCount, waitedSeconds, most: options.max };
}

/** The pool behind a database, for a library that brings its own SQL. */
export const poolOf = (db: Database): pg.Pool => openedBy(db).pool;

/** Closes all connections immediately: their statements fail, and new connections are opened. */
export function cutConnections(db: Database): void {
  for (const client of openedBy(db).connections) cut(client);
}

/** Calls `notify` for each connection that was lost. The next connection may lead to another server. */
export function onLostConnection(db: Database, notify: () => void): void {
  openedBy(db).onLost.push(notify);
}

/** Records whether the database is known to be unreachable, so that a failed wait for a connection can say why. */
export function setAway(db: Database, isAway: boolean): void {
  openedBy(db).pool.isAway = isAway;
}
