import { setTimeout } from "node:timers/promises";

import { type Kysely, type Migration, Migrator, sql } from "kysely";

import { buildIndexes } from "./concurrentIndexes.ts";
import { installDerived } from "./derived/install.ts";
import { listLongTransactions } from "./system/doctor.ts";
import type { Database } from "./engine/connect.ts";
import { giveWay } from "./engine/transaction.ts";

const files = import.meta.glob<Migration>("../migrations/*.ts", { eager: true });

/** Every migration by its file name, in the order of the names. */
const migrations: Record<string, Migration> = Object.fromEntries(
  Object.entries(files).map(([path, migration]) => [path.replace(/^.*\/(.*)\.ts$/, "$1"), migration]),
);

export const knownMigrations = Object.keys(migrations).toSorted();

/**
 * A migration has no time limit of its own, but it does not wait long for a lock that readers or writers hold: it
 * fails, and is tried again.
 */
const hasty = (migration: Migration): Migration => ({
  up: async (transaction) => {
    await giveWay(transaction);
    await migration.up(transaction);
  },
});

/**
 * Stands for a migration of a newer version that this version can work with. Kysely demands that every name that was
 * executed is in its list.
 */
const ofNewerVersion: Migration = { up: () => Promise.reject(new Error("This migration is of a newer version.")) };

const migratorOf = (db: Database, names: readonly string[] = knownMigrations, newer: readonly string[] = []) =>
  new Migrator({
    db: db as Kysely<unknown>,
    provider: {
      getMigrations: async () =>
        Object.fromEntries([
          ...names.map((name) => [name, hasty(migrations[name]!)]),
          ...newer.map((name) => [name, ofNewerVersion]),
        ]),
    },
  });

/** The names of all migrations that were executed in a database. */
async function listExecuted(db: Database): Promise<string[]> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(
    db,
  );
  if (!rows[0]!.there) return [];
  const { rows: executed } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return executed.map(({ name }) => name);
}

/** A migration whose name ends in `-expand` only adds what earlier versions can ignore. */
const expands = (name: string): boolean => name.endsWith("-expand");

/**
 * The migrations of the database that this code does not know, because a newer version ran them. `canServe`: this
 * version can work with the database.
 */
export async function findNewerMigrations(db: Database): Promise<{ names: string[]; canServe: boolean }> {
  const names = (await listExecuted(db)).filter((name) => !knownMigrations.includes(name)).toSorted();
  return { names, canServe: names.every(expands) };
}

/**
 * Error codes of PostgreSQL that are tried again: the time limit of a lock, the time limit of a statement (the wait for
 * another migrating process), and a deadlock with a transaction of somebody who saves.
 */
const heldBack = new Set(["55P03", "57014", "40P01"]);
/** The error code of PostgreSQL for a missing right. */
const forbidden = "42501";
const pauseMs = 3000;
const patienceMs = 30 * 60 * 1000;

/** The migrations of this code that the database lacks, by name. `isFirst`: it has none, and so no table. */
export async function listPendingMigrations(db: Database): Promise<{ names: string[]; isFirst: boolean }> {
  const executed = await listExecuted(db);
  const names = knownMigrations.filter((name) => !executed.includes(name));
  return { names, isFirst: names.length === knownMigrations.length };
}

/** The files of the migrations that would run now. @throws Error if the database is too new */
export async function listPendingFiles(db: Database): Promise<{ name: string; migration: Migration }[]> {
  await refuseNewer(db);
  const { names } = await listPendingMigrations(db);
  return names.map((name) => ({ name, migration: migrations[name]! }));
}

const versionSetting = "migrated_by";

/**
 * Records which version of the product has migrated the database. An older version that is started later names it in
 * its error.
 */
export async function upsertMigratedBy(db: Database, version: string): Promise<void> {
  const value = JSON.stringify({ version, at: new Date().toISOString() });
  await sql`insert into setting (name, value) values (${versionSetting}, ${value}) on conflict (name) do update set value = excluded.value`.execute(
    db,
  );
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

/** Called before each further attempt, with the transactions that may hold the lock that is waited for. */
export type OnWait = (holders: Awaited<ReturnType<typeof listLongTransactions>>) => void | Promise<void>;

/**
 * Runs an act, and runs it again every few seconds for half an hour as long as it fails for a lock (`heldBack`).
 * @throws any other error of the act
 */
export async function untilFree<Result>(db: Database, act: () => Promise<Result>, onWait: OnWait): Promise<Result> {
  for (const end = Date.now() + patienceMs; ;) {
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
 * Runs the migrations that the database lacks. If several instances start together, one does so (Kysely's lock makes
 * the others wait). Each migration runs in its own transaction, so that it locks few tables, and shortly: one that
 * fails changes nothing, and those before it are done. In an empty database all run in one transaction. Then the
 * functions and triggers of derived tables are installed where they differ from what is declared.
 *
 * @param names runs only these, without derived tables: a restore needs the schema of the version that made the backup
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
    throw new Error(
      "The database must be upgraded first, and this user may not change its tables. As their owner: DATABASE_URL=postgres://platform_owner:…@… npm run migrate",
      { cause: error },
    );
  }
}

/** @param ran gets the names of the migrations that are done, also if a later one fails */
async function migrateOnce(db: Database, ran: string[], names?: string[]): Promise<void> {
  const newer = await refuseNewer(db);
  const migrator = migratorOf(db, names, newer.names);
  const isInUse = !names && (await listExecuted(db)).length > 0;
  for (let isDone = false; !isDone;) {
    if (isInUse) {
      const [next] = (await listPendingMigrations(db)).names;
      if (!next) break;
      await buildIndexes(db, migrations[next]!);
    }
    const { error, results = [] } = await (isInUse ? migrator.migrateUp() : migrator.migrateToLatest());
    if (error) {
      const failed = results.find((result) => result.status === "Error")?.migrationName;
      const reason = error instanceof Error ? error.message : JSON.stringify(error);
      throw new Error(
        failed
          ? `Migration ${failed} failed and has changed nothing: ${reason}`
          : `The migrations could not be run: ${reason}`,
        { cause: error },
      );
    }
    ran.push(...results.map((result) => result.migrationName));
    isDone = !isInUse || results.length === 0;
  }
  if (!names) await installDerived(db);
}
