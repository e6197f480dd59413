import { type Migration, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { buildIndexes } from "../../db/concurrentIndexes.ts";
import { poolOf } from "../../db/engine/connect.ts";
import { listPlannedMigrations } from "../../db/migrationPlan.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

/** Indexes on tables in use: they are built while others save, and built again after an interrupted build. */

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
const isValid = async (name: string) =>
  (
    await sql<{ whole: boolean }>`
      select indisvalid as whole from pg_index where indexrelid = to_regclass(${name})`.execute(database.db)
  ).rows[0]?.whole;

test("an index is built while others save, and waits for transactions that have already written", async () => {
  const [saver, other] = [await poolOf(database.db).connect(), await poolOf(database.db).connect()];
  await saver.query(
    "begin; update tdb set file_name = file_name where tdb_uuid = (select min(tdb_uuid::text)::uuid from tdb)",
  );
  let isDone = false;
  const built = buildIndexes(database.db, byName).then(() => (isDone = true));
  await expect.poll(() => isValid("tdb_by_name")).toBe(false);
  await other.query(
    "set lock_timeout = '5s'; update tdb set file_name = file_name where tdb_uuid = (select max(tdb_uuid::text)::uuid from tdb)",
  );
  expect(isDone).toBe(false);
  await saver.query("rollback");
  await built;
  expect(await isValid("tdb_by_name")).toBe(true);
  // The migration then finds the index.
  await byName.up(database.db);
  saver.release();
  other.release(true);
});

test("an index whose build was interrupted is built again", async () => {
  await sql`update pg_index set indisvalid = false where indexrelid = 'tdb_by_name'::regclass`.execute(database.db);
  await buildIndexes(database.db, byName);
  expect(await isValid("tdb_by_name")).toBe(true);
});

test("indexes are built ahead only for a migration that does nothing else, and the plan lists no locks for it", async () => {
  const mixed = migrationOf(
    "alter table tdb add column more text",
    "create index if not exists tdb_by_more on tdb (more)",
  );
  await buildIndexes(database.db, mixed);
  expect(await isValid("tdb_by_more")).toBe(undefined);
  const locksOf = async (migration: Migration) =>
    (await listPlannedMigrations(database.db, [{ name: "planted", migration }])).flatMap(({ steps }) =>
      steps.flatMap(({ locks }) => locks),
    );
  expect(await locksOf(byName)).toEqual([]);
  expect(await locksOf(mixed)).toEqual([
    ["tdb", "AccessExclusiveLock"],
    ["tdb", "ShareLock"],
  ]);
});

test("of two builds of the same index at once, one waits for the other without a transaction, and both succeed", async () => {
  const byVersion = migrationOf("create index if not exists tdb_by_version on tdb (library_version, file_name)");
  const saver = await poolOf(database.db).connect();
  await saver.query(
    "begin; update tdb set file_name = file_name where tdb_uuid = (select min(tdb_uuid::text)::uuid from tdb)",
  );
  let ended = 0;
  const builds = [1, 2].map(() => buildIndexes(database.db, byVersion).then(() => (ended += 1)));
  // The first build waits for the saver, the second one repeatedly tries to take the advisory lock.
  const sessions = async () => {
    const { rows } = await sql<{ statement: string; state: string; holds: number }>`
      select substring(query from 'create index concurrently|pg_try_advisory_lock') as statement, state,
        (select count(*) from pg_locks where locktype = 'advisory' and pg_locks.pid = activity.pid and granted) as holds
      from pg_stat_activity as activity
      where datname = current_database() and pid <> pg_backend_pid() and query ~ '^(create index concurrently|select pg_try_advisory_lock)' order by 1`.execute(
      database.db,
    );
    return rows;
  };
  try {
    await expect.poll(sessions).toEqual([
      { statement: "create index concurrently", state: "active", holds: 1 },
      { statement: "pg_try_advisory_lock", state: "idle", holds: 0 },
    ]);
    expect(ended).toBe(0);
  } finally {
    await saver.query("rollback");
    saver.release();
  }
  await Promise.all(builds);
  expect(await isValid("tdb_by_version")).toBe(true);
});
