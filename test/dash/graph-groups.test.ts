import { beforeAll, describe, expect, test } from "vitest";

import { diceFrom, insertRandomHistory, userUuid } from "./dash-data.ts";
import { type Everything, isIn, latestAssessments, latestTdbs, readEverything, recountRows } from "./dash-recount.ts";
import { modes } from "../../gateway/facility/mode.rules.ts";
import type { Nodes, Person } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { isShort } from "../support/short.ts";

/** Groups of facilities, assessments and TDBs, and filters on assessments, equal the dashboards and a slow recount. */

let all: Everything;
let byUuid: Map<string, Everything["facilities"][number]>;
let today: string;

const gateway = await gatewayOfFile();
const [plain, viewer] = await Promise.all([gateway.as("plain"), gateway.as("viewer")]);
beforeAll(async () => {
  await insertRandomHistory(gateway.db, 6, 150, 40);
  all = await readEverything(gateway.db, "Africa/Lusaka");
  byUuid = new Map(all.facilities.map((facility) => [facility.facilityUuid, facility]));
  ({ today } = (await plain.graphql("{ system { today } }")).data.system);
});

const answers = `sumTrainedStaff sumSmartCareFunctional sumPrimaryPower sumPrimaryPowerWorking sumBackupPower sumBackupPowerWorking efirst efast elast
  notRecordedSmartCareFunctional notRecordedPrimaryPower notRecordedPrimaryPowerWorking notRecordedBackupPower notRecordedBackupPowerWorking`;
type Visit = Everything["assessments"][number];
const sumsOf = (visits: Visit[]) => {
  const having = (is: (visit: Visit) => unknown) => visits.filter((visit) => is(visit) === true).length;
  return {
    sumTrainedStaff: visits.reduce((sum, visit) => sum + visit.numberOfStaffTrainedInSmartCare, 0),
    sumSmartCareFunctional: having((visit) => visit.smartCareFunctional),
    sumPrimaryPower: having((visit) => visit.primaryPower),
    sumPrimaryPowerWorking: having((visit) => visit.primaryPowerWorking),
    sumBackupPower: having((visit) => visit.backupPower),
    sumBackupPowerWorking: having((visit) => visit.backupPowerWorking),
    notRecordedSmartCareFunctional: having((visit) => visit.smartCareFunctional === null),
    notRecordedPrimaryPower: having((visit) => visit.primaryPower === null),
    notRecordedPrimaryPowerWorking: having((visit) => visit.primaryPowerWorking === null),
    notRecordedBackupPower: having((visit) => visit.backupPower === null),
    notRecordedBackupPowerWorking: having((visit) => visit.backupPowerWorking === null),
    efirst: having((visit) => visit.functionalityStatusMode === "EFirst"),
    efast: having((visit) => visit.functionalityStatusMode === "EFast"),
    elast: having((visit) => visit.functionalityStatusMode === "ELast"),
  };
};
const facilityOf = (uuid: string) => byUuid.get(uuid)!;
// oxlint-disable-next-line typescript/no-explicit-any -- as in `bodyOf`
const ask = async <Data = any>(person: Person, query: string) => {
  const { data, errors } = await person.graphql<Data>(`{ ${query} }`);
  expect(errors, query).toBeUndefined();
  return data;
};
const years = () => [2025, 2026, Number(today.slice(0, 4)) + (today.slice(5) >= "10" ? 1 : 0)];

