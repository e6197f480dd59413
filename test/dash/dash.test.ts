import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { connect, type Database, type Handle } from "../../db/engine/connect.ts";
import { lockFacility } from "../../db/facility/facility.ts";
import { refreshAssessmentRollups, refreshTdbRollups } from "../../db/derived/latest.ts";
import { noteRecounts, rebuildRollups, recountNoted } from "../../db/derived/recount.ts";
import type { Scope } from "../../db/list/scope.ts";
import { refreshTdbSilence } from "../../db/derived/silence.ts";
import { summarySheet } from "../../db/dash/summarySheet.ts";
import { noPrivileges, type Privileges } from "../../gateway/access/access.rules.ts";
import type { Context } from "../../gateway/context.ts";
import * as dash from "../../gateway/dash/dash.ts";
import { chartViews, flatSummarySheet, tdbHistoryLevels } from "../../gateway/dash/dash.rules.ts";
import { listTdbHistoryFacilities } from "../../gateway/tdb/tdb.ts";
import {
  at,
  diceFrom,
  insertHistory,
  insertPlaces,
  insertUpload,
  insertVisit,
  localTime,
  modes,
  userUuid,
  zone,
} from "./dash-data.ts";
import {
  type Everything,
  facilitiesIn,
  latestAssessments,
  readEverything,
  recountComputers,
  recountHistory,
  recountHistoryFacilities,
  recountRows,
  recountVersions,
} from "./dash-recount.ts";
import { testDatabase } from "../support/database.ts";

/**
 * The dashboards are compared with a recount of every assessment and TDB, and the maintained roll-ups with rebuilt
 * ones.
 */

const dice = diceFrom(20261120);
let database: Awaited<ReturnType<typeof testDatabase>>;
let facilities: string[];
let all: Everything;

/** A row without its `suppressed: false`, whose figures must be exact. Of a suppressed row nothing else is kept. */
const shown = <Row extends object>({ suppressed, rounded, ...row }: Row & { suppressed: boolean; rounded: boolean }) =>
  suppressed ? { suppressed } : rounded ? { rounded } : row;

/** The privileges of a person who sees small groups too. */
const mayRead: Privileges = { ...noPrivileges, uploadTdbs: true };
const contextOn = (db: Handle, privileges = mayRead): Context => ({
  db: db as Database,
  primary: db as Database,
  viewer: { userUuid, userName: "tester", implementingPartnerId: 1, privileges, tokenUuid: null },
  denials: [],
  network: "127.0.0.1",
  address: "127.0.0.1",
  timeZone: zone,
  tdbRhythmDays: 30,
  uploadKeepHours: 1,
  // Nothing here stores or reads a file.
  files: undefined as never,
  cookies: { read: () => undefined, set: () => {} },
});

beforeAll(async () => {
  database = await testDatabase();
  facilities = await insertHistory(database.db, async (handle) => {
    const uuids = await insertPlaces(handle, dice);
    // One facility stays without visits, another without uploads.
    for (let n = 0; n < 500; n += 1) {
      await insertVisit(handle, dice, { facilityUuid: dice.oneOf(uuids.slice(1)), local: localTime(dice) });
      if (n % 2)
        await insertUpload(handle, dice, { facilityUuid: dice.oneOf(uuids.slice(0, -1)), local: localTime(dice) });
    }
    return uuids;
  });
  // Facilities move to other partners and districts afterwards: figures count them where they are today.
  for (const facilityUuid of facilities.slice(0, 10)) {
    const [districtId, implementingPartnerId] = [1 + dice.upTo(6), dice.oneOf([1, 2, 3, null])];
    const provinceId = ((districtId - 1) % 4) + 1;
    await database.db
      .updateTable("facility")
      .set({ districtId, provinceId, implementingPartnerId })
      .where("facilityUuid", "=", facilityUuid)
      .execute();
  }
  all = await readEverything(database.db, zone);
});
afterAll(() => database.drop());

