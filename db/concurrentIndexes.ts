import { setTimeout } from "node:timers/promises";

import { type Migration, sql } from "kysely";

import type { Database } from "./engine/connect.ts";
import { unlimited } from "./engine/prepared.ts";
import { listIndexesOf } from "./migrationPlan.ts";

/**
 * Indexes on tables that are in use. `create index` blocks all writes to the table until it ends, and a migration is a
 * transaction, in which `create index concurrently` is not allowed. So the indexes of a migration that only adds
 * indexes are built concurrently before it runs. The migration then finds that they exist.
 */

/** The number of this advisory lock: one process builds at a time. No other advisory lock of the product has it. */
const buildLock = 20_261_125;
const pauseMs = 1000;

/**
 * Builds the indexes of such a migration. An index that an interrupted build left invalid is built again.
 *
 * @throws PostgreSQL's error
 */
export async function buildIndexes(db: Database, migration: Migration): Promise<void> {
  const indexes = await listIndexesOf(migration);
  if (indexes.length === 0) return;
  await db.connection().execute(async (connection) => {
    // Tried repeatedly instead of waiting: a waiting transaction would delay the concurrent build.
    const take = () => sql<{ taken: boolean }>`select pg_try_advisory_lock(${buildLock}) as taken`.execute(connection);
    while (!(await take()).rows[0]!.taken) await setTimeout(pauseMs);
    try {
      // No time limit: the first line is for the session, the second for the driver.
      await sql`set statement_timeout = 0`.execute(connection);
      await sql.raw(unlimited).execute(connection);
      for (const { name, statement } of indexes) {
        const { rows } = await sql<{
          isWhole: boolean;
        }>`select indisvalid as is_whole from pg_index where indexrelid = to_regclass(${name})`.execute(connection);
        if (rows[0]?.isWhole) continue;
        if (rows[0]) await sql`drop index concurrently ${sql.ref(name)}`.execute(connection);
        await sql.raw(statement.replace(/^create index/i, "create index concurrently")).execute(connection);
      }
    } finally {
      await sql`reset statement_timeout`.execute(connection);
      await sql`select pg_advisory_unlock(${buildLock})`.execute(connection);
    }
  });
}
