import { beforeAll, describe, expect, test } from "vitest";

import type { Person } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { insertRandomHistory, zone } from "./dash-data.ts";
import { type Everything, latestAssessments, latestTdbs, readEverything } from "./dash-recount.ts";

/** Figures, answers, shares, comparisons and sort orders of groups equal a slow recount over random histories. */

let all: Everything;
let today: string;

const gateway = await gatewayOfFile();
const [admin, plain, viewer] = await Promise.all([gateway.as("admin"), gateway.as("plain"), gateway.as("viewer")]);
beforeAll(async () => {
  await insertRandomHistory(gateway.db, 66, 150, 40);
  all = await readEverything(gateway.db, zone);
  ({ today } = (await plain.graphql("{ system { today } }")).data.system);
});

type Facility = Everything["facilities"][number];
// oxlint-disable-next-line typescript/no-explicit-any -- as in `bodyOf`
const ask = async <Data = any>(person: Person, query: string) => {
  const { data, errors } = await person.graphql<Data>(`{ ${query} }`);
  expect(errors, query).toBeUndefined();
  return data;
};
const daysFrom = (from: string, to: string) =>
  Math.round((Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / 86_400_000);
const shown = "known notStated sum mean median p90 min max";

/** A percentile, interpolated between the two nearest values. */
function percentile(sorted: number[], part: number): number {
  const at = part * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}
function figuresOf(values: (number | null)[]) {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const counts = { known: known.length, notStated: values.length - known.length };
  if (known.length === 0) return { ...counts, sum: null, mean: null, median: null, p90: null, min: null, max: null };
  const sum = known.reduce((added, value) => added + value, 0);
  return {
    ...counts,
    sum,
    mean: sum / known.length,
    median: percentile(known, 0.5),
    p90: percentile(known, 0.9),
    min: known[0]!,
    max: known.at(-1)!,
  };
}
const near = (figures: Record<string, number | null>) =>
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, value === null ? null : expect.closeTo(value, 6)]),
  );
const facilityOf = (uuid: string) => all.facilities.find(({ facilityUuid }) => facilityUuid === uuid)!;
const before = <Row extends { facilityUuid: string }>(
  rows: Row[],
  row: Row,
  rank: (row: Row) => string,
): Row | undefined =>
  rows
    .filter((other) => other.facilityUuid === row.facilityUuid && rank(other) < rank(row))
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .at(-1);
const gapsOf = <Row extends { facilityUuid: string; local: string }>(
  rows: Row[],
  of: Row[],
  rank: (row: Row) => string,
) =>
  rows.map((row) => {
    const earlier = before(of, row, rank);
    return earlier ? daysFrom(earlier.local, row.local) : null;
  });
const visitRank = (visit: Everything["assessments"][number]) => `${visit.local} ${visit.assessmentUuid}`;
const tdbRank = (tdb: Everything["tdbs"][number]) => `${tdb.local} ${tdb.tdbUuid}`;

/** 1 where neither source of power works, 0 where one does, null where it is not known. */
const unpowered = ({ primaryPowerWorking, backupPowerWorking }: Everything["assessments"][number]) =>
  primaryPowerWorking || backupPowerWorking
    ? 0
    : primaryPowerWorking === null || backupPowerWorking === null
      ? null
      : 1;

