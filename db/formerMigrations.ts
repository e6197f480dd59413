import { type Kysely, type Migration, sql } from "kysely";

import type { Database, Handle } from "./engine/connect.ts";
import { unlimited } from "./engine/prepared.ts";
import { transact } from "./engine/transaction.ts";

/**
 * Databases from before the migrations were squashed. The squashed files create the schema that the 33 former
 * migrations had built. In a database with at least the first 28 of them, the missing ones (kept in migrations/before/)
 * are run. Then the names of the squashed files are recorded in place of the former names.
 */

const files = import.meta.glob<Migration>("../migrations/before/*.ts", { eager: true });
const kept = Object.entries(files)
  .map(([path, migration]) => ({ name: path.replace(/^.*\/(.*)\.ts$/, "$1"), migration }))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** The former migrations that are no longer kept. */
const dropped = [
  ...[
    "0T1000-search-key",
    "0T1010-reference",
    "0T1020-user",
    "0T1030-facility",
    "0T1040-assessment",
    "0T1050-tdb",
    "0T1060-download",
    "0T1070-audit",
  ],
  ...[
    "1T0100-search-typos",
    "1T0110-user-search",
    "1T0200-changes",
    "1T0210-silent-sites",
    "1T0220-graph",
    "1T0230-saved-query",
    "1T0240-assessment-by-mode",
  ],
  ...[
    "1T0250-tdb-sorts",
    "1T0300-last-write",
    "1T0310-tdb-covering",
    "1T0311-place-rollups",
    "1T0410-changes-once",
    "1T0411-place-stripes",
    "1T0420-place-tdbs",
  ],
  ...[
    "1T0430-facility-name-key",
    "1T0500-assessments-by-week",
    "2T0100-seal-key",
    "2T0300-visit-time",
    "2T0600-guesses",
    "2T0610-token-address",
  ],
].map((name) => `2026112${name}`);
const former = [...dropped, ...kept.map(({ name }) => name)];

/** Whether this is the name of a migration from before the squash. */
export const isFormer = (name: string): boolean => former.includes(name);

/** The kept migrations that a database lacks after it has run these former ones. */
function listMissing(executed: readonly string[]): typeof kept {
  const missing = former.slice(executed.length);
  if (executed.length < dropped.length || missing.some((name) => executed.includes(name)))
    throw new Error(
      `The database is too old for this version: upgrade it first with the version whose last migration is ${former.at(-1)}.`,
    );
  return kept.filter(({ name }) => missing.includes(name));
}

/** The former migrations that a database lacks; none if it never ran any of them. @throws Error if it is too old */
export function listFormerPending(executed: readonly string[]): typeof kept {
  const known = executed.filter((name) => former.includes(name));
  return known.length === 0 ? [] : listMissing(known);
}

/** The names of all migrations that were executed in a database. */
export async function listExecuted(handle: Handle): Promise<string[]> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(
    handle,
  );
  if (!rows[0]!.there) return [];
  const { rows: executed } = await sql<{ name: string }>`select name from kysely_migration`.execute(handle);
  return executed.map(({ name }) => name);
}

/**
 * The names by which the migrations of a backup are known today.
 *
 * @returns null if the backup is of a version before the last former migration
 */
export function currentNames(executed: readonly string[], squashed: readonly string[]): string[] | null {
  if (!executed.some((name) => former.includes(name))) return [...executed];
  if (!former.every((name) => executed.includes(name))) return null;
  return [...squashed, ...executed.filter((name) => !former.includes(name))];
}

/** The advisory lock of Kysely's migrator, so that one process migrates at a time. */
const migrationLock = 3_853_314_791_062_309_107n;

/**
 * Brings a database with former migrations to the squashed ones, in one transaction.
 *
 * @returns the names of the migrations that ran now
 * @throws Error that says what to do if the database is too old; it is unchanged
 */
export async function replaceFormerMigrations(db: Database, squashed: readonly string[]): Promise<string[]> {
  if (!(await listExecuted(db)).some((name) => former.includes(name))) return [];
  return transact(db, async (transaction) => {
    await sql.raw(unlimited).execute(transaction);
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(transaction);
    const executed = (await listExecuted(transaction)).filter((name) => former.includes(name));
    // Another process may have done it meanwhile.
    if (executed.length === 0) return [];
    const missing = listMissing(executed);
    for (const { migration } of missing) await migration.up(transaction as Handle as Kysely<unknown>);
    await sql`delete from kysely_migration where name = any(${former})`.execute(transaction);
    const at = new Date().toISOString();
    await sql`insert into kysely_migration (name, timestamp) select name, ${at} from unnest(${[...squashed]}::text[]) as name`.execute(
      transaction,
    );
    return missing.map(({ name }) => name);
  });
}
