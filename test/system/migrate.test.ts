import { execFile } from "node:child_process";

import { type Migration, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Database } from "../../db/engine/connect.ts";
import { knownMigrations, listPendingFiles, migrate } from "../../db/migrate.ts";
import { listIndexesOf, listPlannedMigrations, strongestLocks } from "../../db/migrationPlan.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { readCatalogue } from "./catalogue.ts";

/** `npm run migrate`: its plan is correct and changes nothing; it upgrades older databases and refuses newer ones. */

const opened: TestDatabase[] = [];
let empty: TestDatabase;
beforeAll(async () => {
  empty = await newDatabase("empty");
});
afterAll(() => Promise.all(opened.map((database) => database.drop())));
async function newDatabase(from: "bare" | "empty"): Promise<TestDatabase> {
  const database = await testDatabase(from);
  opened.push(database);
  return database;
}

/** The command as an operator runs it. */
function command({ url }: TestDatabase, ...args: string[]): Promise<{ code: number; lines: string[] }> {
  const { PATH = "", HOME = "" } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["gateway/start.mjs", "migrate", ...args],
      { env: { PATH, HOME, DATABASE_URL: url } },
      (error, stdout, stderr) =>
        resolve({ code: error ? (error.code as number) : 0, lines: (stdout + stderr).trim().split("\n") }),
    );
  });
}

const executed = async (db: Database) =>
  (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  );

class RolledBack extends Error {}