describe("figures", () => {
  test.each(["", 'asOf: "2025-12-31"'])("of facilities equal a recount (arguments: %s)", async (args) => {
    const day = args ? "2025-12-31" : today;
    const { rows } = await ask(
      admin,
      `rows: facilityGroups(by: [PROVINCE], ${args}) { province { provinceId } staffTrained { ${shown} } daysSinceLastVisit { ${shown} } daysSinceLastUpgrade { ${shown} } clients { ${shown} } daysSinceLastTdb { ${shown} } }`,
    );
    expect(rows).toHaveLength(10);
    const states = new Map(
      latestAssessments(all, {}, (local) => local.slice(0, 10) <= day).map((visit) => [visit.facilityUuid, visit]),
    );
    const sent = new Map(
      latestTdbs(all, {}, (local) => local.slice(0, 10) <= day).map((tdb) => [tdb.facilityUuid, tdb]),
    );
    for (const { province, ...row } of rows) {
      const here = all.facilities
        .filter(({ provinceId }) => provinceId === province.provinceId)
        .map(({ facilityUuid }) => facilityUuid);
      const of = (value: (uuid: string) => number | null | undefined) =>
        near(figuresOf(here.map((uuid) => value(uuid) ?? null)));
      expect(row).toEqual({
        staffTrained: of((uuid) => states.get(uuid)?.numberOfStaffTrainedInSmartCare),
        daysSinceLastVisit: of((uuid) => (states.has(uuid) ? daysFrom(states.get(uuid)!.local, day) : null)),
        daysSinceLastUpgrade: of((uuid) =>
          states.has(uuid) && states.get(uuid)!.dateOfLastUpgrade !== "1900-01-01"
            ? daysFrom(states.get(uuid)!.dateOfLastUpgrade, day)
            : null,
        ),
        clients: of((uuid) => sent.get(uuid)?.totalPatients),
        daysSinceLastTdb: of((uuid) => (sent.has(uuid) ? Math.max(0, daysFrom(sent.get(uuid)!.created, day)) : null)),
      });
    }
  });

  test("of visits (days since the visit before, trained staff, without power) equal a recount", async () => {
    const { rows } = await ask(
      plain,
      `rows: assessmentGroups(by: [PROVINCE], start: "2025-03-10", end: "2026-08-17") { province { provinceId } assessments daysBetweenVisits { ${shown} } staffTrained { ${shown} } withoutPower { ${shown} } }`,
    );
    const isHere = (local: string) => local.slice(0, 10) >= "2025-03-10" && local.slice(0, 10) <= "2026-08-17";
    expect(rows.length).toBeGreaterThan(8);
    for (const { province, assessments, ...row } of rows) {
      const visits = all.assessments.filter(
        ({ local, facilityUuid }) => isHere(local) && facilityOf(facilityUuid).provinceId === province.provinceId,
      );
      expect(assessments).toBe(visits.length);
      expect(row).toEqual({
        daysBetweenVisits: near(figuresOf(gapsOf(visits, all.assessments, visitRank))),
        staffTrained: near(
          figuresOf(
            latestAssessments(all, province, isHere).map(
              ({ numberOfStaffTrainedInSmartCare }) => numberOfStaffTrainedInSmartCare,
            ),
          ),
        ),
        withoutPower: near(figuresOf(latestAssessments(all, province, isHere).map(unpowered))),
      });
    }
  });

  test("of TDBs (days since the receipt before, clients) equal a recount", async () => {
    const { rows } = await ask(
      admin,
      `rows: tdbGroups(by: [IMPLEMENTING_PARTNER], start: "2024-09-10") { implementingPartner { implementingPartnerId } tdbCount daysBetweenTdbs { ${shown} } clients { ${shown} } }`,
    );
    for (const { implementingPartner, tdbCount, ...row } of rows) {
      const isTheirs = (facility: Facility) =>
        facility.implementingPartnerId === (implementingPartner?.implementingPartnerId ?? null);
      const isHere = (local: string) => local.slice(0, 10) >= "2024-09-10";
      const tdbs = all.tdbs.filter(({ local, facilityUuid }) => isHere(local) && isTheirs(facilityOf(facilityUuid)));
      expect(tdbCount).toBe(tdbs.length);
      expect(row).toEqual({
        daysBetweenTdbs: near(figuresOf(gapsOf(tdbs, all.tdbs, tdbRank))),
        clients: near(
          figuresOf(
            latestTdbs(all, {}, isHere)
              .filter(({ facility }) => isTheirs(facility))
              .map(({ totalPatients }) => totalPatients),
          ),
        ),
      });
    }
    expect(rows.length).toBeGreaterThan(2);
  });

  test("of TDBs are only for people who may read TDBs, in any group: a median of few would reveal single facilities", async () => {
    for (const query of [
      'tdbGroups(by: [], start: "2025-10-01", end: "2025-10-31") { clients { median } }',
      'tdbGroups(by: [PROVINCE], start: "2025-10-01", end: "2025-10-31") { daysBetweenTdbs { max } }',
      "facilityGroups(by: []) { clients { mean } }",
      'facilityGroups(by: [DISTRICT], asOf: "2025-10-01") { daysSinceLastTdb { min } }',
      "tdbGroups(by: [PROVINCE], sort: CLIENTS_MEDIAN_DESC) { tdbCount }",
      'facilityGroups(by: [PROVINCE], asOf: "2025-10-01", sort: DAYS_SINCE_LAST_TDB_MEAN_ASC) { facilities }',
    ])
      for (const person of [plain, viewer]) {
        const { errors } = await person.graphql(`{ ${query} }`);
        expect([query, errors?.[0].extensions.code]).toEqual([query, "FORBIDDEN"]);
      }
    // The day of the last TDB is open; earlier days are not.
    const days =
      "groups: facilityGroups(by: [DISTRICT], sort: DAYS_SINCE_LAST_TDB_MEAN_ASC) { daysSinceLastTdb { known min max } }";
    expect(await ask(plain, days)).toEqual(await ask(admin, days));
    const { groups } = await ask<{ groups: { suppressed: boolean; tdbCount: number }[] }>(
      plain,
      `groups: tdbGroups(by: [FACILITY_OWNER], start: "2025-10-01", end: "2025-10-31", against: { start: "2025-09-01", end: "2025-09-30" }, sort: TDB_COUNT_DESC) { tdbCount suppressed share { count of } before { totalPatients suppressed } change { tdbCount totalPatients } }`,
    );
    expect(groups.length).toBeGreaterThan(0);
    for (const group of groups.filter((each) => each.suppressed))
      expect(group).toMatchObject({ tdbCount: null, share: null, change: { tdbCount: null, totalPatients: null } });
    expect(groups.filter((each) => !each.suppressed && each.tdbCount > 0)).toEqual([]);
  });
});

