import { setTimeout } from "node:timers/promises";

import { type Kysely, type Migration, Migrator, sql } from "kysely";

import { buildIndexes } from "./concurrentIndexes.ts";
import { installDerived } from "./derived/install.ts";
import { listLongTransactions } from "./doctor.ts";
import type { Database } from "./engine/connect.ts";
import { giveWay } from "./engine/transaction.ts";
import { currentNames, isFormer, listExecuted, listFormerPending, replaceFormerMigrations } from "./formerMigrations.ts";

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

/** A migration may take its time, but gives way to whoever reads or saves. Then all is tried again. */
const hasty = (migration: Migration): Migration => ({
  up: async (transaction) => {
    await giveWay(transaction);
    await migration.up(transaction);
  },
});

/** What a newer version did that this one can work with. It stands in the list so that Kysely finds every name that was executed. */
const ofNewerVersion: Migration = { up: () => Promise.reject(new Error("This migration is of a newer version.")) };

const migratorOf = (db: Database, names: readonly string[] = knownMigrations, newer: readonly string[] = []) =>
  new Migrator({
    db: db as Kysely<unknown>,
    provider: {
      getMigrations: async () => Object.fromEntries([...names.map((name) => [name, hasty(migrations[name]!)]), ...newer.map((name) => [name, ofNewerVersion])]),
    },
  });

/** A migration whose name ends so adds what earlier versions can ignore. */
const expands = (name: string): boolean => name.endsWith("-expand");

/** The migrations of the database that this code does not know: a newer version ran them. `canServe`: this version works with them all the same. */
export async function findNewerMigrations(db: Database): Promise<{ names: string[]; canServe: boolean }> {
  const names = (await listExecuted(db)).filter((name) => !knownMigrations.includes(name) && !isFormer(name)).toSorted();
  return { names, canServe: names.every(expands) };
}

/**
 * Codes of PostgreSQL: a lock was not to be had within its time limit, a statement (the wait for another migrating process) within its own, or
 * somebody who saves held what the migration wants and wanted what it held.
 */
const heldBack = new Set(["55P03", "57014", "40P01"]);
/** … of a user who lacks the right. */
const forbidden = "42501";
const pauseMs = 3000;
const patienceMs = 30 * 60 * 1000;

/** The migrations of this code that the database lacks, by name. */
export async function listPendingMigrations(db: Database): Promise<string[]> {
  const { names } = await findNewerMigrations(db);
  const known = await migratorOf(db, knownMigrations, names).getMigrations();
  return known.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
}

/** The files of the migrations that would run now, also in a database from before they were squashed. @throws Error if it is too new or too old */
export async function listPendingFiles(db: Database): Promise<{ name: string; migration: Migration }[]> {
  await refuseNewer(db);
  const executed = await listExecuted(db);
  const names = executed.some(isFormer) ? knownMigrations.filter((name) => !squashed.includes(name)) : knownMigrations;
  const missing = names.filter((name) => !executed.includes(name)).map((name) => ({ name, migration: migrations[name]! }));
  return [...listFormerPending(executed), ...missing];
}

const versionSetting = "migrated_by";

/** Records which version of the product has migrated the database, for the day when an older one is started. */
export async function upsertMigratedBy(db: Database, version: string): Promise<void> {
  const value = JSON.stringify({ version, at: new Date().toISOString() });
  await sql`insert into setting (name, value) values (${versionSetting}, ${value}) on conflict (name) do update set value = excluded.value`.execute(db);
}

/** @throws Error that says which version the database needs, and what to do */
async function refuseNewer(db: Database): Promise<{ names: string[] }> {
  const newer = await findNewerMigrations(db);
  if (newer.canServe) return newer;
  const row = await db.selectFrom("setting").select("value").where("name", "=", versionSetting).executeTakeFirst();
  const { version, at } = row ? (JSON.parse(row.value) as { version: string; at: string }) : {};
  const by = version ? `version ${version} on ${at!.slice(0, 10)}` : "a newer version";
  throw new Error(
    `The database was migrated by ${by} (${newer.names.join(", ")}). Start that version, or a newer one. To go back to this version, restore the backup that was made before the upgrade.`,
  );
}

/** Is told who may hold a lock that is waited for, before each further attempt. */
export type OnWait = (holders: Awaited<ReturnType<typeof listLongTransactions>>) => void | Promise<void>;

/** Runs an act that gives way where a lock is not to be had: again every few seconds, for half an hour. @throws what the act throws otherwise */
export async function untilFree<Result>(db: Database, act: () => Promise<Result>, onWait: OnWait): Promise<Result> {
  for (const end = Date.now() + patienceMs; ; ) {
    try {
      return await act();
    } catch (error) {
      const { code: own, cause } = error as { code?: string; cause?: { code?: string } };
      if (!heldBack.has(own ?? cause?.code ?? "") || Date.now() > end) throw error;
      await onWait(await listLongTransactions(db, { minutes: 0 }));
      await setTimeout(pauseMs);
    }
  }
}

/**
 * Brings the database up to date, once, whatever the number of instances that start together (Kysely's lock holds the others
 * back). Each runs in a transaction of its own, so that one waits for few tables at a time and holds them shortly: a failed one changes
 * nothing, and those before it are done. A database without any gets all of them in one transaction. Then the functions and triggers of derived
 * tables are installed where they differ from what is declared.
 *
 * @param names runs these only, without what is derived: an earlier state, for rows that were kept in it
 * @returns the names of the migrations that ran now
 * @throws Error that names the failed migration and the reason
 */
export async function migrate(db: Database, names?: string[], onWait: OnWait = () => {}): Promise<string[]> {
  const ran: string[] = [];
  try {
    await untilFree(db, () => migrateOnce(db, ran, names), onWait);
    return ran;
  } catch (error) {
    const { code, cause } = error as { code?: string; cause?: { code?: string } };
    if ((code ?? cause?.code) !== forbidden) throw error;
    throw new Error("The database must be upgraded first, and this user may not change its tables. As their owner: DATABASE_URL=postgres://platform_owner:…@… npm run migrate", { cause: error });
  }
}

/** @param ran takes the names of those that are done, also where a later one fails */
async function migrateOnce(db: Database, ran: string[], names?: string[]): Promise<void> {
  const newer = await refuseNewer(db);
  if (!names) ran.push(...(await replaceFormerMigrations(db, squashed)));
  const migrator = migratorOf(db, names, newer.names);
  const isInUse = !names && (await listExecuted(db)).length > 0;
  for (let isDone = false; !isDone; ) {
    const next = isInUse ? (await migrator.getMigrations()).find(({ executedAt }) => !executedAt) : undefined;
    if (next) await buildIndexes(db, migrations[next.name]!);
    const { error, results = [] } = await (isInUse ? migrator.migrateUp() : migrator.migrateToLatest());
    if (error) {
      const failed = results.find((result) => result.status === "Error")?.migrationName;
      const reason = error instanceof Error ? error.message : JSON.stringify(error);
      throw new Error(failed ? `Migration ${failed} failed and has changed nothing: ${reason}` : `The migrations could not be run: ${reason}`, { cause: error });
    }
    ran.push(...results.map((result) => result.migrationName));
    isDone = !isInUse || results.length === 0;
  }
  if (!names) await installDerived(db);
}