describe("groups of facilities", () => {
  test.each([
    ["", {}],
    ["provinceId: 2,", { provinceId: 2 }],
    ["implementingPartnerId: 2,", { implementingPartnerId: 2 }],
    ["provinceId: 1, implementingPartnerId: 3,", { provinceId: 1, implementingPartnerId: 3 }],
  ])("by month and quarter equal the charts (arguments: %s)", async (args, scope) => {
    let counted = 0;
    for (const year of years()) {
      const data = await ask(
        plain,
        `m: facilityGroups(${args} by: [MONTH], period: { year: ${year} }) { quarter calMonth facilities ${answers} }
        q: facilityGroups(${args} by: [YEAR, QUARTER], period: { year: ${year} }) { quarter calMonth facilities ${answers} }
        y: facilityGroups(${args} by: [YEAR]) { year facilities }`,
      );
      for (const [rows, view] of [
        [data.m, "monthly"],
        [data.q, "quarterly"],
      ] as const) {
        const places = recountRows(all, { year, quarter: -1, view, scope });
        const expected = places.map((row) => {
          const isWithin = (local: string) => isIn(local, year, row.quarter, row.calMonth);
          const { quarter, calMonth } = row;
          const sums = Object.fromEntries(answers.split(/\s+/).map((name) => [name, row[name as keyof typeof row]]));
          return { quarter, calMonth, facilities: latestAssessments(all, scope, isWithin).length, ...sums };
        });
        expect(rows).toEqual(expected);
        counted += rows.length;
      }
      const inYear = latestAssessments(all, scope, (local) => isIn(local, year, -1, null)).length;
      expect(data.y.find((row: { year: number }) => row.year === year)?.facilities ?? 0).toBe(inYear);
    }
    expect(counted).toBeGreaterThan(10);
  });

  test("are sorted by their keys, in the order of the keys", async () => {
    const { rows } = await ask<{ rows: { quarter: number; province: { name: string } }[] }>(
      plain,
      `rows: facilityGroups(by: [QUARTER, PROVINCE], period: { year: 2026 }) { quarter province { name } }`,
    );
    const keys = rows.map(({ quarter, province }) => `${quarter} ${province.name}`);
    expect(keys).toEqual(keys.toSorted());
    expect(keys.length).toBeGreaterThan(10);
  });
});

describe("filters on assessments", () => {
  const isFunctional = (visit: Visit) =>
    visit.smartCareFunctional === true && ["EFirst", "Partial"].includes(visit.functionalityStatusMode);

  type Partner = { implementingPartner: { implementingPartner: string } | null };
  type Power = { backupPowerWorking: boolean | null };
  type LostPower = {
    list: Nodes<Partner & { facilityUuid: string; latestAssessment: Power; before: Power }>;
    groups: (Partner & { facilities: number })[];
  };

  test("find functional E-First sites that lost backup power in one query, by site and by partner, as a recount does", async () => {
    let found = 0;
    for (const [year, quarter] of [
      [2025, 2],
      [2025, 4],
      [2026, 1],
      [2026, 3],
    ] as const) {
      const filter = `filter: { latestAssessment: { mode: [EFirst, Partial], smartCareFunctional: true, backupPowerWorking: false }
        earlierAssessment: { period: { year: ${year}, quarter: ${quarter} }, backupPowerWorking: true } }`;
      const data = await ask<LostPower>(
        viewer,
        `list: facilities(${filter}, sort: IMPLEMENTING_PARTNER_ASC, first: 100) { totalCount nodes { facilityUuid implementingPartner { implementingPartner }
          latestAssessment { backupPowerWorking smartCareFunctional } before: latestAssessment(period: { year: ${year}, quarter: ${quarter} }) { backupPowerWorking } } }
        groups: facilityGroups(by: [IMPLEMENTING_PARTNER], ${filter}) { implementingPartner { implementingPartner } facilities }`,
      );
      const before = latestAssessments(all, {}, (local) => isIn(local, year, quarter, null)).filter(
        (visit) => visit.backupPowerWorking === true,
      );
      const lost = latestAssessments(all, {}, () => true).filter(
        (visit) =>
          isFunctional(visit) &&
          visit.backupPowerWorking === false &&
          before.some(({ facilityUuid }) => facilityUuid === visit.facilityUuid),
      );
      expect(data.list.nodes.map((node) => node.facilityUuid).toSorted()).toEqual(
        lost.map(({ facilityUuid }) => facilityUuid).toSorted(),
      );
      for (const node of data.list.nodes) {
        expect(node.before.backupPowerWorking).toBe(true);
        expect(node.latestAssessment.backupPowerWorking).toBe(false);
      }
      const partners = data.list.nodes.map((node) => node.implementingPartner?.implementingPartner ?? "");
      expect(partners).toEqual(partners.toSorted());
      for (const { implementingPartner, facilities } of data.groups)
        expect(facilities).toBe(
          partners.filter((name) => name === (implementingPartner?.implementingPartner ?? "")).length,
        );
      found += lost.length;
    }
    expect(found).toBeGreaterThan(3);
  });

  test("take the name of a province, and periods relative to today", async () => {
    const [name] = all.provinces.map((province) => province.name).toSorted();
    const { data } =
      await viewer.graphql(`{ a: facilities(filter: { province: "${name!.toUpperCase()}", latestAssessment: { period: { relative: THIS_YEAR }, exists: true } }) { totalCount }
      b: facilities(filter: { latestAssessment: { period: { relative: LAST_QUARTER }, exists: false } }) { totalCount } }`);
    const year = years()[2]!;
    const provinceId = all.provinces.find((province) => province.name === name)!.provinceId;
    expect(data.a.totalCount).toBe(
      latestAssessments(all, { provinceId }, (local) => isIn(local, year, -1, null)).length,
    );
    const month = Number(today.slice(5, 7));
    const quarter = Math.floor(((month + 2) % 12) / 3) + 1;
    const inLast = latestAssessments(all, {}, (local) =>
      quarter === 1 ? isIn(local, year - 1, 4, null) : isIn(local, year, quarter - 1, null),
    );
    expect(data.b.totalCount).toBe(all.facilities.length - inLast.length);
  });
});

