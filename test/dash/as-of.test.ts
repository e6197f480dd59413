import { beforeAll, describe, expect, test } from "vitest";

import { recountSites, recountUnits, readCountry, type Country } from "../tdb/silence-recount.ts";
import { bodyOf, errorsOf, type Person } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { at, diceFrom, insertHistory, localTime, modes, zone } from "./dash-data.ts";
import { type Everything, readEverything } from "./dash-recount.ts";

/**
 * States as at a day, and changes between two days: a thousand random histories compared with a recount that reads
 * every visit and TDB.
 */

let all: Everything;
let country: Country;
let today: string;
/** Ends of months and years, days beside them, days without visits or TDBs, and one day before all data. */
const days = [
  "1999-12-31",
  "2024-08-01",
  "2024-09-30",
  "2024-10-01",
  "2025-03-31",
  "2025-06-17",
  "2025-09-30",
  "2025-12-31",
  "2026-01-01",
  "2026-05-14",
  "2026-10-30",
];

type Visit = Everything["assessments"][number];
type Tdb = Everything["tdbs"][number];
/** By UUID, the day from which a facility is closed. */
const closings = new Map<string, string>();
const isOpenOn =
  (day: string) =>
  ({ facilityUuid }: { facilityUuid: string }) =>
    (closings.get(facilityUuid) ?? "9999-12-31") > day;
const visitsOf = new Map<string, Visit[]>();
const tdbsOf = new Map<string, Tdb[]>();

const bulk = <Row>(rows: Row[], insert: (some: Row[]) => Promise<unknown>) =>
  Array.from({ length: Math.ceil(rows.length / 500) }, (_, n) => rows.slice(n * 500, (n + 1) * 500)).reduce<
    Promise<unknown>
  >((before, some) => before.then(() => insert(some)), Promise.resolve());

const gateway = await gatewayOfFile();
const [admin, plain] = await Promise.all([gateway.as("admin"), gateway.as("plain")]);
beforeAll(async () => {
  const dice = diceFrom(18);
  const { db } = gateway;
  const districts = await db.selectFrom("district").selectAll().orderBy("districtId").execute();
  const { userUuid } = await db
    .selectFrom("appUser")
    .select("userUuid")
    .where("userName", "=", "admin")
    .executeTakeFirstOrThrow();
  const facilities = Array.from({ length: 1000 }, (_, n) => {
    const { districtId, provinceId } = dice.oneOf(districts);
    return {
      facilityUuid: `history ${n}`,
      facilityName: `Clinic ${dice.hex(4)} ${n}`,
      districtId,
      provinceId,
      implementingPartnerId: dice.oneOf([1, 2, null]),
    };
  });
  const answer = () => dice.oneOf([true, false, null]);
  const visits = facilities.flatMap(({ facilityUuid }) =>
    Array.from({ length: dice.upTo(6) }, () => {
      const [primaryPower, backupPower] = [answer(), answer()];
      return {
        assessmentUuid: dice.uuid(),
        ...{
          facilityUuid,
          userUuid,
          assessedAt: at(localTime(dice)),
          functionalityStatusMode: dice.oneOf(modes),
          dateOfLastUpgrade: "2024-01-01",
        },
        ...{
          smartCareFunctional: answer(),
          primaryPower,
          primaryPowerWorking: primaryPower && answer(),
          backupPower,
          backupPowerWorking: backupPower && answer(),
        },
        ...{ libraryVersion: dice.oneOf(["4.9", "4.10", null]), numberOfStaffTrainedInSmartCare: dice.upTo(20) },
      };
    }),
  );
  const tdbs = facilities.flatMap(({ facilityUuid }) =>
    Array.from({ length: dice.upTo(4) }, () => {
      const [local, sha256] = [localTime(dice), dice.hex(64)];
      const made = dice.oneOf([local, localTime(dice)]);
      return {
        ...{
          tdbUuid: dice.uuid(),
          facilityUuid,
          userUuid,
          uploadedAt: at(local),
          tdbCreatedAt: at(made),
          delta: dice.oneOf([true, false]),
        },
        ...{
          totalPatients: dice.upTo(5000),
          fileName: "sample.tdbx",
          fileSize: 1 + dice.upTo(1_000_000),
          sha256,
          storageKey: sha256,
        },
      };
    }),
  );
  await bulk(facilities, (some) => db.insertInto("facility").values(some).execute());
  await insertHistory(db, async (handle) => {
    await bulk(visits, (some) => handle.insertInto("assessment").values(some).execute());
    await bulk(tdbs, (some) => handle.insertInto("tdb").values(some).execute());
  });
  all = { ...(await readEverything(db, zone)), facilities: await db.selectFrom("facility").selectAll().execute() };
  for (const { facilityUuid, closedOn } of all.facilities) if (closedOn !== null) closings.set(facilityUuid, closedOn);
  country = await readCountry(db);
  for (const visit of all.assessments)
    visitsOf.set(visit.facilityUuid, [...(visitsOf.get(visit.facilityUuid) ?? []), visit]);
  for (const tdb of all.tdbs) tdbsOf.set(tdb.facilityUuid, [...(tdbsOf.get(tdb.facilityUuid) ?? []), tdb]);
  today = country.today;
});

