import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { allDerived } from "../../db/derived/all.ts";
import { places } from "../../db/derived/places.ts";
import { recountFacilities } from "../../db/derived/recount.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

/**
 * Derived rows follow a new facility and every column of a facility. The acts update facilities without naming derived
 * tables, so only triggers can do it: a derived table that begins to depend on a column for which it has no trigger
 * fails here, by the name of the column.
 */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("demo");
});
afterAll(() => database?.drop());

/** The key, columns that the database writes itself, and the mode, which is a derived value: `latest` writes it. */
const fixed = new Set(["facility_uuid", "created_at", "updated_at", "version", "functionality_status_mode"]);
/** Columns that change together with another one. */
const together: Record<string, string[]> = {
  district_id: ["district_id", "province_id"],
  latitude: ["latitude", "longitude"],
  closed_on: ["closed_on", "close_reason"],
  connectivity_present: ["connectivity_present", "connectivity_type_id", "connectivity_details"],
  mobile_coverage: ["mobile_coverage", "mobile_provider_id"],
};
/** SQL for the new value of a column that cannot have another facility's. */
const values: Record<string, string> = {
  hmis_code: "left(facility.facility_uuid, 32)",
  old_hmis_code: "left(facility.facility_uuid, 32)",
};
const inOther = new Set(Object.values(together).flatMap((columns) => columns.slice(1)));

/** The columns of a facility that an update can change. */
async function listColumns(handle: Handle): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = 'facility'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(
    handle,
  );
  return rows.map(({ name }) => name).filter((name) => !fixed.has(name) && !inOther.has(name));
}

const tables = allDerived
  .filter(({ recount }) => recount?.by === "facility")
  .flatMap((derived) => Object.keys(derived.tables));
/** The derived rows of some facilities. */
async function listRows(handle: Handle, facilityUuids: string[]): Promise<Set<string>> {
  const all = tables.map(
    (table) =>
      sql`select ${table} || ' ' || derived::text as row from ${sql.table(table)} as derived where facility_uuid = any(${facilityUuids})`,
  );
  const { rows } = await sql<{ row: string }>`${sql.join(all, sql` union all `)}`.execute(handle);
  return new Set(rows.map(({ row }) => row));
}
/** Counts of a district that are not the sum of its facilities' rows. */
async function listWrongCounts(handle: Handle, district: number): Promise<string[]> {
  const wrong: string[] = [];
  for (const query of places.recount!.differences!(sql.lit(district)))
    wrong.push(...(await query.execute(handle)).rows.map((row) => JSON.stringify(row)));
  return wrong;
}

/** Runs an act and undoes it. */
async function undone(handle: Handle, act: () => Promise<void>): Promise<void> {
  await sql`savepoint before`.execute(handle);
  await act();
  await sql`rollback to savepoint before`.execute(handle);
}

/** What a recount of some facilities changes, in rows of facilities and in counts of districts. */
async function listDifferences(transaction: Handle, uuids: string[], districts: number[]): Promise<string[]> {
  const followed = await listRows(transaction, uuids);
  await recountFacilities(transaction, uuids);
  const recounted = await listRows(transaction, uuids);
  const wrong = [
    ...[...recounted].filter((row) => !followed.has(row)),
    ...[...followed].filter((row) => !recounted.has(row)),
  ];
  for (const district of new Set(districts)) wrong.push(...(await listWrongCounts(transaction, district)));
  return wrong;
}

test("an update of any column of a facility leaves derived rows as a recount makes them", async () => {
  const unchanged: string[] = [];
  const wrong: string[] = [];
  await database.db.transaction().execute(async (transaction) => {
    // The facilities with the most to follow: visits, TDBs, a partner and a mode.
    const { rows: richest } = await sql<{ uuid: string }>`
      select facility_uuid as uuid from facility join tdb_silence using (facility_uuid) join assessment_rollup using (facility_uuid)
      where tdb_silence.tdb_uuid is not null and facility.implementing_partner_id is not null and facility.functionality_status_mode is not null
      group by 1 order by count(*) desc, 1 limit 10`.execute(transaction);
    const uuids = richest.map(({ uuid }) => uuid);
    for (const column of await listColumns(transaction)) {
      // Facilities with several values: a rule may be about a few values only.
      const { rows: others } = await sql<{ other: string }>`
        select distinct on (${sql.ref(column)}) facility_uuid as other from facility order by ${sql.ref(column)}, 1 limit 5`.execute(
        transaction,
      );
      let areChanged = false;
      const columns = together[column] ?? [column];
      const changes = columns.map(
        (name) => sql`${sql.ref(name)} = ${values[name] ? sql.raw(values[name]) : sql`other.${sql.ref(name)}`}`,
      );
      for (const { other } of others)
        await undone(transaction, async () => {
          const { rows: changed } = await sql<{ uuid: string; district: number }>`
            update facility set ${sql.join(changes)} from facility as other
            where facility.facility_uuid = any(${uuids}) and other.facility_uuid = ${other} and facility.${sql.ref(column)} is distinct from ${sql.raw(values[column] ?? `other.${column}`)}
            returning facility.facility_uuid as uuid, facility.district_id as district`.execute(transaction);
          if (changed.length === 0) return;
          areChanged = true;
          const differences = await listDifferences(
            transaction,
            uuids,
            changed.map(({ district }) => district),
          );
          wrong.push(...differences.map((row) => `${column}: ${row}`));
        });
      if (!areChanged) unchanged.push(column);
    }
  });
  expect(wrong).toEqual([]);
  expect(unchanged).toEqual([]);
});

test("a new facility has the derived rows that a recount makes", async () => {
  await database.db.transaction().execute(async (transaction) => {
    const columns = [...(await listColumns(transaction)), ...inOther].filter((name) => !(name in values));
    const list = sql.join(columns.map((name) => sql.ref(name)));
    const { rows: added } = await sql<{ district: number }>`
      insert into facility (facility_uuid, ${list}) select 'new-one', ${list} from facility order by facility_uuid limit 1 returning district_id as district`.execute(
      transaction,
    );
    expect(await listDifferences(transaction, ["new-one"], [added[0]!.district])).toEqual([]);
    expect([...(await listRows(transaction, ["new-one"]))]).not.toEqual([]);
  });
});