const scopes: Scope[] = [
  {},
  ...[1, 2, 3].map((provinceId) => ({ provinceId })),
  ...[1, 2, 8].map((districtId) => ({ districtId })),
  ...[1, 2].map((implementingPartnerId) => ({ implementingPartnerId })),
  { provinceId: 1, implementingPartnerId: 2 },
  { districtId: 5, implementingPartnerId: 1 },
  { provinceId: 2, districtId: 2, implementingPartnerId: 3 },
  { provinceId: 1, districtId: 2 },
];
const years = [2024, 2025, 2026, 2027];
const quarters = [-1, 1, 2, 3, 4];

test("the random data contains the cases that the rules are about", () => {
  const within = latestAssessments(all, {}, (local) => local.startsWith("2025-"));
  expect(within.length).toBeGreaterThan(20);
  expect(all.assessments.length).toBeGreaterThan(within.length);
  expect(all.assessments.some(({ local }) => local.startsWith("2025-09-30 23:"))).toBe(true);
  expect(all.assessments.some(({ local }) => local.startsWith("2025-10-01 00:"))).toBe(true);
  expect(facilitiesIn(all, { districtId: 8 })).toEqual([]);
});

test.each(scopes)("charts of functionality and modes equal a recount: %j", async (scope) => {
  for (const year of years) {
    for (const quarter of quarters) {
      for (const view of chartViews) {
        const parameters = { year, quarter, view, scope };
        expect({ parameters, rows: await dash.readReportedCounts(contextOn(database.db), parameters) }).toEqual({
          parameters,
          rows: recountRows(all, parameters),
        });
      }
    }
  }
});

test.each(scopes)("several years on one axis equal a recount: %j", async (scope) => {
  for (const quarter of quarters) {
    for (const view of chartViews) {
      const parameters = { year: 2027, quarter, view, scope, years: 3 };
      const rows = await dash.readReportedCounts(contextOn(database.db), parameters);
      expect({ parameters, rows }).toEqual({ parameters, rows: recountRows(all, parameters) });
      expect(new Set(rows.map(({ year }) => year))).toEqual(new Set([2025, 2026, 2027]));
    }
  }
});

test.each(scopes)("charts of versions, cores and 64-bit systems equal a recount: %j", async (scope) => {
  for (const year of years) {
    for (const quarter of quarters) {
      const parameters = { year, quarter, scope };
      const context = contextOn(database.db);
      const libraryVersion = await dash.readLibraryVersions(context, parameters);
      const cpuCore = (await dash.readCpuCores(context, parameters)).map(shown);
      const osX64 = (await dash.readOsX64(context, parameters)).map(shown);
      expect({ parameters, libraryVersion, cpuCore, osX64 }).toEqual({
        parameters,
        libraryVersion: recountVersions(all, parameters),
        ...recountComputers(all, parameters),
      });
    }
  }
});

