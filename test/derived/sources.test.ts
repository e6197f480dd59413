import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { allDerived } from "../../db/derived/all.ts";
import { places } from "../../db/derived/places.ts";
import { recountFacilities } from "../../db/derived/recount.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

/**
 * Derived rows follow every column of a facility. The acts update facilities without naming derived tables, so only triggers can do it: a derived table
 * that begins to depend on a column for which it has no trigger fails here, by the name of the column.
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
const values: Record<string, string> = { hmis_code: "'no-other'", old_hmis_code: "'no-other'" };
const inOther = new Set(Object.values(together).flatMap((columns) => columns.slice(1)));

/** The columns of a facility that an update can change. */
async function listColumns(handle: Handle): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = 'facility'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(handle);
  return rows.map(({ name }) => name).filter((name) => !fixed.has(name) && !inOther.has(name));
}

const tables = allDerived.filter(({ recount }) => recount?.by === "facility").flatMap((derived) => Object.keys(derived.tables));
/** The derived rows of a facility. */
async function listRows(handle: Handle, facilityUuid: string): Promise<Set<string>> {
  const all = tables.map((table) => sql`select ${table} || ' ' || derived::text as row from ${sql.table(table)} as derived where facility_uuid = ${facilityUuid}`);
  const { rows } = await sql<{ row: string }>`${sql.join(all, sql` union all `)}`.execute(handle);
  return new Set(rows.map(({ row }) => row));
}
/** Counts of a district that are not the sum of its facilities' rows. */
async function listWrongCounts(handle: Handle, district: number): Promise<string[]> {
  const wrong: string[] = [];
  for (const query of places.recount!.differences!(sql.lit(district))) wrong.push(...(await query.execute(handle)).rows.map((row) => JSON.stringify(row)));
  return wrong;
}

/** Runs an act and undoes it. */
async function undone(handle: Handle, act: () => Promise<void>): Promise<void> {
  await sql`savepoint before`.execute(handle);
  await act();
  await sql`rollback to savepoint before`.execute(handle);
}

test("an update of any column of a facility leaves derived rows as a recount makes them", async () => {
  const unchanged: string[] = [];
  const wrong: string[] = [];
  await database.db.transaction().execute(async (transaction) => {
    // The facility with the most to follow: visits, TDBs, a partner and a mode.
    const { rows: richest } = await sql<{ uuid: string }>`
      select facility_uuid as uuid from facility join tdb_silence using (facility_uuid) join assessment_rollup using (facility_uuid)
      where tdb_silence.tdb_uuid is not null and facility.implementing_partner_id is not null and facility.functionality_status_mode is not null
      group by 1 order by count(*) desc, 1 limit 1`.execute(transaction);
    const { uuid } = richest[0]!;
    for (const column of await listColumns(transaction)) {
      // Facilities with other values: a rule may be about a few values only.
      const { rows: others } = await sql<{ other: string }>`
        select distinct on (other.${sql.ref(column)}) other.facility_uuid as other
        from facility as other join facility as it on it.facility_uuid = ${uuid} and other.${sql.ref(column)} is distinct from it.${sql.ref(column)}
        order by other.${sql.ref(column)}, 1 limit 8`.execute(transaction);
      if (others.length === 0) unchanged.push(column);
      const columns = together[column] ?? [column];
      const changes = columns.map((name) => sql`${sql.ref(name)} = ${values[name] ? sql.raw(values[name]) : sql`other.${sql.ref(name)}`}`);
      for (const { other } of others)
        await undone(transaction, async () => {
          const { rows: changed } = await sql<{ district: number }>`
            update facility set ${sql.join(changes)} from facility as other
            where facility.facility_uuid = ${uuid} and other.facility_uuid = ${other} returning facility.district_id as district`.execute(transaction);
          const followed = await listRows(transaction, uuid);
          await recountFacilities(transaction, [uuid]);
          const recounted = await listRows(transaction, uuid);
          const differences = [...[...recounted].filter((row) => !followed.has(row)), ...(await listWrongCounts(transaction, changed[0]!.district))];
          wrong.push(...differences.map((row) => `${column}: ${row}`));
        });
    }
  });
  expect(wrong).toEqual([]);
  expect(unchanged).toEqual([]);
});
