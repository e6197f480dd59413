import type { Transaction } from "kysely";
import pg from "pg";

import type { Database } from "./connect.ts";
import { isOutdated, isUndone } from "./prepared.ts";
import type { DB } from "../schema.ts";

const mostAttempts = 5;

/**
 * Runs an act in one transaction. If PostgreSQL rolls it back because of a deadlock, the act is run again from its start. So it must not change anything
 * outside the database.
 *
 * @param undone more codes of PostgreSQL for which this act is run again
 * @throws what the act throws, after the transaction was rolled back
 */
export async function transact<Result>(database: Database, act: (transaction: Transaction<DB>) => Promise<Result>, undone: readonly string[] = []): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction().execute(act);
    } catch (error) {
      const isOneOf = error instanceof pg.DatabaseError && undone.includes(error.code ?? "");
      if (!(isOneOf || isUndone(error) || isOutdated(error)) || attempt === mostAttempts) throw error;
    }
  }
}