test("an answer that is not stated counts as neither yes nor no, for service areas too", async () => {
  const { rows, areas } = await ask(
    plain,
    `rows: facilityGroups(by: [IMPLEMENTING_PARTNER], asOf: "2026-03-31") { implementingPartner { implementingPartnerId } assessed smartCareFunctional { yes no notStated of share } backupPowerWorking { yes no notStated of share } }
    areas: facilityGroups(by: [SERVICE_AREA]) { serviceArea { serviceAreaId } facilities assessed serviceAreaFunctional { yes no notStated of } }`,
  );
  const states = latestAssessments(all, {}, (local) => local.slice(0, 10) <= "2026-03-31");
  expect(rows).toHaveLength(new Set(all.facilities.map(({ implementingPartnerId }) => implementingPartnerId)).size);
  expect(rows.length).toBeGreaterThan(2);
  for (const { implementingPartner, assessed, ...row } of rows) {
    const here = states.filter(
      ({ facilityUuid }) =>
        facilityOf(facilityUuid).implementingPartnerId === (implementingPartner?.implementingPartnerId ?? null),
    );
    expect(assessed).toBe(here.length);
    const count = (name: "smartCareFunctional" | "backupPowerWorking") => {
      const [yes, no, notStated] = [true, false, null].map(
        (value) => here.filter((visit) => visit[name] === value).length,
      ) as [number, number, number];
      return { yes, no, notStated, of: here.length, share: yes + no === 0 ? null : yes / (yes + no) };
    };
    expect(row).toEqual({
      smartCareFunctional: count("smartCareFunctional"),
      backupPowerWorking: count("backupPowerWorking"),
    });
  }
  const active = await gateway.db.selectFrom("facilityServiceArea").selectAll().execute();
  const areaAnswers = await gateway.db.selectFrom("serviceAreaAssessment").selectAll().execute();
  const latest = latestAssessments(all, {}, () => true);
  for (const { serviceArea, facilities, assessed, serviceAreaFunctional } of areas) {
    const id = serviceArea?.serviceAreaId ?? null;
    const here = all.facilities.filter(({ facilityUuid }) =>
      id === null
        ? active.every((row) => row.facilityUuid !== facilityUuid)
        : active.some((row) => row.facilityUuid === facilityUuid && row.serviceAreaId === id),
    );
    const visits = latest.filter(({ facilityUuid }) => here.some((facility) => facility.facilityUuid === facilityUuid));
    const values = visits.map(
      ({ assessmentUuid }) =>
        areaAnswers.find((row) => row.assessmentUuid === assessmentUuid && row.serviceAreaId === id)
          ?.smartCareFunctional ?? null,
    );
    const [yes, no, notStated] = [true, false, null].map((value) => values.filter((each) => each === value).length);
    expect([id, facilities, assessed, serviceAreaFunctional]).toEqual([
      id,
      here.length,
      visits.length,
      { yes, no, notStated, of: visits.length },
    ]);
  }
  expect(areas.length).toBeGreaterThan(3);
});

