import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { completeRecounts, noteRecounts } from "../../db/derived/recount.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { knownMigrations, knownNames, migrate } from "../../db/migrate.ts";
import { expectCountsHold } from "../derived/countsHold.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { readCatalogue } from "./catalogue.ts";

/**
 * Databases from before the migrations were squashed. Each is a dump of a few facilities of the demonstration, made
 * with that version after some work through its interfaces (an assessment and its correction, a token, a saved query, a
 * wrong password).
 */
const versions = ["28-migrations", "33-migrations"];

const lastFive = [
  "20261122T0620-second-factor",
  "20261122T0720-machines",
  "20261122T0810-group-measures",
  "20261122T0900-facility-fields",
  "20261122T1000-derived",
];
const squashed = knownMigrations.filter((name) => name < "20261123");
const later = knownMigrations.filter((name) => name >= "20261123");

let fresh: TestDatabase;
const opened: TestDatabase[] = [];
beforeAll(async () => {
  fresh = await testDatabase("empty");
});
afterAll(() => Promise.all([fresh, ...opened].map((database) => database.drop())));

async function former(version: string): Promise<TestDatabase> {
  const database = await testDatabase("bare");
  opened.push(database);
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query(gunzipSync(readFileSync(`test/system/former/${version}.sql.gz`)).toString("utf8"));
  await client.end();
  return database;
}

const executed = async (handle: Handle) => {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(handle);
  return rows.map(({ name }) => name);
};

/** Tables of what people entered, not of what is computed from it. */
const written = [
  ...[
    "province",
    "district",
    "implementing_partner",
    "service_area",
    "smartcare_version",
    "connectivity_type",
    "connectivity_provider",
    "app_user",
    "access_token",
  ],
  ...[
    "seal_key",
    "facility",
    "facility_service_area",
    "assessment",
    "service_area_assessment",
    "assessment_revision",
    "tdb",
    "tdb_computer",
    "tdb_irregularity",
  ],
  ...["download", "saved_query", "audit_event"],
];
type Row = Record<string, unknown>;
async function readWritten(handle: Handle): Promise<Record<string, Row[]>> {
  const tables = written.map(async (name) => {
    const { rows } = await sql<{
      row: Row;
    }>`select to_jsonb(r) as row from ${sql.table(name)} r order by r::text`.execute(handle);
    return [name, rows.map(({ row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}
/** The rows with only the columns that the earlier rows had, sorted. */
const withColumnsOf = (rows: Row[], earlier: Row[]) =>
  rows
    .map((row) => JSON.stringify(Object.fromEntries(Object.keys(earlier[0]!).map((name) => [name, row[name]]))))
    .toSorted();

describe.each(versions)("a database with %s", (version) => {
  test("gets the schema of a new one, and keeps its rows", async () => {
    const { db } = await former(version);
    const before = await readWritten(db);
    for (const name of written) expect(before[name]!.length, name).toBeGreaterThan(0);
    const ran = await Promise.all([migrate(db), migrate(db), migrate(db)]);
    // Of the three concurrent starts, only one runs each migration.
    expect(ran.flat().toSorted()).toEqual([...(version === "28-migrations" ? lastFive : []), ...later]);
    expect(await executed(db)).toEqual(knownMigrations);
    expect(await readCatalogue(db)).toEqual(await readCatalogue(fresh.db));
    const after = await readWritten(db);
    for (const name of written)
      expect(withColumnsOf(after[name]!, before[name]!), name).toEqual(withColumnsOf(before[name]!, before[name]!));
    expect(await migrate(db)).toEqual([]);
  });

  test("has the figures of a recount when it is served", async () => {
    const { db } = await former(version);
    const { rows: before } =
      await sql`select period, period_start, sum(staff_trained) as trained, sum(facilities) as facilities from place_answer_rollup group by 1, 2 order by 1, 2`.execute(
        db,
      );
    await migrate(db);
    await noteRecounts(db, { rhythmDays: 30 });
    // A later migration than the 33 (facility-state) adds derived tables, so both databases are counted before they are
    // served.
    expect(await completeRecounts(db)).toBe(true);
    expect((await sql`select from recount`.execute(db)).rows).toEqual([]);
    expect(await completeRecounts(db)).toBe(false);
    const { rows: after } =
      await sql`select period, period_start, sum(staff_trained) as trained, sum(facilities) as facilities from place_answer_rollup group by 1, 2 order by 1, 2`.execute(
        db,
      );
    expect(after).toEqual(before);
    await expectCountsHold(db);
  });
});

test("a database that is too old is refused, and not changed", async () => {
  const { db } = await former("28-migrations");
  const names = await executed(db);
  const refusal =
    "The database is too old for this version: upgrade it first with the version whose last migration is 20261122T1000-derived.";
  await sql`delete from kysely_migration where name = ${names.at(-1)}`.execute(db);
  await expect(migrate(db)).rejects.toThrow(refusal);
  // One in the middle is missing, so the state of that database is unknown.
  await sql`insert into kysely_migration (name, timestamp) values (${names.at(-1)}, ''), ('20261122T0720-machines', '')`.execute(
    db,
  );
  await expect(migrate(db)).rejects.toThrow(refusal);
  expect(await executed(db)).toEqual([...names, "20261122T0720-machines"]);
});

test("the migration names of an old backup are mapped to today's names, unless it is too old", async () => {
  const [old, last] = await Promise.all(versions.map(async (version) => executed((await former(version)).db)));
  expect(knownNames(last!)).toEqual(squashed);
  expect(knownNames([...last!, "20261123T0000-later"])).toEqual([...squashed, "20261123T0000-later"]);
  expect(knownNames(old!)).toBeNull();
  expect(knownNames(knownMigrations)).toEqual(knownMigrations);
  expect(knownNames([])).toEqual([]);
});