/** The first day of the month, quarter or fiscal year that a local time lies in. */
function startOf(local: string, kind: string): string {
  const [year, month] = local.split("-").map(Number) as [number, number];
  if (kind === "YEAR") return `${month > 9 ? year : year - 1}-10-01`;
  const first = kind === "MONTH" ? month : month - ((month - 1) % 3);
  return `${year}-${String(first).padStart(2, "0")}-01`;
}
const groupKeys = [
  "PROVINCE",
  "DISTRICT",
  "IMPLEMENTING_PARTNER",
  "MODE",
  "LIBRARY_VERSION",
  "MONTH",
  "QUARTER",
  "YEAR",
];
type Key = Record<string, unknown>;

type Scope = { provinceId?: number; districtId?: number; implementingPartnerId?: number; facilityUuid?: string };
const inScope = (scope: Scope, of: object) =>
  Object.entries(scope).every(([name, value]) => (of as Record<string, unknown>)[name] === value);

/** The places and partners that a list of groups has, whether anything was counted in them or not. */
function unitsOf(by: string[], scope: Scope): Key[] {
  const [isByDistrict, isByProvince, isByPartner] = ["DISTRICT", "PROVINCE", "IMPLEMENTING_PARTNER"].map((key) =>
    by.includes(key),
  );
  const there = all.facilities.filter((facility) => inScope(scope, facility));
  const { implementingPartnerId: only, facilityUuid: _one, ...place } = scope;
  const partnersOf = (facilities: { implementingPartnerId: number | null }[]) =>
    only === undefined ? facilities.map(({ implementingPartnerId }) => implementingPartnerId) : [only];
  const districts =
    scope.facilityUuid === undefined
      ? all.districts.filter((district) => inScope(place, district))
      : all.districts.filter(({ districtId }) => there[0]!.districtId === districtId);
  const keys = (!isByDistrict && !isByProvince ? [null] : districts).flatMap((district): Key[] => {
    const here = there.filter(
      ({ districtId, provinceId }) =>
        district === null || (isByDistrict ? districtId === district.districtId : provinceId === district.provinceId),
    );
    const none = here.length === 0 || (district === null && scope.facilityUuid === undefined) ? [null] : [];
    const nation = district === null && Object.keys(scope).length === 0 ? all.partners : [];
    const partners = only === undefined ? [...partnersOf([...here, ...nation]), ...none] : [only];
    return (isByPartner ? partners : [null]).map((partner) => ({
      ...(isByProvince ? { province: district!.provinceId } : {}),
      ...(isByDistrict ? { district: district!.districtId } : {}),
      ...(isByPartner ? { partner } : {}),
    }));
  });
  return keys;
}

/** The first days of the periods of a grouping that have a day of the range. */
function startsOn(by: string[], { start, end }: { start: string; end: string }): Key[] {
  const kind = ["MONTH", "QUARTER", "YEAR"].find((each) => by.includes(each))!;
  const days = Array.from({ length: (Date.parse(end) - Date.parse(start)) / 86_400_000 + 1 }, (_, index) =>
    new Date(Date.parse(start) + index * 86_400_000).toISOString().slice(0, 10),
  );
  return [...new Set(days.map((day) => startOf(day, kind)))].map((first) => ({ start: first }));
}