describe("keys", () => {
  test.each([
    ["FACILITY_OWNER", "facilityOwner"],
    ["FACILITY_TYPE", "facilityType"],
    ["HEALTH_CENTER_TYPE", "healthCenterType"],
    ["LABORATORY_LEVEL", "laboratoryLevel"],
    ["OPERATION_STATUS", "operationStatus"],
    ["CONNECTIVITY_PRESENT", "connectivityPresent"],
    ["MOBILE_COVERAGE", "mobileCoverage"],
  ] as const)(
    "%s: values that are not stated form their own group, and groups and shares equal a recount",
    async (key, field) => {
      const { rows, visits } = await ask(
        plain,
        `rows: facilityGroups(by: [${key}, MODE]) { ${field} functionalityStatusMode facilities share(within: [${key}]) { count of share } }
      visits: assessmentGroups(by: [${key}]) { ${field} assessments facilities }`,
      );
      for (const row of rows) {
        const of = all.facilities.filter((facility) => facility[field] === row[field]);
        const here = of.filter(
          ({ functionalityStatusMode }) => functionalityStatusMode === row.functionalityStatusMode,
        );
        expect(row).toMatchObject({
          facilities: here.length,
          share: { count: here.length, of: of.length, share: here.length / of.length },
        });
      }
      expect(rows.reduce((sum: number, { facilities }: { facilities: number }) => sum + facilities, 0)).toBe(
        all.facilities.length,
      );
      expect(visits.reduce((sum: number, { assessments }: { assessments: number }) => sum + assessments, 0)).toBe(
        all.assessments.length,
      );
      for (const row of visits)
        expect(row.assessments).toBe(
          all.assessments.filter(({ facilityUuid }) => facilityOf(facilityUuid)[field] === row[field]).length,
        );
    },
  );

  test("distance: bands from a position equal a recount, with the sites whose position is not known", async () => {
    const distanceFrom = "distanceFrom: { latitude: -13, longitude: 28, kilometres: [100, 250] }";
    const { rows } = await ask(
      plain,
      `rows: facilityGroups(by: [DISTANCE, MODE], ${distanceFrom}) { distance { from to } functionalityStatusMode facilities of }`,
    );
    const radians = (degrees: number) => (degrees * Math.PI) / 180;
    const bandOf = ({ latitude, longitude }: Facility) => {
      if (latitude === null || longitude === null) return null;
      const [here, there] = [radians(-13), radians(latitude)];
      const cosine =
        Math.sin(here) * Math.sin(there) + Math.cos(here) * Math.cos(there) * Math.cos(radians(longitude - 28));
      const kilometres = 6371.0088 * Math.acos(cosine);
      return kilometres < 100
        ? { from: 0, to: 100 }
        : kilometres < 250
          ? { from: 100, to: 250 }
          : { from: 250, to: null };
    };
    for (const { distance, functionalityStatusMode, facilities, of } of rows) {
      const there = all.facilities.filter((facility) => bandOf(facility)?.from === distance?.from);
      const here = there.filter((facility) => facility.functionalityStatusMode === functionalityStatusMode);
      expect([distance, facilities, of]).toEqual([there[0] ? bandOf(there[0]) : null, here.length, there.length]);
    }
    expect(new Set(rows.map((row: { distance: { from: number } | null }) => row.distance?.from)).size).toBeGreaterThan(
      2,
    );
    const faultOf = async (list: string) => {
      const [error] = (await plain.graphql(`{ ${list} }`)).errors!;
      return error.extensions.errors?.[0].path ?? error.extensions.code;
    };
    expect([
      await faultOf("facilityGroups(by: [DISTANCE]) { facilities }"),
      await faultOf(`facilityGroups(by: [MODE], ${distanceFrom}) { facilities }`),
      await faultOf(`facilityGroups(by: [DISTANCE], ${distanceFrom.replace("100, 250", "250, 100")}) { facilities }`),
      await faultOf("assessmentGroups(by: [DISTANCE]) { assessments }"),
    ]).toEqual(["distanceFrom", "distanceFrom", "distanceFrom.kilometres", "by"]);
  });

  test("person, weekday and functionality: groups of visits and TDBs equal a recount", async () => {
    const { rows, days, tdbs } = await ask(
      admin,
      `rows: assessmentGroups(by: [USER, SMART_CARE_FUNCTIONAL]) { userUuid userName functional assessments facilities }
      days: assessmentGroups(by: [WEEKDAY], start: "2025-01-01") { weekday assessments facilities } tdbs: tdbGroups(by: [WEEKDAY, USER]) { weekday userUuid tdbCount facilities }`,
    );
    for (const row of rows) {
      const visits = all.assessments.filter(
        (visit) => visit.userUuid === row.userUuid && visit.smartCareFunctional === row.functional,
      );
      expect([row.assessments, row.facilities]).toEqual([
        visits.length,
        new Set(visits.map(({ facilityUuid }) => facilityUuid)).size,
      ]);
    }
    expect(rows.reduce((sum: number, { assessments }: { assessments: number }) => sum + assessments, 0)).toBe(
      all.assessments.length,
    );
    const weekdayOf = (local: string) => new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay() || 7;
    for (const { weekday, assessments } of days)
      expect(assessments).toBe(
        all.assessments.filter(({ local }) => local >= "2025" && weekdayOf(local) === weekday).length,
      );
    expect(tdbs.reduce((sum: number, { tdbCount }: { tdbCount: number }) => sum + tdbCount, 0)).toBe(all.tdbs.length);
    for (const row of tdbs)
      expect(row.tdbCount).toBe(
        all.tdbs.filter((tdb) => weekdayOf(tdb.local) === row.weekday && tdb.userUuid === row.userUuid).length,
      );
    for (const given of ["by: [USER]", 'by: [PROVINCE], search: "inverter"'])
      expect((await plain.graphql(`{ assessmentGroups(${given}) { assessments } }`)).errors![0].extensions.code).toBe(
        "FORBIDDEN",
      );
    for (const query of [
      "facilityGroups(by: [USER]) { facilities }",
      "facilityGroups(by: [WEEKDAY]) { facilities }",
      "tdbGroups(by: [SMART_CARE_FUNCTIONAL]) { tdbCount }",
    ])
      expect([query, (await admin.graphql(`{ ${query} }`)).errors?.[0].extensions.code]).toEqual([query, "INVALID"]);
  });
});