const last = <Row>(rows: Row[], rank: (row: Row) => string) =>
  rows.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).at(-1);
const stateOf = (facilityUuid: string, day: string) =>
  last(
    (visitsOf.get(facilityUuid) ?? []).filter(({ local }) => local.slice(0, 10) <= day),
    (visit) => `${visit.local} ${visit.assessmentUuid}`,
  );
const tdbOf = (facilityUuid: string, day: string) =>
  last(
    (tdbsOf.get(facilityUuid) ?? []).filter(({ local }) => local.slice(0, 10) <= day),
    (tdb) => `${tdb.created} ${tdb.local} ${tdb.tdbUuid}`,
  );
const ask = async (person: Person, query: string) => {
  const { data, errors } = await person.graphql(`{ ${query} }`);
  expect(errors, query).toBeUndefined();
  return data;
};
const named = {
  smartCareFunctional: "sumSmartCareFunctional",
  primaryPower: "sumPrimaryPower",
  backupPowerWorking: "sumBackupPowerWorking",
} as const;

/** Checks the groups as at a day against a recount. Returns how many assessed facilities they count. */
async function expectGroups(day: string): Promise<number> {
  let assessed = 0;
  const figures = `province { provinceId } implementingPartner { implementingPartnerId } facilities assessed sumTrainedStaff elast ${Object.values(named).join(" ")}`;
  const {
    places,
    modes: byMode,
    now,
    placesNow,
  } = await ask(
    plain,
    `places: facilityGroups(by: [PROVINCE, IMPLEMENTING_PARTNER], asOf: "${day}") { ${figures} }
    modes: facilityGroups(by: [MODE], asOf: "${day}") { functionalityStatusMode facilities } now: facilityGroups(by: [MODE]) { functionalityStatusMode facilities }
    placesNow: facilityGroups(by: [PROVINCE, IMPLEMENTING_PARTNER]) { ${figures} }`,
  );
  const open = all.facilities.filter(isOpenOn(day));
  const states = new Map(open.map(({ facilityUuid }) => [facilityUuid, stateOf(facilityUuid, day)]));
  for (const row of places) {
    const here = open.filter(
      (facility) =>
        facility.provinceId === row.province.provinceId &&
        facility.implementingPartnerId === (row.implementingPartner?.implementingPartnerId ?? null),
    );
    const found = here.flatMap(({ facilityUuid }) => states.get(facilityUuid) ?? []);
    expect([day, row]).toEqual([
      day,
      {
        ...{
          province: row.province,
          implementingPartner: row.implementingPartner,
          facilities: here.length,
          assessed: found.length,
        },
        sumTrainedStaff: found.reduce((sum, visit) => sum + visit.numberOfStaffTrainedInSmartCare, 0),
        elast: found.filter(({ functionalityStatusMode }) => functionalityStatusMode === "ELast").length,
        ...Object.fromEntries(
          Object.entries(named).map(([name, sum]) => [
            sum,
            found.filter((visit) => visit[name as keyof typeof named] === true).length,
          ]),
        ),
      },
    ]);
    assessed += found.length;
  }
  expect([day, places.reduce((sum: number, row: { facilities: number }) => sum + row.facilities, 0)]).toEqual([
    day,
    open.length,
  ]);
  for (const row of byMode)
    expect([day, row.facilities]).toEqual([
      day,
      [...states.values()].filter((state) => (state?.functionalityStatusMode ?? null) === row.functionalityStatusMode)
        .length,
    ]);
  if (day === today) expect([places, byMode]).toEqual([placesNow, now]);
  return assessed;
}

/**
 * Checks the silent sites as at a day, and their counts by province, district and partner, against a recount. Returns
 * the number of sites.
 */
