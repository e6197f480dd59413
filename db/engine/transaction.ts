import { type Kysely, sql, type Transaction } from "kysely";
import pg from "pg";

import type { Database } from "./connect.ts";
import { AllBusy } from "./pool.ts";
import { isOutdated, isUndone, unlimited } from "./prepared.ts";
import type { DB } from "../schema.ts";

const mostAttempts = 5;

/**
 * Runs an act in one transaction. If PostgreSQL rolls it back because of a deadlock, the act is run again from its
 * start. So it must not change anything outside the database.
 *
 * @param undone further error codes of PostgreSQL for which the act is run again
 * @throws the error of the act, after the transaction was rolled back
 */
export async function transact<Result>(
  database: Database,
  act: (transaction: Transaction<DB>) => Promise<Result>,
  undone: readonly string[] = [],
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction().execute(act);
    } catch (error) {
      const isOneOf = error instanceof pg.DatabaseError && undone.includes(error.code ?? "");
      if (!(isOneOf || isUndone(error) || isOutdated(error)) || attempt === mostAttempts) throw error;
    }
  }
}

/**
 * Whether nothing of the transaction that failed with this error was committed, for sure: it never began, or PostgreSQL
 * refused a statement. When the connection or the server was lost, a commit may have been done, or may still be done.
 */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof AllBusy || (error instanceof pg.DatabaseError && !/^(08|57P|58|XX)/.test(error.code ?? ""));

/**
 * Prepares a transaction that changes tables. It has no time limit, but waits at most 2 s for a lock, because readers
 * of that table would wait behind it. In a deadlock PostgreSQL ends the transaction that checks first; this one is made
 * to check first, if its user may set `deadlock_timeout` (`deploy/roles.sql`).
 */
export async function giveWay(transaction: Kysely<unknown> | Transaction<DB>): Promise<void> {
  const on = transaction as Kysely<unknown>;
  await sql.raw(unlimited).execute(on);
  await sql`set local lock_timeout = '2s'`.execute(on);
  await sql`select set_config('deadlock_timeout', '100ms', true) where has_parameter_privilege('deadlock_timeout', 'set')`.execute(
    on,
  );
}