/** The locks that PostgreSQL takes for a migration on existing tables, without those that block nobody. */
async function locksTaken(db: Database, migration: Migration): Promise<string[]> {
  const { rows: before } = await sql<{ oid: number; name: string }>`
    select oid::int, relname::text as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(
    db,
  );
  let taken: string[] = [];
  await db
    .transaction()
    .execute(async (transaction) => {
      await migration.up(transaction);
      const { rows } = await sql<{ lock: string }>`
        select distinct relname || ' ' || mode as lock from pg_locks join unnest(${before.map(({ oid }) => oid)}::int[], ${before.map(({ name }) => name)}::text[]) as table_before (oid, relname) on oid = relation::int
        where pid = pg_backend_pid() and mode not in ('AccessShareLock', 'RowShareLock')`.execute(transaction);
      taken = rows.map(({ lock }) => lock);
      throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  return taken;
}

/** The strongest lock of each table. */
function strongest(taken: string[]): string[] {
  const order = ["RowExclusiveLock", "ShareLock", "ShareRowExclusiveLock", "AccessExclusiveLock"];
  const by = new Map<string, string>();
  for (const [table, mode] of taken.map((lock) => lock.split(" ") as [string, string]))
    if (order.indexOf(mode) > order.indexOf(by.get(table) ?? "")) by.set(table, mode);
  return [...by].map(([table, mode]) => `${table} ${mode}`).toSorted();
}

const locksPlanned = async (db: Database, name: string, migration: Migration): Promise<string[]> =>
  [...strongestLocks(await listPlannedMigrations(db, [{ name, migration }]))]
    .map(([table, { lock }]) => `${table} ${lock}`)
    .toSorted();

test("the planned locks are those that PostgreSQL takes, for each existing migration", async () => {
  const { db } = await newDatabase("bare");
  for (const [at, name] of knownMigrations.entries()) {
    await migrate(db, knownMigrations.slice(0, at));
    const [next] = await listPendingFiles(db);
    expect(next!.name).toBe(name);
    const isOfIndexes = (await listIndexesOf(next!.migration)).length > 0;
    // Indexes are built concurrently before their migration (db/concurrentIndexes.ts), so writers wait for none.
    expect([name, await locksPlanned(db, name, next!.migration)]).toEqual([
      name,
      isOfIndexes ? [] : strongest(await locksTaken(db, next!.migration)),
    ]);
  }
});

test.each([
  ["alter table facility add column mark text default 'a;b', add constraint own check (mark <> ';')"],
  [
    'create table own (facility_uuid text collate "C" references facility, user_uuid uuid references app_user); create index own_one on own (user_uuid)',
  ],
  ["create unique index own on facility (latitude, facility_uuid)"],
  ["alter table worklist_note add constraint own foreign key (user_uuid) references app_user (user_uuid) not valid"],
  ["drop index worklist_note_of_entry, worklist_note_of_user"],
  ["drop table worklist_note"],
  ["alter table worklist_note drop constraint worklist_note_user_uuid_fkey"],
  ["alter table worklist_note drop column facility_uuid, add column mark boolean"],
  ["truncate worklist_note, boundary"],
  ["update facility set latitude = 1 -- one; two\n where false; delete from saved_view"],
  ["insert into setting (name, value) select 'own', count(*)::text from facility"],
  [
    "create function own() returns trigger language plpgsql as $$ begin return null; end $$; create trigger own after insert on facility execute function own()",
  ],
  ["alter table tdb alter column total_patients type bigint"],
])("the planned locks are those that PostgreSQL takes: %s", async (text) => {
  const migration: Migration = { up: async (transaction) => void (await sql.raw(text).execute(transaction)) };
  const planned = await locksPlanned(empty.db, "planted", migration);
  expect(planned).toEqual(strongest(await locksTaken(empty.db, migration)));
});

test("the time for a partial index is estimated by the rows that it will contain", async () => {
  const { db } = await newDatabase("empty");
  await sql`insert into change (kind, key, created_in, withdrawn) select case when n % 100 = 0 then 'facility' else 'assessment' end, n::text, pg_current_xact_id(), false from generate_series(1, 10000) as n`.execute(
    db,
  );
  await sql`analyze change`.execute(db);
  const secondsOf = async (...texts: string[]) => {
    const up: Migration["up"] = async (on) => {
      for (const text of texts) await sql.raw(text).execute(on);
    };
    const [planned] = await listPlannedMigrations(db, [{ name: "planted", migration: { up } }]);
    return planned!.steps.reduce((sum, { seconds }) => sum + seconds, 0);
  };
  const fullIndex = await secondsOf("create index own on change (key)");
  expect(await secondsOf("create index own on change (key) where kind = 'facility'")).toBeLessThan(fullIndex / 2);
  // Nothing is known about a column that the plan adds itself.
  expect(
    await secondsOf("alter table change add column own text", "create index own on change (key) where own is null"),
  ).toBeGreaterThanOrEqual(fullIndex);
});

test("the plan refuses a statement that it does not know", async () => {
  await expect(
    listPlannedMigrations(empty.db, [
      { name: "planted", migration: { up: async (on) => void (await sql`vacuum full facility`.execute(on)) } },
    ]),
  ).rejects.toThrow("planted has a statement that the plan does not know: vacuum full facility");
});

test("a connection that is lost during the migration is reported, and the next run continues", async () => {
  const database = await newDatabase("bare");
  await migrate(database.db, knownMigrations.slice(0, -1));
  const holder = new pg.Client(database.connection);
  await holder.connect();
  const { rows } = await holder.query<{ names: string }>(
    "select string_agg(format('%I', tablename), ', ') as names from pg_tables where schemaname = 'public' and tablename !~ 'migration'",
  );
  await holder.query(`begin; lock table ${rows[0]!.names} in share row exclusive mode`);
  const lost = command(database);
  // Ends the connection while the last migration waits for a table, as when PostgreSQL is stopped.
  const end = sql<{
    ended: boolean;
  }>`select pg_terminate_backend(pid) as ended from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await end.execute(database.db)).rows.length, { timeout: 60_000 }).toBe(1);
  expect(await lost).toMatchObject({
    code: 1,
    lines: expect.arrayContaining([
      "The database is away. What was done before stays done: run this again, and it goes on.",
    ]) as string[],
  });
  await holder.end();
  expect(await command(database)).toMatchObject({
    code: 0,
    lines: expect.arrayContaining([`done       ${knownMigrations.at(-1)}`]) as string[],
  });
});