/** The keys of all groups of a list. `counted` are those of the groups in which something was counted. */
function everyKey(
  by: string[],
  { scope, mode, days }: { scope: Scope; mode?: string; days: { start: string; end: string } | null },
  counted: Key[],
): string[] {
  const isTimed = ["MONTH", "QUARTER", "YEAR"].some((each) => by.includes(each));
  const open = counted.map(({ version, start }) => ({
    ...(by.includes("LIBRARY_VERSION") ? { version } : {}),
    ...(isTimed && !days ? { start } : {}),
  }));
  const lists: Key[][] = [
    unitsOf(by, scope),
    by.includes("MODE") ? (mode ? [mode] : [...modes, null]).map((each) => ({ mode: each })) : [{}],
    isTimed && days ? startsOn(by, days) : [{}],
    by.includes("LIBRARY_VERSION") || (isTimed && !days) ? open : [{}],
  ];
  const keys = lists.reduce((before, list) => before.flatMap((key) => list.map((each) => ({ ...key, ...each }))), [{}]);
  return sortedKeys([...keys, ...counted]);
}
const sortedKeys = (keys: Key[]) =>
  [
    ...new Set(
      keys.map((key) => JSON.stringify(Object.entries(key).toSorted(([one], [other]) => (one < other ? -1 : 1)))),
    ),
  ].toSorted();

/** A row of groups. Only the keys of its query have values. */
type Group = {
  province?: { provinceId: number };
  district?: { districtId: number };
  implementingPartner: { implementingPartnerId: number } | null;
  functionalityStatusMode: string | null;
  libraryVersion: string | null;
  periodStart: string | null;
  of: number;
};

/** The key of a row of an answer. `keyOf` makes the same key from a visit or TDB that is counted. */
const keyOfRow = (by: string[], row: Group): Key => ({
  ...(by.includes("PROVINCE") ? { province: row.province!.provinceId } : {}),
  ...(by.includes("DISTRICT") ? { district: row.district!.districtId } : {}),
  ...(by.includes("IMPLEMENTING_PARTNER") ? { partner: row.implementingPartner?.implementingPartnerId ?? null } : {}),
  ...(by.includes("MODE") ? { mode: row.functionalityStatusMode } : {}),
  ...(by.includes("LIBRARY_VERSION") ? { version: row.libraryVersion } : {}),
  ...(row.periodStart ? { start: row.periodStart } : {}),
});
const keyOf = (
  by: string[],
  counted: { facilityUuid: string; local: string; libraryVersion: string | null },
  mode: string | null,
): Key => {
  const facility = facilityOf(counted.facilityUuid);
  const kind = ["MONTH", "QUARTER", "YEAR"].find((each) => by.includes(each));
  return {
    ...(by.includes("PROVINCE") ? { province: facility.provinceId } : {}),
    ...(by.includes("DISTRICT") ? { district: facility.districtId } : {}),
    ...(by.includes("IMPLEMENTING_PARTNER") ? { partner: facility.implementingPartnerId } : {}),
    ...(by.includes("MODE") ? { mode } : {}),
    ...(by.includes("LIBRARY_VERSION") ? { version: counted.libraryVersion?.trim() || null } : {}),
    ...(kind ? { start: startOf(counted.local, kind) } : {}),
  };
};
const grouped = <Row>(rows: Row[], toKey: (row: Row) => Key): [string, Row[]][] => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(toKey(row));
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
};
type Counted<Count extends string> = Group & Record<Count, number>;
const keyNames =
  "province { provinceId } district { districtId } implementingPartner { implementingPartnerId } functionalityStatusMode libraryVersion periodStart";

