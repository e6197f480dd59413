import { sql } from "kysely";

import type { Database, Handle } from "../engine/connect.ts";
import { unlimited } from "../engine/prepared.ts";
import { giveWay, transact } from "../engine/transaction.ts";
import { allDerived } from "./all.ts";
import type { Derived, Recount, RecountUnit } from "./derived.ts";
import { hashOf } from "./install.ts";
import { revisedNouns } from "./revision.ts";
import { rhythmSetting } from "./silence.ts";

/**
 * Counts derived rows again, a few facilities or one province in each transaction. The table `recount` lists the
 * facilities and provinces that wait. A transaction deletes its own entries from the table when it commits the new
 * counts. So nothing is lost if the process is killed, and several gateways can work on the list.
 *
 * Until then readers see the earlier figures. A save waits only if its facility or province is being counted at that
 * moment.
 */

type Counted = Derived & { recount: Recount };
const counted = allDerived.filter((derived): derived is Counted => derived.recount !== undefined);

const units: Record<
  RecountUnit,
  {
    table: string;
    key: string;
    atOnce: number;
    hold: (keys: readonly (string | number)[]) => ReturnType<typeof sql> | null;
  }
> = {
  // As `lockFacility` does, in the order of all others.
  facility: {
    table: "facility",
    key: "facility_uuid",
    atOnce: 50,
    hold: (keys) =>
      sql`select from facility where facility_uuid = any(${keys}::text[]) order by facility_uuid for no key update`,
  },
  province: { table: "province", key: "province_id", atOnce: 1, hold: () => null },
};

/** Runs one recount for some keys, within a transaction. */
async function run(transaction: Handle, { recount }: Counted, keys: readonly (string | number)[]): Promise<void> {
  await units[recount.by].hold(keys)?.execute(transaction);
  for (const statement of recount.statements(sql`${keys}`)) await statement.execute(transaction);
}

/** Sets up a transaction without a time limit, with enough memory to sort a batch. */
const prepare = async (transaction: Handle) => {
  await sql.raw(unlimited).execute(transaction);
  await sql`set local work_mem = '64MB'`.execute(transaction);
};

/**
 * PostgreSQL's code for a reference to a missing row: a row was deleted after the statement had read it. The second try
 * no longer reads it.
 */
const removedMeanwhile = ["23503"];

/** A hash of everything that decides how rows are counted: the statements, the time zone, and the days between TDBs. */
async function describeCounting(handle: Handle, { recount }: Counted): Promise<string> {
  const { rows } = await sql<{ zone: string; rhythm: string }>`
    select current_setting('TimeZone') as zone, (select value from setting where name = ${rhythmSetting}) as rhythm`.execute(
    handle,
  );
  const texts = recount.statements(sql`${[]}`).map((statement) => statement.compile(handle).sql);
  return hashOf(JSON.stringify([texts, recount.by === "facility" ? rows[0] : null]));
}

/** The number of this advisory lock. No other advisory lock of the product has it. */
const markLock = 20_261_004;

/**
 * Compares how the derived rows were counted with how they must be counted now. If that differs (after a new version,
 * or a change of the time zone or of the days between TDBs), all their facilities or provinces are entered for a
 * recount. It gives way where somebody holds a facility (`untilFree`).
 *
 * @returns the names of the derived tables that must be recounted
 */
export async function noteRecounts(db: Database, { rhythmDays }: { rhythmDays?: number } = {}): Promise<string[]> {
  return transact(
    db,
    async (transaction) => {
      await giveWay(transaction);
      await sql`select pg_advisory_xact_lock(${markLock})`.execute(transaction);
      if (rhythmDays !== undefined) {
        const value = String(rhythmDays);
        await sql`
        insert into setting (name, value) values (${rhythmSetting}, ${value})
        on conflict (name) do update set value = excluded.value where setting.value <> excluded.value`.execute(
          transaction,
        );
      }
      const noted: string[] = [];
      for (const derived of counted) {
        const hash = await describeCounting(transaction, derived);
        const { numAffectedRows } = await sql`
        insert into derived (name, counted_by) values (${derived.name}, ${hash})
        on conflict (name) do update set counted_by = excluded.counted_by, noted_at = now() where derived.counted_by <> excluded.counted_by`.execute(
          transaction,
        );
        if (numAffectedRows === 0n) continue;
        const { table, key } = units[derived.recount.by];
        await sql`
        insert into recount (name, ${sql.ref(key)}) select ${derived.name}, ${sql.ref(key)} from ${sql.table(table)} on conflict do nothing`.execute(
          transaction,
        );
        noted.push(derived.name);
      }
      return noted;
    },
    removedMeanwhile,
  );
}

