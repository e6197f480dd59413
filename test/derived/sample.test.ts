import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { places } from "../../db/derived/places.ts";
import { findWrongDerived } from "../../db/derived/recount.ts";
import { poolOf } from "../../db/engine/connect.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

/** The doctor's comparison of derived figures: it finds wrong rows, changes nothing and does not wait for saves. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("demo");
});
afterAll(() => database?.drop());

const queries = places.recount!.differences!;
/** The positions of the queries that find a difference for a district. */
async function findDifferent(district: number): Promise<number[]> {
  const found: number[] = [];
  for (const [at, query] of queries(sql.lit(district)).entries())
    if ((await query.execute(database.db)).rows.length > 0) found.push(at);
  return found;
}

const measures = {
  place_answer_rollup: "staff_trained",
  place_count_rollup: "value",
  place_tdb_rollup: "file_size",
  place_state_rollup: "assessed",
} as const;
/** Adds to a figure of the rows that match a condition. */
const spoil = (table: keyof typeof measures, condition: string, by: number) =>
  sql`update ${sql.table(table)} set ${sql.ref(measures[table])} = ${sql.ref(measures[table])} + ${by} where ${sql.raw(condition)}`.execute(
    database.db,
  );

test("each table of counts by place is compared, for a district and for its province", async () => {
  const tables = Object.keys(places.tables) as (keyof typeof measures)[];
  expect(tables.toSorted()).toEqual(Object.keys(measures).toSorted());
  const { rows: districts } = await sql<{
    district: number;
    province: number;
  }>`select district_id as district, province_id as province from district order by 1`.execute(database.db);
  for (const { district } of districts) expect([district, await findDifferent(district)]).toEqual([district, []]);
  for (const [at, table] of tables.entries()) {
    const { rows } = await sql<{ district: number; province: number }>`
      select district_id as district, province_id as province from ${sql.table(table)} where district_id <> 0 order by 1 limit 1`.execute(
      database.db,
    );
    const { district, province } = rows[0]!;
    await spoil(table, `district_id = ${district}`, 1);
    expect([table, await findDifferent(district)]).toEqual([table, [at * 2, at * 2 + 1]]);
    await spoil(table, `district_id = ${district}`, -1);
    await spoil(table, `district_id = 0 and province_id = ${province}`, 1);
    expect([table, await findDifferent(district)]).toEqual([table, [at * 2 + 1]]);
    await spoil(table, `district_id = 0 and province_id = ${province}`, -1);
    expect(await findDifferent(district)).toEqual([]);
  }
});

test("a facility whose row names a wrong district is found in that district", async () => {
  const { rows } = await sql<{ facility: string; district: number; other: number }>`
    select facility_uuid as facility, r.district_id as district, (select d.district_id from district d where d.province_id = r.province_id and d.district_id <> r.district_id limit 1) as other
    from tdb_rollup r order by 1 limit 1`.execute(database.db);
  const { facility, district, other } = rows[0]!;
  const move = (to: number) =>
    sql`update tdb_rollup set district_id = ${to} where facility_uuid = ${facility}`.execute(database.db);
  await move(other);
  expect(await findDifferent(other)).not.toEqual([]);
  await move(district);
  expect(await findDifferent(other)).toEqual([]);
});

test("the sample of places does not wait for an open save, and finds no differences", async () => {
  const saver = await poolOf(database.db).connect();
  await saver.query(
    "begin; update place_answer_rollup set facilities = facilities + 1; update place_state_rollup set assessed = assessed; update tdb_silence set due_day = due_day",
  );
  for (const query of queries(sql`(select min(district_id) from district)`))
    expect((await query.execute(database.db)).rows).toEqual([]);
  await saver.query("rollback");
  saver.release();
  expect(await findWrongDerived(database.db, { facilities: 3 })).toEqual([]);
});