test.each(scopes)("TDB History equals a recount: %j", async (scope) => {
  const received = all.tdbs.map(({ local }) => local.slice(0, 10)).toSorted();
  const lastOf = (period: string) => received.findLast((day) => day.startsWith(period))!;
  const ranges = [
    ["2025-09-30", "2025-09-30"],
    // Months, quarters and fiscal years, complete or up to the last receipt, and ranges that are nearly one of them.
    ["2025-10-01", "2025-10-31"],
    ["2025-10-01", "2025-12-31"],
    ["2025-10-01", "2026-09-30"],
    ["2024-10-01", "2025-09-30"],
    ["2025-10-02", "2025-12-31"],
    ["2025-10-01", "2025-12-15"],
    ["2025-01-01", "2025-12-31"],
    ["2024-07-15", "2026-03-09"],
    ["2024-12-31", "2026-02-01"],
    ["2025-12-31", "2026-01-01"],
    ...["2024-11", "2025-10", "2025-11", "2026-01"].flatMap((month) => [
      [`${month}-01`, lastOf(month)],
      [`${month}-01`, received.findLast((day) => day < lastOf(month))!],
    ]),
    ["2024-01-01", "2026-12-31"],
    ["1900-01-01", "2025-01-01"],
    ["2027-01-01", "9998-12-31"],
  ];
  for (const [start, end] of ranges as [string, string][]) {
    for (const level of tdbHistoryLevels) {
      const parameters = { level, start, end, scope };
      const rows = (await dash.readTdbHistory(contextOn(database.db), parameters)).map(shown);
      expect({ parameters, rows }).toEqual({ parameters, rows: recountHistory(all, parameters) });
    }
    const uploader = contextOn(database.db, { ...noPrivileges, uploadTdbs: true });
    const { rows } = await listTdbHistoryFacilities(uploader, { start, end, scope, page: {} });
    expect(rows).toEqual(recountHistoryFacilities(all, { start, end, scope }));
  }
});

class Undo extends Error {}
/** Runs within a transaction that is rolled back at the end. */
async function undone(act: (handle: Handle) => Promise<void>): Promise<void> {
  const run = database.db.transaction().execute(async (handle) => {
    await act(handle);
    throw new Undo();
  });
  await run.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
}

test("the summary sheet counts visits of the last week, month and three months, including today", () =>
  undone(async (handle) => {
    // Within one transaction "today" does not change.
    const edges = ["0 days", "6 days", "7 days", "1 month", "3 months", "-1 days"];
    for (const edge of edges) {
      for (const shift of [-1, 0, 1]) {
        for (const time of ["00:30", "23:30"]) {
          const { rows } = await sql<{ local: string }>`
            select ((now() at time zone ${zone})::date - ${edge}::interval + ${shift} * interval '1 day')::date || ' ' || ${time} as local
          `.execute(handle);
          const { facilityUuid, day } = await insertVisit(handle, dice, {
            facilityUuid: dice.oneOf(facilities),
            local: rows[0]!.local,
          });
          await refreshAssessmentRollups(handle, { facilityUuid, days: [day] });
        }
      }
    }
    const { rows: days } = await sql<{ window: string; day: string }>`
      with today as (select (now() at time zone ${zone})::date as today),
      windows(name, first) as (
        select 'pastWeek', today - 6 from today union all
        select 'pastMonth', (today - interval '1 month')::date + 1 from today union all
        select 'pastQuarter', (today - interval '3 months')::date + 1 from today)
      select name as window, to_char(generate_series(first, today, interval '1 day'), 'YYYY-MM-DD') as day from windows, today
    `.execute(handle);
    const now = await readEverything(handle, zone);
    for (const scope of scopes) {
      const inScope = new Set(facilitiesIn(now, scope).map(({ facilityUuid }) => facilityUuid));
      const expected: Record<string, number> = {};
      for (const window of ["pastWeek", "pastMonth", "pastQuarter"]) {
        const within = new Set(days.filter((row) => row.window === window).map(({ day }) => day));
        const visits = now.assessments.filter(
          (row) => inScope.has(row.facilityUuid) && within.has(row.local.slice(0, 10)),
        );
        for (const { provinceId, name } of now.provinces) {
          const here = new Set(
            now.facilities.filter((row) => row.provinceId === provinceId).map((row) => row.facilityUuid),
          );
          expected[window + name.replace("-", "")] = visits.filter((row) => here.has(row.facilityUuid)).length;
        }
        expected[`${window}Total`] = visits.length;
      }
      const rows = await dash.readSummarySheet(contextOn(handle), { scope });
      expect(flatSummarySheet(rows)).toEqual(expected);
      expect(rows.map(({ name }) => name)).toEqual(["Central", "Lusaka", "North-Western", "Southern", "Total"]);
    }
    expect(
      flatSummarySheet(await dash.readSummarySheet(contextOn(handle), { scope: {} })).pastQuarterTotal,
    ).toBeGreaterThan(10);
  }));

