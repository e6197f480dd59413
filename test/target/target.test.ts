import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";

import { missingRightsMessage } from "../../gateway/access/access.rules.ts";
import { readEverything, recountRows } from "../dash/dash-recount.ts";
import { bodyOf, type Nodes, type Person } from "../support/gateway.ts";
import { changedBy, notThere, refusedWith, removeTarget, setTarget } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Targets: who sets them and for what, which one applies to a scope, and how much of it was reached. */

let admin: Person;
let plain: Person;
let place: { provinceId: number; districtId: number; partnerId: number; year: number };
const gateway = await gatewayOfFile();
beforeAll(async () => {
  [admin, plain] = [await gateway.as("admin"), await gateway.as("plain")];
  const rows = await gateway.sql<typeof place>`
    select province_id, district_id, implementing_partner_id as partner_id, extract(year from assessed_at at time zone 'Africa/Lusaka' + interval '3 months')::int as year
    from facility join assessment using (facility_uuid) where implementing_partner_id is not null group by 1, 2, 3, 4 order by count(*) desc, 1, 2, 3, 4 limit 1`;
  place = rows[0]!;
});
beforeEach(() => sql`delete from target`.execute(gateway.db));

const set = (input: object) => changedBy(setTarget(admin, input));
type Listed = { uuid: string; percent: number; unit: string; provinceId: number | null };
const list = async (filter = "") =>
  (await plain.graphql<{ targets: Nodes<Listed> }>(`{ targets${filter} { nodes { uuid percent unit provinceId } } }`))
    .data.targets.nodes;
const aim = (more: object = {}) => ({ measure: "functional", year: place.year, percent: 80, ...more });
const attained = async (query = "") =>
  bodyOf<Record<string, unknown>[]>(await plain.get(`/api/v1/dash/attainment/${place.year}/-1${query}`));

test.each<[object, string]>([
  [{ percent: 100.5 }, "percent"],
  [{ percent: -1 }, "percent"],
  [{ percent: 33.33 }, "percent"],
  [{ year: 1999 }, "year"],
  [{ year: 2200 }, "year"],
  [{ provinceId: 1, districtId: 1 }, "districtId"],
  [{ provinceId: 999_999 }, "provinceId"],
  [{ implementingPartnerId: 999_999 }, "implementingPartnerId"],
])("a target with %j is refused, naming %s", async (wrong, path) => {
  const { changed, errors } = await setTarget(admin, aim(wrong));
  expect([changed, errors.map((error) => error.path)]).toEqual([null, [path]]);
  expect(await list()).toEqual([]);
});

test("a measure, year and unit has one target: setting it again changes it, removing it deletes it, and the audit records both", async () => {
  for (const percent of [70, 0, 100, 72.5]) await set(aim({ percent }));
  await set(aim({ percent: 60, provinceId: place.provinceId }));
  const listed = await list(`(year: ${place.year})`);
  expect(listed.map(({ percent }) => percent).toSorted()).toEqual([60, 72.5]);
  expect(listed.find(({ provinceId }) => provinceId === null)?.unit).toBe("National");
  expect(await list(`(year: ${place.year - 1})`)).toEqual([]);
  const { uuid } = listed.find(({ provinceId }) => provinceId === null)!;
  expect(await removeTarget(plain, uuid)).toEqual(refusedWith(missingRightsMessage));
  expect(await removeTarget(admin, uuid)).toMatchObject({ changed: { uuid, percent: 72.5 }, errors: [] });
  expect(await removeTarget(admin, uuid)).toEqual(refusedWith(notThere, "uuid"));
  const events = bodyOf<{ details: { percent: number } }[]>(
    await admin.get("/api/v1/audit?action=target.set&limit=10"),
  );
  expect(events.slice(0, 2).map(({ details }) => details.percent)).toEqual([60, 72.5]);
  const [removed] = bodyOf<{ subjectId: string; details: object }[]>(
    await admin.get("/api/v1/audit?action=target.remove&limit=1"),
  );
  expect([removed!.subjectId, removed!.details]).toEqual([
    uuid,
    { measure: "functional", year: place.year, percent: 72.5, unit: "National" },
  ]);
});