test("a comparison returns the earlier figures and the changes, also for groups that are gone or new", async () => {
  const { rows, visits } = await ask(
    plain,
    `rows: facilityGroups(by: [DISTRICT, MODE], asOf: "2026-06-30", against: { asOf: "2025-06-30" }) { district { districtId } functionalityStatusMode facilities before { facilities staffTrained { sum } } change { facilities sumTrainedStaff } }
    visits: assessmentGroups(by: [DISTRICT], start: "2026-01-01", end: "2026-03-31", against: { start: "2025-01-01", end: "2025-03-31" }) { district { districtId } assessments before { assessments } change { assessments } }`,
  );
  const [now, then] = ["2026-06-30", "2025-06-30"].map(
    (day) =>
      new Map(
        latestAssessments(all, {}, (local) => local.slice(0, 10) <= day).map((visit) => [visit.facilityUuid, visit]),
      ),
  );
  const found = { gone: 0, appeared: 0 };
  for (const { district, functionalityStatusMode, facilities, before: earlier, change } of rows) {
    const count = (states: typeof now) =>
      all.facilities.filter(
        ({ districtId, facilityUuid }) =>
          districtId === district.districtId &&
          (states!.get(facilityUuid)?.functionalityStatusMode ?? null) === functionalityStatusMode,
      );
    const [here, had] = [count(now), count(then)];
    const staff = (states: typeof now, some: Facility[]) =>
      some.reduce(
        (sum, { facilityUuid }) => sum + (states!.get(facilityUuid)?.numberOfStaffTrainedInSmartCare ?? 0),
        0,
      );
    expect([facilities, earlier?.facilities ?? 0, change]).toEqual([
      here.length,
      had.length,
      { facilities: here.length - had.length, sumTrainedStaff: staff(now, here) - staff(then, had) },
    ]);
    if (earlier?.staffTrained.sum != null) expect(earlier.staffTrained.sum).toBe(staff(then, had));
    if (here.length === 0) found.gone += 1;
    if (had.length === 0) found.appeared += 1;
  }
  expect([found.gone > 0, found.appeared > 0]).toEqual([true, true]);
  const visitsIn = (from: string, to: string) =>
    all.assessments
      .filter(({ local }) => local.slice(0, 10) >= from && local.slice(0, 10) <= to)
      .map(({ facilityUuid }) => facilityOf(facilityUuid).districtId);
  const [nowVisits, thenVisits] = [visitsIn("2026-01-01", "2026-03-31"), visitsIn("2025-01-01", "2025-03-31")];
  expect(visits).toHaveLength(all.districts.length);
  expect(visits.length).toBeGreaterThan(2);
  for (const { district, assessments, before: earlier, change } of visits) {
    const [here, had] = [nowVisits, thenVisits].map(
      (districts) => districts.filter((id) => id === district.districtId).length,
    ) as [number, number];
    expect([assessments, earlier?.assessments ?? 0, change.assessments]).toEqual([here, had, here - had]);
  }
});

