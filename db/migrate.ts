import { type Kysely, type Migration, Migrator } from "kysely";

import { installDerived } from "./derived/install.ts";
import type { Database } from "./engine/connect.ts";
import { currentNames, replaceFormerMigrations } from "./formerMigrations.ts";

const files = import.meta.glob<Migration>("../migrations/*.ts", { eager: true });

/** Every migration by its file name, in the order of the names. */
const migrations: Record<string, Migration> = Object.fromEntries(
  Object.entries(files).map(([path, migration]) => [path.replace(/^.*\/(.*)\.ts$/, "$1"), migration]),
);

export const knownMigrations = Object.keys(migrations).toSorted();

/** The files that stand for the migrations before them (formerMigrations.ts). */
const squashed = knownMigrations.filter((name) => name < "20261123");

/**
 * The names of a backup's migrations in this code.
 *
 * @returns null if the backup is of a version that is too old for this one
 */
export const knownNames = (names: readonly string[]): string[] | null => currentNames(names, squashed);

const migratorOf = (db: Database, names = knownMigrations) =>
  new Migrator({
    db: db as Kysely<unknown>,
    provider: { getMigrations: async () => Object.fromEntries(names.map((name) => [name, migrations[name]!])) },
  });

/** The migrations of this code that the database lacks, by name. */
export async function listPendingMigrations(db: Database): Promise<string[]> {
  const known = await migratorOf(db).getMigrations();
  return known.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
}

/**
 * Brings the database up to date, once, whatever the number of instances that start together (Kysely's lock holds the others
 * back). All pending migrations run in one transaction: a failed one changes nothing. Then the functions and triggers of derived tables
 * are installed where they differ from what is declared.
 *
 * @param names runs these only, without what is derived: an earlier state, for rows that were kept in it
 * @returns the names of the migrations that ran now
 * @throws Error that names the failed migration and the reason
 */
export async function migrate(db: Database, names?: string[]): Promise<string[]> {
  const replaced = names ? [] : await replaceFormerMigrations(db, squashed);
  const { error, results = [] } = await migratorOf(db, names).migrateToLatest();
  if (error) {
    const failed = results.find((result) => result.status === "Error")?.migrationName ?? "(before the first)";
    const reason = error instanceof Error ? error.message : JSON.stringify(error);
    throw new Error(`Migration ${failed} failed, the database is unchanged: ${reason}`, { cause: error });
  }
  if (!names) await installDerived(db);
  return [...replaced, ...results.map((result) => result.migrationName)];
}