/** One facility with one visit, in a database with the first migrations only. */
const content = `
  insert into province (province_id, name) values (1, 'Central');
  insert into district (district_id, province_id, name) values (1, 1, 'Kabwe');
  insert into implementing_partner (implementing_partner_id, name) values (1, 'Partner A');
  insert into facility (facility_uuid, facility_name, hmis_code, district_id, province_id) values ('a', 'Kabwe Clinic', '1', 1, 1);
  insert into app_user (user_uuid, user_name, first_name, surname, gender, primary_email, primary_phone_number,
    implementing_partner_id, password_hash, password_temporary)
  values (gen_random_uuid(), 'visitor', 'Chola', 'Banda', 'U', 'visitor@example.org', '0977000000', 1, '', false);
  insert into assessment (assessment_uuid, facility_uuid, user_uuid, assessed_at, functionality_status_mode,
    date_of_last_upgrade, number_of_staff_trained_in_smart_care, smart_care_functional)
  select gen_random_uuid(), 'a', user_uuid, now(), 'EFirst', current_date, 1, true from app_user`;

test("an older database is planned, then upgraded as planned", async () => {
  const first = "20261123T0113-as-of";
  const database = await newDatabase("bare");
  await migrate(
    database.db,
    knownMigrations.filter((name) => name < first),
  );
  await sql.raw(content).execute(database.db);
  const [before, catalogue] = [await executed(database.db), await readCatalogue(database.db)];
  const planned = await command(database, "--plan");
  expect(planned).toMatchObject({ code: 0 });
  const named = planned.lines.filter((line) => line.startsWith("migration ")).map((line) => line.split(/[ :]+/)[1]!);
  expect(named[0]).toBe(first);
  expect(named.slice(-1)).toEqual(knownMigrations.slice(-1));
  expect(planned.lines).toContainEqual(
    expect.stringMatching(/^lock {7}facility: AccessExclusiveLock, who reads or saves waits, less than 1 s$/),
  );
  expect(planned.lines).toContainEqual(
    expect.stringMatching(/^recount +state: \d+ facilities, (less than|about) \d+ s$/),
  );
  expect(planned.lines.at(-1)).toMatch(
    /^In all (less than|about) \d+ s\. Nothing was changed\. Take a backup, then: npm run migrate$/,
  );
  expect([await executed(database.db), await readCatalogue(database.db)]).toEqual([before, catalogue]);

  const done = await command(database);
  expect(done).toMatchObject({ code: 0 });
  const ran = done.lines.filter((line) => line.startsWith("done ")).map((line) => line.split(/ +/)[1]!);
  expect(ran).toEqual(named);
  expect(done.lines.at(-1)).toBe("The database is up to date.");
  expect(await executed(database.db)).toEqual(knownMigrations);
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from recount) + (select count(*) from setting where name = 'derived_rows_missing') as left`.execute(
    database.db,
  );
  expect(rows).toEqual([{ left: 0 }]);
  expect((await command(database, "--plan")).lines).toEqual(["The database is up to date: nothing would be done."]);
  expect((await command(database)).lines).toEqual(["The database was up to date."]);
});

test("an older version reports which version the database needs, and what to do", async () => {
  const database = await newDatabase("empty");
  await sql`insert into setting (name, value) values ('migrated_by', '{"version":"7.3.0","at":"2099-02-01T10:00:00Z"}')`.execute(
    database.db,
  );
  await sql`insert into kysely_migration (name, timestamp) values ('20990101T0000-something', '2099-02-01T10:00:00Z')`.execute(
    database.db,
  );
  const line =
    "The database was migrated by version 7.3.0 on 2099-02-01 (20990101T0000-something). Start that version, or a newer one. To go back to this version, restore the backup that was made before the upgrade.";
  expect(await command(database)).toEqual({ code: 1, lines: [line] });
  expect(await command(database, "--plan")).toEqual({ code: 1, lines: [line] });
  expect((await command(database, "--plann")).code).toBe(2);
});
