import type { Transaction } from "kysely";
import pg from "pg";

import type { Database } from "./connect.ts";
import { isOutdated } from "./prepared.ts";
import type { DB } from "../schema.ts";

/** PostgreSQL's codes for a serialization failure and a deadlock: the transaction was rolled back for others and can be tried again. */
const undoneForOthers = new Set(["40001", "40P01"]);
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
      const isUndone = error instanceof pg.DatabaseError && (undoneForOthers.has(error.code ?? "") || undone.includes(error.code ?? ""));
      if (!(isUndone || isOutdated(error)) || attempt === mostAttempts) throw error;
    }
  }
}