test("the nearest target applies: the district's before its province's, the partner's before the country's", async () => {
  const { provinceId, districtId, partnerId } = place;
  const shares = async () => {
    const scopes = [
      "",
      `?provinceId=${provinceId}`,
      `?districtId=${districtId}`,
      `?implementingPartnerId=${partnerId}`,
      `?districtId=${districtId}&implementingPartnerId=${partnerId}`,
      "?implementingPartnerId=-1",
    ];
    return Promise.all(scopes.map(async (scope) => (await attained(scope)).map(({ percent }) => percent)));
  };
  expect(await shares()).toEqual([[], [], [], [], [], []]);
  await set(aim({ percent: 90 }));
  expect(await shares()).toEqual([[90], [90], [90], [90], [90], [90]]);
  await set(aim({ percent: 60, implementingPartnerId: partnerId }));
  await set(aim({ percent: 70, provinceId }));
  expect(await shares()).toEqual([[90], [70], [70], [60], [70], [90]]);
  await set(aim({ percent: 80, districtId }));
  expect(await shares()).toEqual([[90], [70], [80], [60], [80], [90]]);
  const { status } = await plain.get(`/api/v1/dash/attainment/${place.year}/-1?provinceId=999999`);
  expect(status).toBe(404);
});

test("a client of before sets and reads a target by `share`; who gives both names, or none, is told so", async () => {
  const set = async (values: string) =>
    (
      await admin.graphql<{ setTarget: { target: object | null; errors: object[] } }>(
        `mutation { setTarget(input: { measure: FUNCTIONAL, year: ${place.year}, ${values} }) { target { percent share } errors { path message } } }`,
      )
    ).data.setTarget;
  expect(await set("share: 40")).toEqual({ target: { percent: 40, share: 40 }, errors: [] });
  expect(await set("share: 40, percent: 40")).toEqual({
    target: null,
    errors: [{ path: "share", message: "is percent by its former name: give one of them" }],
  });
  expect(await set("provinceId: null")).toEqual({
    target: null,
    errors: [{ path: "percent", message: "is required" }],
  });
});