test("groups by any keys, scope and days equal a recount, whether read from roll-ups or from the history", async () => {
  const admin = await gateway.as("admin");
  const dice = diceFrom(15);
  const shapes = { rolledUp: 0, history: 0, groups: 0 };
  for (let n = 0; n < (isShort ? 80 : 200); n += 1) {
    const by = groupKeys.filter(() => dice.upTo(3) === 0);
    const first = `${2024 + dice.upTo(2)}-${String(1 + dice.upTo(11)).padStart(2, "0")}-${dice.oneOf(["01", "01", "02", "15"])}`;
    const last = new Date(Date.parse(first) + dice.oneOf([20, 31, 90, 400]) * 86_400_000).toISOString().slice(0, 10);
    const start = dice.upTo(2) ? first : null;
    const end = dice.upTo(2)
      ? dice.oneOf([
          last,
          `${last.slice(0, 8)}28`,
          new Date(Date.parse(`${last.slice(0, 8)}01`) - 86_400_000).toISOString().slice(0, 10),
        ])
      : null;
    if (start !== null && end !== null && start > end) continue;
    const scope = dice.oneOf([
      {},
      {},
      { provinceId: 1 + dice.upTo(9) },
      { implementingPartnerId: 2 },
      { facilityUuid: dice.oneOf(all.assessments).facilityUuid },
      { districtId: dice.oneOf(all.facilities).districtId },
    ]) as Record<string, unknown>;
    const narrow = dice.oneOf([
      {},
      {},
      {},
      { userUuid },
      { mode: dice.oneOf(["EFirst", "Partial"]) },
      { smartCareFunctional: dice.oneOf([true, false]) },
    ]) as { userUuid?: string; mode?: string; smartCareFunctional?: boolean };
    const delta = narrow.smartCareFunctional === undefined ? {} : { delta: narrow.smartCareFunctional };
    const { mode, smartCareFunctional, ...own } = narrow;
    // Lists of many keys leave out empty groups: with them they would have too many.
    const isEvery = by.length <= 2;
    const args = (more: object) =>
      `by: [${by.join()}]${isEvery ? "" : ", minimumSize: 1"}${Object.entries({
        ...scope,
        ...(start && { start }),
        ...(end && { end }),
        ...own,
        ...more,
      })
        .map(([name, value]) => `, ${name}: ${name === "mode" ? value : JSON.stringify(value)}`)
        .join("")}`;
    const fieldArgs = {
      a: args({ ...(mode && { mode }), ...(smartCareFunctional === undefined ? {} : { smartCareFunctional }) }),
      t: args(delta),
    };
    const data = await ask<{ a: Counted<"assessments">[]; t: Counted<"tdbCount">[] }>(
      admin,
      `a: assessmentGroups(${fieldArgs.a}) { ${keyNames} of assessments facilities ${answers} } t: tdbGroups(${fieldArgs.t}) { ${keyNames} of tdbCount facilities deltaTdbs totalPatients fileSize }`,
    );

    const isWithin = ({ local, ...row }: { facilityUuid: string; userUuid: string; local: string }) =>
      (start === null || local.slice(0, 10) >= start) &&
      (end === null || local.slice(0, 10) <= end) &&
      (!own.userUuid || row.userUuid === own.userUuid) &&
      Object.entries(scope).every(([name, value]) => facilityOf(row.facilityUuid)[name as "facilityUuid"] === value);
    const visits = all.assessments.filter(
      (visit) =>
        isWithin(visit) &&
        (!mode || visit.functionalityStatusMode === mode) &&
        (smartCareFunctional === undefined || visit.smartCareFunctional === smartCareFunctional),
    );
    const expected = grouped(visits, (visit) => keyOf(by, visit, visit.functionalityStatusMode)).map(([key, rows]) => {
      const latest = latestAssessments({ ...all, assessments: rows }, {}, () => true);
      return [key, { assessments: rows.length, facilities: latest.length, ...sumsOf(latest) }];
    });
    const keysOfRows = (rows: Group[]) => sortedKeys(rows.map((row) => keyOfRow(by, row)));
    const counted = (groups: unknown[][]) => groups.map(([key]): Key => JSON.parse(key as string));
    const asked = { scope: scope as Scope, days: start && end ? { start, end } : null };
    if (isEvery) expect(keysOfRows(data.a), fieldArgs.a).toEqual(everyKey(by, { ...asked, mode }, counted(expected)));
    for (const row of [...data.a, ...data.t]) {
      const here = { ...scope, ...row.province, ...row.district };
      expect(row.of).toBe(
        all.facilities.filter(
          (facility) =>
            inScope(here, facility) &&
            (!by.includes("IMPLEMENTING_PARTNER") ||
              facility.implementingPartnerId === (row.implementingPartner?.implementingPartnerId ?? null)),
        ).length,
      );
    }
    const countsOf = (row: object) =>
      Object.fromEntries(Object.entries(row).filter(([name, value]) => name !== "of" && typeof value === "number"));
    for (const row of data.a.filter(({ assessments }) => assessments === 0))
      expect(Object.values(countsOf(row)).every((value) => value === 0)).toBe(true);
    const countsByKey = <Count extends string>(rows: Counted<Count>[], count: Count) =>
      grouped(
        rows.filter((row) => row[count] > 0),
        (row) => keyOfRow(by, row),
      ).map(([key, [row]]) => [key, countsOf(row!)]);
    expect(countsByKey(data.a, "assessments"), fieldArgs.a).toEqual(expected);

    const tdbs = all.tdbs.filter(
      (tdb) => isWithin(tdb) && (smartCareFunctional === undefined || tdb.delta === smartCareFunctional),
    );
    const received = grouped(tdbs, (tdb) => keyOf(by, tdb, facilityOf(tdb.facilityUuid).functionalityStatusMode)).map(
      ([key, rows]) => {
        const latest = latestTdbs({ ...all, tdbs: rows }, {}, () => true);
        const sum = (amounts: number[]) => amounts.reduce((all, each) => all + each, 0);
        return [
          key,
          {
            tdbCount: rows.length,
            facilities: latest.length,
            deltaTdbs: rows.filter((row) => row.delta).length,
            totalPatients: sum(latest.map((row) => row.totalPatients)),
            fileSize: sum(rows.map((row) => row.fileSize)),
          },
        ];
      },
    );
    expect(countsByKey(data.t, "tdbCount"), fieldArgs.t).toEqual(received);
    if (isEvery) expect(keysOfRows(data.t), fieldArgs.t).toEqual(everyKey(by, asked, counted(received)));
    shapes.groups += expected.length + received.length;
    shapes[
      by.includes("MODE") || by.includes("LIBRARY_VERSION") || mode || own.userUuid || smartCareFunctional !== undefined
        ? "history"
        : "rolledUp"
    ] += 1;
  }
  expect(shapes.rolledUp).toBeGreaterThan(10);
  expect(shapes.history).toBeGreaterThan(20);
  expect(shapes.groups).toBeGreaterThan(1000);
});