test("groups can be sorted, limited to the first ones and limited to a minimum size", async () => {
  type Staff = { sumTrainedStaff: number };
  type Size = { facilities: number };
  type Data = {
    rows: Staff[];
    top: (Staff & { share: { of: number } })[];
    large: Size[];
    median: { daysBetweenVisits: { median: number | null } }[];
    every: Size[];
  };
  const { rows, top, large, median, every } = await ask<Data>(
    plain,
    `rows: facilityGroups(by: [DISTRICT], sort: SUM_TRAINED_STAFF_DESC) { sumTrainedStaff } top: facilityGroups(by: [DISTRICT], sort: SUM_TRAINED_STAFF_DESC, first: 3) { sumTrainedStaff share { of } }
    large: facilityGroups(by: [DISTRICT, MODE], minimumSize: 2) { facilities } median: assessmentGroups(by: [DISTRICT], sort: DAYS_BETWEEN_VISITS_MEDIAN_ASC) { daysBetweenVisits { median } } every: facilityGroups(by: [DISTRICT, MODE]) { facilities }`,
  );
  const sums = rows.map(({ sumTrainedStaff }) => sumTrainedStaff);
  expect(sums).toEqual(sums.toSorted((a, b) => b - a));
  expect(top.map(({ sumTrainedStaff }) => sumTrainedStaff)).toEqual(sums.slice(0, 3));
  expect(top[0]!.share.of).toBe(all.facilities.length);
  expect(large.length).toBe(every.filter(({ facilities }) => facilities >= 2).length);
  expect(large.length).toBeGreaterThan(0);
  expect(large.length).toBeLessThan(every.length);
  const medians = median.map(({ daysBetweenVisits }) => daysBetweenVisits.median);
  const known = medians.filter((value) => value !== null);
  expect(medians.slice(0, known.length)).toEqual(known.toSorted((a, b) => a - b));
});

test("the worst by a share come first, without those whose share is of too few", async () => {
  type Group = { smartCareFunctional: { yes: number; no: number; share: number | null } };
  const fields = "{ smartCareFunctional { yes no share } }";
  const { every, worst, complete } = await ask<{
    every: Group[];
    worst: Group[];
    complete: { completeness: { share: number } }[];
  }>(
    plain,
    `every: facilityGroups(by: [DISTRICT]) ${fields}
    worst: facilityGroups(by: [DISTRICT], sort: SMART_CARE_FUNCTIONAL_SHARE_ASC, minimumDenominator: 3, first: 10) ${fields}
    complete: facilityGroups(by: [PROVINCE], sort: COMPLETENESS_SHARE_DESC) { completeness { share } }`,
  );
  const large = every.map((group) => group.smartCareFunctional).filter(({ yes, no }) => yes + no >= 3);
  expect(large.length).toBeLessThan(every.length);
  const shares = large.map(({ share }) => share!).toSorted((one, other) => one - other);
  expect(worst.map((group) => group.smartCareFunctional.share)).toEqual(shares.slice(0, 10));
  const found = complete.map(({ completeness }) => completeness.share);
  expect(found).toEqual(found.toSorted((one, other) => other - one));
});

test("a part of a whole has each group of the whole, also those with 0 of it", async () => {
  type Measured = { measure: { count: number; of: number } };
  const asked = `filter: { functional: false, modes: [EFast] }, minimumDenominator: 1, measure: { count: FACILITIES, per: OF_ASSESSED }`;
  const { types, partners } = await ask<{
    types: (Measured & { facilityType: string })[];
    partners: (Measured & { implementingPartner: { implementingPartner: string } | null })[];
  }>(
    plain,
    `types: facilityGroups(by: [FACILITY_TYPE], ${asked}) { facilityType measure { count of } }
    partners: facilityGroups(by: [IMPLEMENTING_PARTNER], ${asked}, sort: MEASURE_ASC) { implementingPartner { implementingPartner } measure { count of } }`,
  );
  const wanted = await gateway.sql<{ type: string | null; partner: string | null; count: number; of: number }>`
    select facility_type as type, partner.name as partner, count(*)::int as of,
      count(*) filter (where not smart_care_functional and visit.functionality_status_mode = 'EFast')::int as count
    from facility left join implementing_partner as partner using (implementing_partner_id)
    join (select distinct on (facility_uuid) * from assessment order by facility_uuid, assessed_at desc, assessment_uuid desc) as visit
      using (facility_uuid) where facility.closed_on is null group by grouping sets (facility_type, partner.name)`;
  const found = [
    ...types.map(({ facilityType, measure }) => ({ type: facilityType, partner: null, ...measure })),
    ...partners.map(({ implementingPartner: partner, measure }) => ({
      ...{ type: null, partner: partner?.implementingPartner ?? null },
      ...measure,
    })),
  ];
  const inOrder = (rows: object[]) => rows.map((row) => JSON.stringify(Object.entries(row).toSorted())).toSorted();
  expect(inOrder(found)).toEqual(inOrder(wanted));
  expect(types.map(({ measure: { count } }) => count)).toContain(0);
});

