import type { Transaction } from "kysely";
import pg from "pg";

import type { Database } from "./connect.ts";
import { isOutdated } from "./prepared.ts";
import type { DB } from "../schema.ts";

/** What PostgreSQL says when it undid a transaction so that others could go on: nothing is wrong with it, it is to be tried again. */
const undoneForOthers = new Set(["40001", "40P01"]);
const mostAttempts = 5;

/**
 * Runs an act in one transaction. When two transactions waited for each other and PostgreSQL undid this one, the act is run
 * again from its start, so it must change nothing but the database.
 *
 * @throws what the act throws, after everything it wrote was undone
 */
export async function transact<Result>(database: Database, act: (transaction: Transaction<DB>) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction().execute(act);
    } catch (error) {
      const isUndone = error instanceof pg.DatabaseError && undoneForOthers.has(error.code ?? "");
      if (!(isUndone || isOutdated(error)) || attempt === mostAttempts) throw error;
    }
  }
}