/**
 * What `noteRecounts` would enter now, together with what waits already: for each derived table the number of
 * facilities or provinces, and the seconds that counting them takes. If the database has tables of an older version,
 * all derived tables are listed.
 */
export async function listDueRecounts(
  handle: Handle,
  { rhythmDays, records }: { rhythmDays: number; /** visits and TDBs */ records: number },
): Promise<{ name: string; by: RecountUnit; keys: number; seconds: number }[]> {
  const isThere = async (table: string) =>
    (await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(handle)).rows[0]!.there;
  if (!(await isThere("facility"))) return [];
  const isCurrent = (await isThere("derived")) && (await isThere("recount"));
  const rhythm = isCurrent
    ? (await handle.selectFrom("setting").select("value").where("name", "=", rhythmSetting).executeTakeFirst())?.value
    : undefined;
  const due: Awaited<ReturnType<typeof listDueRecounts>> = [];
  for (const derived of counted) {
    const { by } = derived.recount;
    if (isCurrent && (by !== "facility" || rhythm === String(rhythmDays))) {
      const hash = await describeCounting(handle, derived);
      const { rows } = await sql<{ done: boolean }>`
        select exists (select from derived where name = ${derived.name} and counted_by = ${hash}) and not exists (select from recount where name = ${derived.name}) as done`.execute(
        handle,
      );
      if (rows[0]!.done) continue;
    }
    const { rows } = await sql<{ keys: number }>`select count(*) as keys from ${sql.table(units[by].table)}`.execute(
      handle,
    );
    const { keys } = rows[0]!;
    const { key, record, newRecord = record } = derived.recount.cost;
    const [table] = Object.keys(derived.tables);
    const isNew =
      !(await isThere(table!)) ||
      (
        await sql<{ isEmpty: boolean }>`select not exists (select from ${sql.table(table!)}) as is_empty`.execute(
          handle,
        )
      ).rows[0]!.isEmpty;
    due.push({ name: derived.name, by, keys, seconds: keys * key + records * (isNew ? newRecord : record) });
  }
  return due;
}

/** A migration that empties derived tables notes it under this name. */
const missingSetting = "derived_rows_missing";

/**
 * Counts everything that waits in tables that a migration has emptied. Their figures would be wrong until then, so this
 * is called before the gateway answers requests. If it is killed, the entry stays and the next start continues.
 *
 * @returns whether rows were missing
 */
export async function completeRecounts(
  db: Database,
  progress: Parameters<typeof recountNoted>[1] = {},
): Promise<boolean> {
  const missing = await db.selectFrom("setting").select("name").where("name", "=", missingSetting).executeTakeFirst();
  if (!missing) return false;
  await recountNoted(db, progress);
  await db.deleteFrom("setting").where("name", "=", missingSetting).execute();
  return true;
}

/**
 * Recounts the rows of some facilities, within the caller's transaction, which holds them. Counts by place follow by
 * their triggers.
 */
export async function recountFacilities(transaction: Handle, facilityUuids: readonly string[]): Promise<void> {
  for (const derived of counted) if (derived.recount.by === "facility") await run(transaction, derived, facilityUuids);
}