test("with a change, groups are ordered by the change, or by what the measure is now", async () => {
  const measure =
    "measure: { count: SUM_SMART_CARE_FUNCTIONAL, per: RECORDED_SMART_CARE_FUNCTIONAL, change: DIFFERENCE }";
  const given = `by: [DISTRICT], start: "2026-04-01", end: "2026-09-30", against: { previous: true }, ${measure}`;
  type Row = { measure: { value: number | null; now: number | null } };
  const { byChange, byNow } = await ask<{ byChange: Row[]; byNow: Row[] }>(
    plain,
    `byChange: assessmentGroups(${given}, sort: MEASURE_ASC) { measure { value now } }
    byNow: assessmentGroups(${given}, sort: MEASURE_NOW_ASC) { measure { value now } }`,
  );
  const known = (values: (number | null)[]) => values.filter((value) => value !== null);
  const changes = known(byChange.map((row) => row.measure.value));
  const present = known(byNow.map((row) => row.measure.now));
  expect(changes).toEqual(changes.toSorted((one, other) => one - other));
  expect(present).toEqual(present.toSorted((one, other) => one - other));
  expect(byNow.map((row) => row.measure.value)).not.toEqual(byChange.map((row) => row.measure.value));
});

test("a quotient is also ordered by what is divided: the partners with the most sites without power, and their share", async () => {
  type Row = {
    facilities: number;
    withoutPower: { sum: number | null };
    measure: Record<"value" | "count" | "of", number | null>;
  };
  const fields = "{ facilities withoutPower { sum } measure { value count of } }";
  const given = "by: [IMPLEMENTING_PARTNER], measure: { count: WITHOUT_POWER, per: FACILITIES }";
  const { most, every } = await ask<Record<"most" | "every", Row[]>>(
    plain,
    `most: assessmentGroups(${given}, sort: MEASURE_COUNT_DESC, minimumDenominator: 3, first: 5) ${fields}
    every: assessmentGroups(${given}) ${fields}`,
  );
  const counts = every.filter(({ facilities }) => facilities >= 3).map(({ measure }) => measure.count ?? -1);
  expect(most.map(({ measure }) => measure.count)).toEqual(counts.toSorted((one, other) => other - one).slice(0, 5));
  expect(most[0]!.measure.count).toBeGreaterThan(0);
  for (const { facilities, withoutPower, measure } of every)
    expect(measure).toEqual({
      ...{ count: withoutPower.sum, of: facilities },
      value: withoutPower.sum === null || facilities === 0 ? null : withoutPower.sum / facilities,
    });
});

const days = 'start: "2026-01-01", end: "2026-03-31"';
test.each([
  ["facilityGroups", "sort: EFIRST_ASC, minimumDenominator: 3", "minimumDenominator: needs an order by a share"],
  ["assessmentGroups", "sort: MEASURE_ASC", "measure: is needed for an order by it"],
  ["assessmentGroups", "measure: { count: ASSESSMENTS, running: true }", "measure.running: needs MONTH"],
  ["tdbGroups", "measure: { count: TDB_COUNT, running: true, per: OF }", "measure.running: cannot be given together"],
  ["tdbGroups", "measure: { count: TDB_COUNT, each: 10 }", "measure.each: needs per"],
  ["tdbGroups", "measure: { count: TDB_COUNT, change: PERCENT }", "measure.change: needs against"],
  ["tdbGroups", `${days}, against: { start: "2026-01-01", previous: true }`, "against.start: and end are needed, or"],
  ["assessmentGroups", "against: { previous: true }", "against.previous: needs start and end"],
  ["facilityGroups", "against: { previous: true }", "against.previous: needs period"],
])("%s(%s) is refused: %s", async (field, given, words) => {
  const { errors } = await plain.graphql(`{ ${field}(by: [PROVINCE], ${given}) { of } }`);
  expect([errors?.[0].extensions.code, errors?.[0].message]).toEqual(["INVALID", expect.stringContaining(words)]);
});

