import { type Migration, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { buildIndexes } from "../../db/concurrentIndexes.ts";
import { poolOf } from "../../db/engine/connect.ts";
import { listPlannedMigrations } from "../../db/migrationPlan.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

/** Indexes on tables in use: built beside whoever saves, and built again where that was ended. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("demo");
});
afterAll(() => database.drop());

const migrationOf = (...statements: string[]): Migration => ({
  up: async (on) => {
    for (const statement of statements) await sql.raw(statement).execute(on);
  },
});
const byName = migrationOf("create index if not exists tdb_by_name on tdb (file_name)");
const isWhole = async (name: string) => (await sql<{ whole: boolean }>`select indisvalid as whole from pg_index where indexrelid = to_regclass(${name})`.execute(database.db)).rows[0]?.whole;

test("an index is built while others save, and waits for who saves already", async () => {
  const [saver, other] = [await poolOf(database.db).connect(), await poolOf(database.db).connect()];
  await saver.query("begin; update tdb set file_name = file_name where tdb_uuid = (select min(tdb_uuid::text)::uuid from tdb)");
  let isDone = false;
  const built = buildIndexes(database.db, byName).then(() => (isDone = true));
  await expect.poll(() => isWhole("tdb_by_name")).toBe(false);
  await other.query("set lock_timeout = '5s'; update tdb set file_name = file_name where tdb_uuid = (select max(tdb_uuid::text)::uuid from tdb)");
  expect(isDone).toBe(false);
  await saver.query("rollback");
  await built;
  expect(await isWhole("tdb_by_name")).toBe(true);
  // The migration finds it there.
  await byName.up(database.db);
  saver.release();
  other.release(true);
});

test("one whose building was ended is built again", async () => {
  await sql`update pg_index set indisvalid = false where indexrelid = 'tdb_by_name'::regclass`.execute(database.db);
  await buildIndexes(database.db, byName);
  expect(await isWhole("tdb_by_name")).toBe(true);
});

test("a migration that does something else too runs as it is, and the plan tells which lock holds nobody up", async () => {
  const mixed = migrationOf("alter table tdb add column more text", "create index if not exists tdb_by_more on tdb (more)");
  await buildIndexes(database.db, mixed);
  expect(await isWhole("tdb_by_more")).toBe(undefined);
  const locksOf = async (migration: Migration) => (await listPlannedMigrations(database.db, [{ name: "planted", migration }])).flatMap(({ steps }) => steps.flatMap(({ locks }) => locks));
  expect(await locksOf(byName)).toEqual([]);
  expect(await locksOf(mixed)).toEqual([["tdb", "AccessExclusiveLock"], ["tdb", "ShareLock"]]);
});

test("of two processes that build, one waits for the other", async () => {
  const alone = migrationOf("create index if not exists tdb_by_version on tdb (library_version, file_name)");
  await Promise.all([buildIndexes(database.db, alone), buildIndexes(database.db, alone)]);
  expect(await isWhole("tdb_by_version")).toBe(true);
});