async function expectSilent(day: string): Promise<number> {
  const facilities = country.facilities.map((facility) => ({
    ...facility,
    closedOn: closings.get(facility.facilityUuid) ?? null,
    functionalityStatusMode: stateOf(facility.facilityUuid, day)?.functionalityStatusMode ?? null,
  }));
  const then: Country = { ...country, today: day, facilities };
  const rows = bodyOf(await admin.get(`/api/v1/tdb/silent?show=all&sort=facility&asOf=${day}`));
  const byUuid = (list: { facilityUuid: string }[]) =>
    list.toSorted((a, b) => (a.facilityUuid < b.facilityUuid ? -1 : 1));
  expect(byUuid(rows)).toEqual(byUuid(recountSites(then, {})));
  for (const level of ["province", "district", "ip"] as const) {
    const counted = bodyOf(await admin.get(`/api/v1/dash/silentSites/${level}?asOf=${day}`));
    expect([day, level, counted]).toEqual([day, level, recountUnits(then, level, {})]);
  }
  const below = await ask(
    admin,
    `provinces { nodes { provinceId silentSiteCounts(level: DISTRICT, asOf: "${day}") { hxId overdue neverSent } } }`,
  );
  for (const { provinceId, silentSiteCounts } of below.provinces.nodes)
    expect(silentSiteCounts).toEqual(
      recountUnits(then, "district", { provinceId }).map(({ hxId, overdue, neverSent }) => ({
        hxId,
        overdue,
        neverSent,
      })),
    );
  return rows.length;
}

test("groups of facilities as at a day, by place, partner and mode, equal a recount", async () => {
  let assessed = 0;
  for (const day of [...days, today]) assessed += await expectGroups(day);
  expect(assessed).toBeGreaterThan(3000);
});

test("lists, each facility's latest assessment and its latest TDB as at a day equal a recount", async () => {
  let seen = 0;
  for (const day of days) {
    const listed = await plain.get(`/api/v1/facility/mode/ELast?asOf=${day}`);
    const expected = all.facilities
      .filter(({ facilityUuid }) => stateOf(facilityUuid, day)?.functionalityStatusMode === "ELast")
      .map(({ facilityUuid }) => facilityUuid);
    expect(
      bodyOf<{ uuid: string }[]>(listed)
        .map(({ uuid }) => uuid)
        .toSorted(),
    ).toEqual(expected.toSorted());
    const { mode, works, none, nodes } = await ask(
      admin,
      `mode: facilities(mode: ELast, asOf: "${day}") { totalCount }
      works: facilities(filter: { latestAssessment: { asOf: "${day}", smartCareFunctional: true, staffTrainedFrom: 7 } }) { totalCount }
      none: facilities(filter: { latestAssessment: { asOf: "${day}", exists: false } }) { totalCount }
      nodes: facilities(search: "clinic", first: 100, offset: ${100 * (days.indexOf(day) % 10)}) { nodes { facilityUuid latestAssessment(asOf: "${day}") { assessmentUuid } latestTdb(asOf: "${day}") { uuid totalPatients } now: latestTdb { uuid } } }`,
    );
    // Filters on the latest assessment list only facilities that are open today.
    const states = all.facilities.filter(isOpenOn(today)).map(({ facilityUuid }) => stateOf(facilityUuid, day));
    expect([day, mode.totalCount, works.totalCount, none.totalCount]).toEqual([
      day,
      expected.length,
      states.filter((state) => state?.smartCareFunctional === true && state.numberOfStaffTrainedInSmartCare >= 7)
        .length,
      states.filter((state) => state === undefined).length,
    ]);
    for (const node of nodes.nodes) {
      const [visit, tdb] = [stateOf(node.facilityUuid, day), tdbOf(node.facilityUuid, day)];
      expect([day, node]).toEqual([
        day,
        {
          facilityUuid: node.facilityUuid,
          latestAssessment: visit ? { assessmentUuid: visit.assessmentUuid } : null,
          latestTdb: tdb ? { uuid: tdb.tdbUuid, totalPatients: tdb.totalPatients } : null,
          now: tdbOf(node.facilityUuid, "9999-12-31")
            ? { uuid: tdbOf(node.facilityUuid, "9999-12-31")!.tdbUuid }
            : null,
        },
      ]);
      seen += tdb ? 1 : 0;
    }
  }
  expect(seen).toBeGreaterThan(200);
});