test("the summary sheet counts each day of its spans once, on every weekday", () =>
  undone(async (handle) => {
    for (let days = 0; days < 118; days += 1) {
      const { facilityUuid, day } = await insertVisit(handle, dice, {
        facilityUuid: dice.oneOf(facilities),
        local: await dayAgo(handle, days),
      });
      await refreshAssessmentRollups(handle, { facilityUuid, days: [day] });
    }
    for (let days = 0; days < 25; days += 1) {
      const today = sql`(current_date - ${days}::integer)`;
      const since = (span: string) => sql`
        count(*) filter (where assessed_at::date <= ${today} and assessed_at::date > (${today} - ${span}::interval)::date)`;
      const recounted = await sql`
        select name, ${since("7 days")} as past_week, ${since("1 month")} as past_month, ${since("3 months")} as past_quarter
        from province left join facility using (province_id) left join assessment using (facility_uuid)
        group by name order by name`.execute(handle);
      const sheet =
        await sql`select name, past_week, past_month, past_quarter from (${summarySheet({}, today)}) as sheet`.execute(
          handle,
        );
      expect({ days, rows: sheet.rows }).toEqual({ days, rows: recounted.rows });
    }
  }));

/**
 * The rows of all roll-ups, without those that count nothing and without days too old to be shown, which may be wrong.
 */