test("groups and filters by what only records say, or by visits and people one by one, need the right to see them", async () => {
  const uuid = all.facilities[0]!.facilityUuid;
  const queries = [
    `facilityGroups(by: [], filter: { latestAssessment: { staffTrainedFrom: 3 } }) { facilities }`,
    `assessmentGroups(by: [], facilityUuid: "${uuid}") { assessments }`,
    `assessmentGroups(by: [], userUuid: "${userUuid}") { assessments }`,
    `tdbGroups(by: [], facilityUuid: "${uuid}") { tdbCount }`,
    `facilityGroups(by: [], filter: { change: { from: "2026-01-01", clientsFell: true } }) { facilities }`,
  ];
  for (const open of [
    `facilityGroups(by: [], search: "clinic") { facilities sumSmartCareFunctional }`,
    `facilityGroups(by: [], filter: { latestAssessment: { backupPower: true } }) { facilities }`,
  ])
    expect((await plain.graphql(`{ ${open} }`)).errors, open).toBeUndefined();
  for (const each of queries) {
    const { errors } = await plain.graphql(`{ ${each} }`);
    expect(errors?.[0].extensions.code, each).toBe("FORBIDDEN");
    const admin = await gateway.as("admin");
    expect((await admin.graphql(`{ ${each} }`)).errors, each).toBeUndefined();
  }
});

test.each([
  [`facilityGroups(by: [MONTH, MONTH]) { facilities }`, "by"],
  [`facilityGroups(by: [YEAR], period: { year: 2026, month: 3 }) { facilities }`, "by"],
  [`facilityGroups(by: [], period: { quarter: 1 }) { facilities }`, "period.year"],
  [`facilityGroups(by: [], period: { year: 2026, relative: LAST_YEAR }) { facilities }`, "period.relative"],
  [`facilityGroups(by: [], period: { year: 1999 }) { facilities }`, "period.year"],
  [`facilityGroups(by: [], search: "ab") { facilities }`, "search"],
  [
    `facilities(first: 1) { nodes { latestAssessment(period: { year: 2026, month: 13 }) { userName } } }`,
    "period.month",
  ],
  [`assessmentGroups(by: [], start: "2026-02-02", end: "2026-02-01") { assessments }`, "end"],
  [`tdbGroups(by: [], userUuid: "nobody") { tdbCount }`, "userUuid"],
  [`facilities(filter: { province: "Atlantis" }) { totalCount }`, "filter.province"],
  [`facilities(filter: { latestAssessment: { mode: [] } }) { totalCount }`, "filter.latestAssessment.mode"],
  [
    `facilities(filter: { latestAssessment: { exists: false, backupPower: true } }) { totalCount }`,
    "filter.latestAssessment.backupPower",
  ],
])("%s is refused, naming %s", async (query, path) => {
  const { errors } = await viewer.graphql(`{ ${query} }`);
  expect(errors?.[0].extensions).toMatchObject({ code: "INVALID", errors: [{ path }] });
});