describe("changes between two days", () => {
  const pairs = days.flatMap((from, n) => days.slice(n).map((to) => [from, to] as const));

  test(`facilities that moved, lost or gained equal a recount over ${pairs.length} pairs of days`, async () => {
    let found = 0;
    for (const [from, to] of pairs) {
      const change = (rest: string) =>
        `facilities(filter: { change: { from: "${from}", to: "${to}", ${rest} } }) { totalCount }`;
      const data = await ask(
        admin,
        `moved: ${change("movedFrom: [ELast, EFast], movedTo: [EFirst]")} left: ${change("movedFrom: [ELast]")} came: ${change("movedTo: [NotOperational]")}
        lost: ${change("lost: [BACKUP_POWER_WORKING]")} both: ${change("lost: [PRIMARY_POWER], gained: [SMART_CARE_FUNCTIONAL]")}
        groups: facilityGroups(by: [IMPLEMENTING_PARTNER], filter: { change: { from: "${from}", to: "${to}", movedFrom: [ELast, EFast], movedTo: [EFirst] } }) { facilities }`,
      );
      const both = all.facilities.flatMap(({ facilityUuid }) => {
        const [before, after] = [stateOf(facilityUuid, from), stateOf(facilityUuid, to)];
        return before && after ? [{ before, after }] : [];
      });
      const count = (is: (before: Visit, after: Visit) => boolean) =>
        both.filter(({ before, after }) => is(before, after)).length;
      const counts = {
        moved: count(
          (before, after) =>
            ["ELast", "EFast"].includes(before.functionalityStatusMode) && after.functionalityStatusMode === "EFirst",
        ),
        left: count(
          (before, after) => before.functionalityStatusMode === "ELast" && after.functionalityStatusMode !== "ELast",
        ),
        came: count(
          (before, after) =>
            before.functionalityStatusMode !== "NotOperational" && after.functionalityStatusMode === "NotOperational",
        ),
        lost: count((before, after) => before.backupPowerWorking === true && after.backupPowerWorking === false),
        both: count(
          (before, after) =>
            before.primaryPower === true &&
            after.primaryPower === false &&
            before.smartCareFunctional === false &&
            after.smartCareFunctional === true,
        ),
      };
      expect([from, to, Object.fromEntries(Object.keys(counts).map((name) => [name, data[name].totalCount]))]).toEqual([
        from,
        to,
        counts,
      ]);
      expect(data.groups.reduce((sum: number, { facilities }: { facilities: number }) => sum + facilities, 0)).toBe(
        counts.moved,
      );
      found += counts.moved;
    }
    expect(found).toBeGreaterThan(100);
  });

  test("fromEndOf counts from the last day of its period until today", async () => {
    const { ended, dated } = await ask(
      admin,
      `ended: facilities(filter: { change: { fromEndOf: { year: 2025, quarter: 3 }, movedTo: [EFirst] } }) { totalCount }
      dated: facilities(filter: { change: { from: "2025-06-30", to: "${today}", movedTo: [EFirst] } }) { totalCount }`,
    );
    expect(ended).toEqual(dated);
    expect(ended.totalCount).toBeGreaterThan(0);
  });
});

test("silent sites as at a day, and their counts by province, district and partner, equal a recount", async () => {
  for (const day of ["1999-12-31", "2025-03-31", "2026-01-01", "2026-10-30"])
    expect(await expectSilent(day)).toBeGreaterThan(1500);
});

test("the REST list of a district's latest assessments as at a day equals a recount", async () => {
  const { districtId } = all.facilities.find(({ facilityUuid }) => facilityUuid === "history 1")!;
  const rows = bodyOf<{ assessmentUuid: string }[]>(
    await admin.get(`/api/v1/assessment/latest/district/${districtId}?asOf=2025-09-30`),
  );
  const expected = all.facilities
    .filter((facility) => facility.districtId === districtId)
    .flatMap(({ facilityUuid }) => stateOf(facilityUuid, "2025-09-30")?.assessmentUuid ?? []);
  expect(rows.map((row) => row.assessmentUuid).toSorted()).toEqual(expected.toSorted());
});