async function readRollups(handle: Handle): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select 'a' || r::text as row from assessment_rollup r union all select 't' || r::text from tdb_rollup r
    union all select 'd' || r::text from assessment_day_rollup r where assessments > 0 and day > current_date - 100
    union all select 's' || r::text from tdb_silence r
    union all select 'p' || r::text from (
      select period, district_id, implementing_partner_id, period_start, province_id, sum(facilities) as facilities, sum(staff_trained) as staff,
        sum(smart_care_functional), sum(primary_power), sum(primary_power_working), sum(backup_power), sum(backup_power_working),
        sum(efirst), sum(efast), sum(elast), sum(partial), sum(not_deployed), sum(not_operational), sum(assessments)
      from place_answer_rollup group by 1, 2, 3, 4, 5) r where facilities <> 0 or staff <> 0
    union all select 'c' || r::text from (
      select kind, period, district_id, implementing_partner_id, period_start, province_id, param, sum(value) as value
      from place_count_rollup group by 1, 2, 3, 4, 5, 6, 7) r where value <> 0 and (period not in ('day', 'week') or period_start > current_date - 100)
    union all select 'h' || r::text from (
      select period, period_start, implementing_partner_id, district_id, province_id, sum(facilities) as facilities, sum(tdbs) as tdbs,
        sum(total_patients) as patients,
        sum(deltas), sum(file_size)
      from place_tdb_rollup group by 1, 2, 3, 4, 5) r where facilities <> 0 or tdbs <> 0 or patients <> 0
    union all select 'f' || facility_uuid || coalesce(functionality_status_mode, '-') from facility order by row
  `.execute(handle);
  return rows.map(({ row }) => row);
}

/** The roll-ups as a rebuild would make them. */
async function rebuilt(handle: Handle): Promise<string[]> {
  let rows: string[] = [];
  if (handle.isTransaction) {
    await rebuildRollups(handle);
    rows = await readRollups(handle);
  } else
    await undone(async (transaction) => {
      rows = await rebuilt(transaction);
    });
  return rows;
}

const dayAgo = async (handle: Handle, days: number): Promise<string> =>
  (await sql<{ local: string }>`select (current_date - ${days}::integer) || ' 08:00' as local`.execute(handle)).rows[0]!
    .local;

test("after random edits the refreshed roll-ups equal rebuilt ones", async () => {
  const compared: [string[], string[]][] = [];
  await undone(async (handle) => {
    const visits = all.assessments.map(({ assessmentUuid, facilityUuid, local }) => ({
      assessmentUuid,
      facilityUuid,
      day: local.slice(0, 10),
    }));
    const uploads = all.tdbs.map(({ tdbUuid, facilityUuid, local }) => ({
      tdbUuid,
      facilityUuid,
      day: local.slice(0, 10),
    }));
    const names = new Map(facilities.map((uuid) => [uuid, uuid]));
    for (let n = 0; n < 300; n += 1) {
      const facilityUuid = names.get(dice.oneOf(facilities))!;
      // Some of them recent, for the counts by day.
      const local = dice.upTo(1) ? localTime(dice) : await dayAgo(handle, dice.upTo(95));
      const days = [local.slice(0, 10)];
      const index = dice.upTo(visits.length - 1);
      const visit = visits[index]!;
      const act = dice.oneOf([
        "insert",
        "move",
        "change",
        "delete",
        "upload",
        "withdraw",
        "transfer",
        "rename",
      ] as const);
      if (act === "transfer") {
        // As changed settings, a loaded list and a district that moves to another province do.
        const districtId = 1 + dice.upTo(6);
        const values = {
          implementingPartnerId: dice.oneOf([1, 2, 3, null]),
          ...(dice.upTo(1) ? {} : { districtId, provinceId: ((districtId - 1) % 4) + 1 }),
        };
        await handle.updateTable("facility").set(values).where("facilityUuid", "=", facilityUuid).execute();
      } else if (act === "rename") {
        const [first] = [...names].find(([, now]) => now === facilityUuid)!;
        const renamed = dice.uuid();
        names.set(first, renamed);
        await handle
          .updateTable("facility")
          .set({ facilityUuid: renamed })
          .where("facilityUuid", "=", facilityUuid)
          .execute();
        for (const row of [...visits, ...uploads]) if (row.facilityUuid === facilityUuid) row.facilityUuid = renamed;
      } else if (act === "insert") {
        visits.push(await insertVisit(handle, dice, { facilityUuid, local }));
        await refreshAssessmentRollups(handle, { facilityUuid, days });
      } else if (act === "upload") {
        const upload = await insertUpload(handle, dice, { facilityUuid, local });
        uploads.push(upload);
        await refreshTdbRollups(handle, { facilityUuid, days });
        await refreshTdbSilence(handle, upload);
      } else if (act === "withdraw") {
        const [upload] = uploads.splice(dice.upTo(uploads.length - 1), 1);
        await handle.deleteFrom("tdb").where("tdbUuid", "=", upload!.tdbUuid).execute();
        await refreshTdbRollups(handle, { facilityUuid: upload!.facilityUuid, days: [upload!.day] });
        await refreshTdbSilence(handle, { facilityUuid: upload!.facilityUuid });
      } else {
        const which = handle.updateTable("assessment").where("assessmentUuid", "=", visit.assessmentUuid);
        if (act === "move") await which.set({ assessedAt: at(local) }).execute();
        if (act === "change")
          await which.set({ functionalityStatusMode: dice.oneOf(modes), libraryVersion: "5" }).execute();
        if (act === "delete") {
          visits.splice(index, 1);
          await handle.deleteFrom("assessment").where("assessmentUuid", "=", visit.assessmentUuid).execute();
        }
        const touched = act === "move" ? [visit.day, ...days] : [visit.day];
        if (act === "move") visit.day = days[0]!;
        await refreshAssessmentRollups(handle, { facilityUuid: visit.facilityUuid, days: touched });
      }
      if (n % 60 === 59) compared.push([await readRollups(handle), await rebuilt(handle)]);
    }
  });
  expect(compared).toHaveLength(5);
  for (const [refreshed, counted] of compared) expect(refreshed).toEqual(counted);
});

test("roll-ups stay correct during concurrent saves at one facility and concurrent rebuilds", async () => {
  const saver = diceFrom(7);
  // Enough connections: the transactions wait only for each other.
  const many = connect(database.connection, zone, () => {}, 30);
  const saves = Array.from({ length: 24 }, (_, n) => {
    const local = localTime(saver);
    const own = diceFrom(n);
    return many.transaction().execute(async (handle) => {
      const saved = { facilityUuid: facilities[0]!, local };
      await lockFacility(handle, saved);
      if (n % 2) {
        await insertVisit(handle, own, saved);
        await refreshAssessmentRollups(handle, { facilityUuid: facilities[0]!, days: [local.slice(0, 10)] });
      } else {
        const upload = await insertUpload(handle, own, saved);
        await refreshTdbRollups(handle, { facilityUuid: facilities[0]!, days: [local.slice(0, 10)] });
        await refreshTdbSilence(handle, upload);
      }
    });
  });
  await Promise.all([...saves.slice(0, 12), rebuildRollups(many), ...saves.slice(12), rebuildRollups(many)]);
  await many.destroy();
  expect(await readRollups(database.db)).toEqual(await rebuilt(database.db));
  all = await readEverything(database.db, zone);
});

test("two saves at different facilities of a province do not wait for each other, and both are counted", async () => {
  const saver = diceFrom(4711);
  const { provinceId } = all.facilities[0]!;
  const [one, other] = all.facilities
    .filter((row) => row.provinceId === provinceId)
    .map(({ facilityUuid }) => facilityUuid);
  const save = async (handle: Handle, facilityUuid: string) => {
    await sql`set local lock_timeout = '5s'`.execute(handle);
    await lockFacility(handle, { facilityUuid });
    await insertVisit(handle, saver, { facilityUuid, local: "2026-10-05 12:00" });
    await refreshAssessmentRollups(handle, { facilityUuid, days: ["2026-10-05"] });
  };
  await database.db.transaction().execute(async (handle) => {
    await save(handle, one!);
    await database.db.transaction().execute((meanwhile) => save(meanwhile, other!));
  });
  expect(await readRollups(database.db)).toEqual(await rebuilt(database.db));
  all = await readEverything(database.db, zone);
});

/**
 * Recounts as the gateway does when it starts, but waits for the end. Returns whether there was anything to recount.
 */
async function recountWhereDue(db: Database): Promise<boolean> {
  const noted = await noteRecounts(db);
  await recountNoted(db);
  return noted.length > 0;
}

test("after a change of the time zone everything is recounted, once", async () => {
  const lusaka = await readRollups(database.db);
  // The database does not know its zone yet. Of several instances that start together, only one recounts.
  const first = await Promise.all([1, 2, 3].map(() => recountWhereDue(database.db)));
  expect(first.toSorted()).toEqual([false, false, true]);
  expect(await recountWhereDue(database.db)).toBe(false);
  expect(await readRollups(database.db)).toEqual(lusaka);

  const elsewhere = "America/Havana"; // where clocks change at midnight
  const there = connect(database.url, elsewhere, () => {});
  try {
    expect(await recountWhereDue(there)).toBe(true);
    expect(await readRollups(database.db)).not.toEqual(lusaka);
    const everything = await readEverything(database.db, elsewhere);
    for (const view of chartViews) {
      const parameters = { year: 2026, quarter: -1, view, scope: {} };
      expect(await dash.readReportedCounts(contextOn(there), parameters)).toEqual(recountRows(everything, parameters));
    }
    const range = { level: "province", start: "2025-09-30", end: "2025-10-31", scope: {} } as const;
    expect((await dash.readTdbHistory(contextOn(there), range)).map(shown)).toEqual(recountHistory(everything, range));
    expect(await recountWhereDue(database.db)).toBe(true);
    expect(await readRollups(database.db)).toEqual(lusaka);
  } finally {
    await there.destroy();
  }
});