test("a measure beside periods changes from one period to the next, and shows nobody what the counts hide", async () => {
  type Measured = { value: number | null; before: number | null };
  type Row = { periodStart: string; assessments: number; measure: Measured };
  const { rows, hidden } = await ask<{ rows: Row[]; hidden: { tdbCount: null; measure: Measured }[] }>(
    plain,
    `rows: assessmentGroups(by: [QUARTER], start: "2025-01-01", end: "2025-12-31", measure: { count: ASSESSMENTS, change: DIFFERENCE }) { periodStart assessments measure { value before } }
    hidden: tdbGroups(by: [FACILITY_OWNER], ${days}, measure: { count: TDB_COUNT, per: OF }, sort: MEASURE_DESC) { tdbCount measure { value before } }`,
  );
  expect(rows).toHaveLength(4);
  for (const [at, { assessments, measure }] of rows.entries()) {
    const before = rows[at - 1]?.assessments ?? null;
    expect(measure).toEqual({ before, value: before === null ? null : assessments - before });
  }
  expect(hidden.length).toBeGreaterThan(0);
  for (const group of hidden) expect(group).toEqual({ tdbCount: null, measure: { value: null, before: null } });
});

test("with an order each group has its rank, equal figures the same one", async () => {
  type Ranked = { rank: number | null; tied: number | null };
  type Rows = { rows: (Ranked & { median: { median: number | null } })[]; first: Ranked[]; plain: { rank: null }[] };
  const {
    rows,
    first,
    plain: unsorted,
  } = await ask<Rows>(
    plain,
    "rows: assessmentGroups(by: [DISTRICT], sort: DAYS_BETWEEN_VISITS_MEDIAN_DESC) { rank tied median: daysBetweenVisits { median } } first: assessmentGroups(by: [DISTRICT], sort: DAYS_BETWEEN_VISITS_MEDIAN_DESC, first: 3) { rank tied } plain: assessmentGroups(by: [PROVINCE]) { rank }",
  );
  const known = rows.flatMap(({ median: { median } }) => median ?? []);
  expect(rows.map(({ rank }) => rank)).toEqual(
    rows.map(({ median: { median } }) => (median === null ? null : 1 + known.filter((other) => other > median).length)),
  );
  expect(new Set(rows.map(({ rank }) => rank)).size).toBeLessThan(rows.length);
  expect(rows.map(({ tied }) => tied)).toEqual(
    rows.map(({ rank }) => (rank === null ? null : rows.filter((other) => other.rank === rank).length)),
  );
  expect(first).toEqual(rows.slice(0, 3).map(({ rank, tied }) => ({ rank, tied })));
  expect(new Set(unsorted.map(({ rank }) => rank))).toEqual(new Set([null]));
});

test("people in catchment areas are figures of groups and a measure", async () => {
  const population = new Map(
    (await gateway.db.selectFrom("facility").select(["facilityUuid", "catchmentPopulation"]).execute()).map((row) => [
      row.facilityUuid,
      row.catchmentPopulation,
    ]),
  );
  const { rows } = await ask(
    plain,
    `rows: facilityGroups(by: [PROVINCE], measure: { count: SUM_TRAINED_STAFF, per: CATCHMENT_POPULATION, each: 10000 }, sort: MEASURE_DESC) { province { provinceId } sumTrainedStaff catchmentPopulation { ${shown} } measure { value of } }`,
  );
  for (const { province, sumTrainedStaff, catchmentPopulation, measure } of rows) {
    const here = all.facilities.filter(({ provinceId }) => provinceId === province.provinceId);
    expect(catchmentPopulation).toEqual(
      near(figuresOf(here.map(({ facilityUuid }) => population.get(facilityUuid) ?? null))),
    );
    expect(measure).toEqual({
      of: catchmentPopulation.sum,
      value: catchmentPopulation.sum ? expect.closeTo((10_000 * sumTrainedStaff) / catchmentPopulation.sum, 9) : null,
    });
  }
  expect(rows.some(({ measure }: { measure: { value: number | null } }) => (measure.value ?? 0) > 0)).toBe(true);
});

test.each([
  [2, "smartCareFunctional", true],
  [2, "smartCareFunctional", false],
  [3, "primaryPowerWorking", false],
] as const)("%i visits in a row with %s %s find the facilities of a recount", async (visits, answer, said) => {
  const word = answer.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const { rows } = await ask(
    plain,
    `rows: facilityGroups(by: [DISTRICT], filter: { inARow: { visits: ${visits}, answer: ${word}, said: ${said} } }) { district { districtId } facilities }`,
  );
  const isMeant = ({ facilityUuid }: Facility) => {
    const latest = all.assessments
      .filter((visit) => visit.facilityUuid === facilityUuid)
      .toSorted((a, b) => (visitRank(a) < visitRank(b) ? 1 : -1))
      .slice(0, visits);
    return latest.length === visits && latest.every((visit) => visit[answer] === said);
  };
  const meant = all.facilities.filter(isMeant);
  expect(meant.length).toBeGreaterThan(0);
  for (const { district, facilities } of rows)
    expect(facilities).toBe(meant.filter(({ districtId }) => districtId === district.districtId).length);
});