describe("refusals name the argument", () => {
  test.each([
    ['facilityGroups(by: [MODE], asOf: "2031-01-01") { facilities }', "asOf", "lies in the future: today is"],
    [
      'facilityGroups(by: [MODE, YEAR], asOf: "2025-01-01") { facilities }',
      "asOf",
      "cannot be given together with period",
    ],
    [
      'facilityGroups(by: [MODE], period: { year: 2025 }, asOf: "2025-01-01") { facilities }',
      "asOf",
      "cannot be given together with period",
    ],
    [
      'facilities(mode: ELast, year: 2025, asOf: "2025-01-01") { totalCount }',
      "asOf",
      "cannot be given together with year",
    ],
    ['facilities(asOf: "2025-01-01") { totalCount }', "mode", "is needed with asOf"],
    [
      'facilities(filter: { latestAssessment: { asOf: "2031-01-01", exists: true } }) { totalCount }',
      "filter.latestAssessment.asOf",
      "lies in the future",
    ],
    [
      'facilities(filter: { latestAssessment: { asOf: "2025-01-01", period: { year: 2025 } } }) { totalCount }',
      "filter.latestAssessment.asOf",
      "cannot be given together with period",
    ],
    [
      'facilities(filter: { change: { from: "2025-02-01", to: "2025-01-01", movedTo: [EFirst] } }) { totalCount }',
      "filter.change.to",
      "must not be before from",
    ],
    ['facilities(filter: { change: { from: "2025-02-01" } }) { totalCount }', "filter.change.movedTo", "is needed"],
    [
      "facilities(filter: { change: { movedTo: [EFirst] } }) { totalCount }",
      "filter.change.from",
      "or fromEndOf is needed",
    ],
    [
      "facilities(filter: { change: { fromEndOf: { relative: THIS_YEAR }, movedTo: [EFirst] } }) { totalCount }",
      "filter.change.fromEndOf",
      "lies in the future",
    ],
    [
      'facilities(filter: { change: { from: "2025-02-01", movedTo: [] } }) { totalCount }',
      "filter.change.movedTo",
      "must name a mode",
    ],
    ['silentSiteCounts(level: PROVINCE, asOf: "2031-01-01") { name }', "asOf", "lies in the future"],
  ])("%s", async (query, path, message) => {
    const { errors } = await admin.graphql(`{ ${query} }`);
    expect(errors![0].extensions.errors).toContainEqual({ path, message: expect.stringContaining(message) });
  });

  test("REST returns 422 naming asOf", async () => {
    for (const path of [
      "/facility/mode/ELast?asOf=2031-01-01",
      "/tdb/silent?asOf=2031-01-01",
      "/facility/mode/ELast?asOf=2025-02-30",
      "/facility/mode/ELast?year=2025&asOf=2025-02-03",
    ]) {
      const answer = await admin.get(`/api/v1${path}`);
      expect([path, answer.status, errorsOf(answer)[0]!.path]).toEqual([path, 422, "asOf"]);
    }
  });

  test("a person who may not see records or TDBs is refused for past days too", async () => {
    for (const query of [
      'facilities(filter: { change: { from: "2025-02-01", clientsFell: true } }) { totalCount }',
      'silentSites(asOf: "2025-02-01") { totalCount }',
      'silentSiteCounts(level: PROVINCE, asOf: "2025-02-01") { name }',
      'facilities(first: 1) { nodes { latestAssessment(asOf: "2025-02-01") { assessmentUuid } latestTdb(asOf: "2025-02-01") { uuid } } }',
    ]) {
      const { errors } = await plain.graphql(`{ ${query} }`);
      expect([query, errors?.[0].extensions.code]).toEqual([query, "FORBIDDEN"]);
    }
    expect((await plain.get("/api/v1/dash/silentSites/province?asOf=2025-02-01")).status).toBe(403);
  });
});

test("a closed facility is counted as at days before its closing, not from that day on, and again once it is reopened", async () => {
  const dice = diceFrom(19);
  const lastVisit = (facilityUuid: string) =>
    (visitsOf.get(facilityUuid) ?? [])
      .map(({ local }) => local.slice(0, 10))
      .toSorted()
      .at(-1);
  const chosen = all.facilities
    .filter(({ facilityUuid }) => facilityUuid.startsWith("history "))
    .filter(() => dice.upTo(10) < 2);
  for (const { facilityUuid } of chosen) {
    const last = lastVisit(facilityUuid);
    const closedOn = dice.oneOf(
      [...days.slice(1), today, ...(last === undefined ? [] : [last])].filter(
        (day) => last === undefined || day >= last,
      ),
    );
    const answer = await admin.call("POST", `/api/v1/facility/${encodeURIComponent(facilityUuid)}/close`, {
      closedOn,
      reason: "Closed for good",
    });
    expect(answer.status, answer.text).toBe(200);
    closings.set(facilityUuid, closedOn);
  }
  expect(chosen.length).toBeGreaterThan(100);
  const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  const moments = [...new Set([...days.flatMap((day) => [dayBefore(day), day]), dayBefore(today), today])];
  for (const day of moments) await expectGroups(day);
  const sites = [];
  for (const day of ["2025-03-30", "2025-03-31", "2026-10-30", today]) sites.push(await expectSilent(day));
  expect(sites[1]).toBeLessThan(sites[0]!);
  for (const { facilityUuid } of chosen.slice(0, 50)) {
    expect((await admin.call("POST", `/api/v1/facility/${encodeURIComponent(facilityUuid)}/reopen`)).status).toBe(200);
    closings.delete(facilityUuid);
  }
  for (const day of ["2025-06-17", "2026-10-30", today]) await expectGroups(day);
});