test("what was reached equals a recount and the counts of the charts, by REST and GraphQL", async () => {
  const { provinceId, year } = place;
  for (const measure of ["functional", "primaryPowerWorking", "backupPowerWorking", "efirst"])
    await set(aim({ measure, percent: 62.5 }));
  const sums = {
    functional: "sumSmartCareFunctional",
    primaryPowerWorking: "sumPrimaryPowerWorking",
    backupPowerWorking: "sumBackupPowerWorking",
    efirst: "efirst",
  } as const;
  const everything = await readEverything(gateway.db, "Africa/Lusaka");
  for (const quarter of [-1, 1]) {
    type Row = {
      measure: keyof typeof sums;
      value: number;
      assessed: number;
      notRecorded: number;
      reached: number | null;
      attainment: number | null;
    };
    const rows = bodyOf<Row[]>(
      await plain.get(`/api/v1/dash/attainment/${year}/${quarter}?provinceId=${provinceId}&years=2`),
    );
    const { data } = await plain.graphql<{
      attainment: Row[];
    }>(`{ attainment(year: ${year}, quarter: ${quarter}, years: 2, provinceId: ${provinceId}) {
      targetUuid measure year quarter percent provinceId districtId implementingPartnerId unit value assessed notRecorded reached attainment } }`);
    const measureNames: Record<string, string> = {
      FUNCTIONAL: "functional",
      PRIMARY_POWER_WORKING: "primaryPowerWorking",
      BACKUP_POWER_WORKING: "backupPowerWorking",
      EFIRST: "efirst",
    };
    expect(data.attainment.map((row) => ({ ...row, measure: measureNames[row.measure] }))).toEqual(rows);
    const [recounted] = recountRows(everything, { year, quarter, view: "yearly", scope: { provinceId } });
    const charted = bodyOf<Record<string, number>[]>(
      await plain.get(`/api/v1/dash/functionalityComparison/province/${provinceId}/${year}/${quarter}/-1?view=yearly`),
    );
    expect(rows).toHaveLength(4);
    const unknowns = {
      functional: "notRecordedSmartCareFunctional",
      primaryPowerWorking: "notRecordedPrimaryPowerWorking",
      backupPowerWorking: "notRecordedBackupPowerWorking",
    } as const;
    for (const { measure, value, assessed, notRecorded, reached, attainment } of rows) {
      expect([measure, notRecorded]).toEqual([measure, measure === "efirst" ? 0 : recounted![unknowns[measure]]]);
      expect([value, assessed]).toEqual([charted[0]![sums[measure]], charted[0]!["assessed"]]);
      expect([value, assessed]).toEqual([recounted![sums[measure]], recounted!.assessed]);
      if (quarter === -1) expect(assessed).toBeGreaterThan(0);
      // In percent with one decimal; null if nothing was assessed.
      const percent = assessed === 0 ? null : (100 * recounted![sums[measure]]) / recounted!.assessed;
      expect([measure, quarter, reached]).toEqual([
        measure,
        quarter,
        percent === null ? null : expect.closeTo(Math.round(percent * 10) / 10, 6),
      ]);
      if (percent === null) expect(attainment).toBeNull();
      else expect(Math.abs(attainment! - percent / 0.625)).toBeLessThan(0.051);
    }
  }
});

test("each unit of the situation has the nearest target of the running fiscal year and its attainment", async () => {
  const rows = await gateway.sql<{ year: number }>`
    select extract(year from now() at time zone 'Africa/Lusaka' + interval '3 months')::int as year from now()`;
  const { provinceId, districtId, partnerId } = place;
  type Unit = {
    hxId: number;
    assessed: number;
    functional: number;
    functionalTarget: number | null;
    functionalAttainment: number | null;
  };
  const units = async (query = "") => bodyOf(await plain.get(`/api/v1/situation${query}`)).units as Unit[];
  const targetsByUnit = async (query?: string) =>
    new Map((await units(query)).map(({ hxId, functionalTarget }) => [hxId, functionalTarget]));
  await set(aim({ year: rows[0]!.year - 1 }));
  await set(aim({ year: rows[0]!.year, measure: "efirst" }));
  expect(new Set((await targetsByUnit()).values())).toEqual(new Set([null]));
  await set(aim({ year: rows[0]!.year, percent: 90 }));
  await set(aim({ year: rows[0]!.year, percent: 70, provinceId }));
  await set(aim({ year: rows[0]!.year, percent: 60, districtId }));
  await set(aim({ year: rows[0]!.year, percent: 50, implementingPartnerId: partnerId }));
  for (const [unit, target] of await targetsByUnit()) expect(target).toBe(unit === provinceId ? 70 : 90);
  for (const [unit, target] of await targetsByUnit(`?provinceId=${provinceId}`))
    expect(target).toBe(unit === districtId ? 60 : 70);
  for (const [unit, target] of await targetsByUnit(`?implementingPartnerId=${partnerId}`))
    expect(target).toBe(unit === provinceId ? 70 : 50);
  for (const { assessed, functional, functionalTarget: percent, functionalAttainment } of await units()) {
    if (assessed === 0) expect(functionalAttainment).toBeNull();
    else expect(Math.abs(functionalAttainment! - (10_000 * functional) / assessed / percent!)).toBeLessThan(0.051);
  }
  // Single facilities have no target.
  expect(new Set((await targetsByUnit(`?districtId=${districtId}`)).values())).toEqual(new Set([null]));
});