/** How many facilities and provinces wait for a recount. */
async function countWaiting(handle: Handle): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from recount`.execute(handle);
  return rows[0]!.waiting;
}

/**
 * Counts some of what waits, in one transaction.
 *
 * @returns how many it took; 0 also where others have taken all that is left
 */
async function recountSome(db: Database, derived: Counted): Promise<number> {
  const { key, atOnce } = units[derived.recount.by];
  return transact(
    db,
    async (transaction) => {
      await prepare(transaction);
      const { rows } = await sql<{ key: string | number }>`
      delete from recount where ctid = any(array(
        select ctid from recount where name = ${derived.name} order by ${sql.ref(key)} limit ${sql.lit(atOnce)} for update skip locked))
      returning ${sql.ref(key)} as key`.execute(transaction);
      if (rows.length === 0) return 0;
      await run(
        transaction,
        derived,
        rows.map((row) => row.key),
      );
      for (const noun of revisedNouns) await sql`select raise_revision(${noun})`.execute(transaction);
      return rows.length;
    },
    removedMeanwhile,
  );
}

/**
 * Counts everything that waits, rows by facility first. It waits for what other gateways are counting, and counts it
 * itself if they fail.
 *
 * @param onProgress is called with the number of facilities and provinces that are left, before the first transaction
 *   (which may have to wait) and after each one
 */
export async function recountNoted(
  db: Database,
  {
    onProgress = () => {},
    pause = () => Promise.resolve(),
    isStopping = () => false,
  }: { onProgress?: (left: number) => void; pause?: () => Promise<void>; isStopping?: () => boolean } = {},
): Promise<void> {
  for (;;) {
    const left = await countWaiting(db);
    onProgress(left);
    if (left === 0 || isStopping()) return;
    let taken = 0;
    for (const derived of counted) {
      for (let some = 1; some > 0 && !isStopping(); taken += some) {
        some = await recountSome(db, derived);
        if (some > 0) onProgress(await countWaiting(db));
      }
    }
    if (taken === 0 && !isStopping()) await pause();
  }
}

/**
 * Counts everything again: in the caller's transaction if there is one, else in one transaction for each batch. It is
 * for data that was not written by the acts, such as the demonstration.
 */
export async function rebuildRollups(handle: Handle): Promise<void> {
  for (const derived of counted) {
    const { table, key, atOnce } = units[derived.recount.by];
    const { rows } = await sql<{
      key: string | number;
    }>`select ${sql.ref(key)} as key from ${sql.table(table)} order by 1`.execute(handle);
    for (let at = 0; at < rows.length; at += atOnce) {
      const keys = rows.slice(at, at + atOnce).map((row) => row.key);
      if (handle.isTransaction) await run(handle, derived, keys);
      else
        await transact(
          handle as Database,
          async (transaction) => {
            await prepare(transaction);
            await run(transaction, derived, keys);
          },
          removedMeanwhile,
        );
    }
  }
}

class RolledBack extends Error {}

/** The rows of a facility, as a hash. */
async function hashRows(transaction: Handle, { tables }: Counted, facilityUuid: string): Promise<string> {
  const hashes: unknown[] = [];
  for (const table of Object.keys(tables))
    hashes.push(
      (
        await sql`select md5(coalesce(string_agg(own::text, ' ' order by own::text), '')) as hash from ${sql.table(table)} as own where facility_uuid = ${facilityUuid}`.execute(
          transaction,
        )
      ).rows,
    );
  return JSON.stringify(hashes);
}

/** Whether a recount of the facility would change a row. */
async function isWrong(db: Database, derived: Counted, facilityUuid: string): Promise<boolean> {
  let isOther = false;
  try {
    await transact(
      db,
      async (transaction) => {
        await sql`select from facility where facility_uuid = ${facilityUuid} for no key update`.execute(transaction);
        const before = await hashRows(transaction, derived, facilityUuid);
        await run(transaction, derived, [facilityUuid]);
        isOther = (await hashRows(transaction, derived, facilityUuid)) !== before;
        throw new RolledBack();
      },
      removedMeanwhile,
    );
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return isOther;
}

/** Whether a query finds rows that are not what the rows by facility add up to. */
const isDifferent = (
  db: Database,
  queries: NonNullable<Counted["recount"]["differences"]>,
  districtId: number,
): Promise<boolean> =>
  db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (transaction) => {
      for (const query of queries(sql.lit(districtId)))
        if ((await query.execute(transaction)).rows.length > 0) return true;
      return false;
    });

async function listSample<Key extends string | number>(
  db: Database,
  table: string,
  key: string,
  size: number,
): Promise<Key[]> {
  const { rows } = await sql<{
    key: Key;
  }>`select ${sql.ref(key)} as key from ${sql.table(table)} order by random() limit ${size}`.execute(db);
  return rows.map((row) => row.key).toSorted();
}

/**
 * Checks a random sample of some facilities and one district while people work. The facilities are recounted one by
 * one, each in a transaction that is rolled back, so that a save at that facility waits for some milliseconds. The rows
 * of the district are compared by queries in one snapshot, which block nobody.
 *
 * @returns the names of derived tables with wrong rows, with the facilities or the district where they are
 */
export async function findWrongDerived(
  db: Database,
  { facilities }: { facilities: number },
): Promise<{ name: string; keys: (string | number)[] }[]> {
  const wrong: { name: string; keys: (string | number)[] }[] = [];
  for (const derived of counted) {
    const keys: (string | number)[] = [];
    const { differences } = derived.recount;
    if (differences) {
      for (const district of await listSample<number>(db, "district", "district_id", 1))
        if (await isDifferent(db, differences, district)) keys.push(district);
    } else
      for (const facility of await listSample<string>(db, "facility", "facility_uuid", facilities))
        if (await isWrong(db, derived, facility)) keys.push(facility);
    if (keys.length > 0) wrong.push({ name: derived.name, keys });
  }
  return wrong;
}
