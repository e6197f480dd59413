import { beforeAll, expect, test } from "vitest";

import { bodyOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** The tree of the country as DHIS2's organisation units, compared with the tables. */

type OrganisationUnit = {
  id: string;
  code?: string;
  name: string;
  shortName: string;
  openingDate: string;
  closedDate?: string;
  level: number;
  path: string;
  parent?: { id: string };
  geometry?: { type: string; coordinates: [number, number] };
};
let allUnits: OrganisationUnit[];
const path = "/api/v1/dhis2/organisationUnits";
const known = "Abcde123456";
let site: { facilityUuid: string; districtId: number; hmisCode: string };
let closedUuid: string;
let merged: { facilityUuid: string; into: string; name: string };
const mergedUid = "Mergd123456";
const gateway = await gatewayOfFile();
const plain = await gateway.as("plain");
beforeAll(async () => {
  const admin = await gateway.as("admin");
  const rows = await gateway.sql<typeof site & { closed: string }>`
    select f.facility_uuid, f.district_id, f.hmis_code, (select min(facility_uuid) from facility where closed_on is null and facility_uuid <> f.facility_uuid) as closed
    from facility f where f.hmis_code is not null and f.latitude is not null and f.closed_on is null order by f.facility_uuid desc limit 1`;
  site = rows[0]!;
  closedUuid = rows[0]!.closed;
  await gateway.sql`delete from facility_identifier where facility_uuid = ${site.facilityUuid} and system = 'dhis2'`;
  await gateway.sql`insert into facility_identifier (facility_uuid, system, value, is_unique) values (${site.facilityUuid}, 'dhis2', ${known}, true)`;
  await gateway.sql`update facility set facility_name = ${"A very long name ".repeat(6).trim()} where facility_uuid = ${site.facilityUuid}`;
  const days = await gateway.sql<{ day: string }>`select current_date::text as day`;
  const closed = await admin.call("POST", `/api/v1/facility/${closedUuid}/close`, {
    closedOn: days[0]!.day,
    reason: "Of the test",
  });
  if (closed.status !== 200) throw new Error(closed.text);
  const [former, into] = await gateway.sql<{ facilityUuid: string; name: string }>`
    select facility_uuid, facility_name as name from facility where closed_on is null and facility_uuid not in (${site.facilityUuid}, ${closedUuid}) order by 1 limit 2`;
  merged = { ...former!, into: into!.facilityUuid };
  for (const [uuid, uid] of [
    [merged.facilityUuid, mergedUid],
    [merged.into, "Stays123456"],
  ]) {
    await gateway.sql`delete from facility_identifier where facility_uuid = ${uuid} and system = 'dhis2'`;
    await gateway.sql`insert into facility_identifier (facility_uuid, system, value, is_unique) values (${uuid}, 'dhis2', ${uid}, true)`;
  }
  const done = await admin.call("POST", `/api/v1/facility/${merged.facilityUuid}/merge`, { into: merged.into });
  if (done.status !== 200) throw new Error(done.text);
  allUnits = bodyOf(await plain.get(`${path}?paging=false`)).organisationUnits;
});

test("a merged facility stays under its UID, closed on the day of the merge, and names the one that stays", async () => {
  const [row] = await gateway.sql<{ day: string; name: string; district: string }>`
    select merged_at::date::text as day, facility_name as name, district.name as district
    from facility_merge join facility on facility.facility_uuid = into_uuid join district using (district_id)
    where facility_merge.facility_uuid = ${merged.facilityUuid}`;
  const unit = allUnits.find(({ id }) => id === mergedUid)!;
  expect(unit).toMatchObject({
    ...{ name: merged.name, level: 4, closedDate: `${row!.day}T00:00:00.000` },
    comment: `Merged into ${row!.name}, Stays123456`,
  });
  expect(allUnits.find(({ id }) => id === unit.parent!.id)!.name).toBe(row!.district);
});

test("the tree has every unit once, below its parent, with a UID in the form of DHIS2", async () => {
  const rows = await gateway.sql<{ name: string; level: number; above: string | null }>`
    select 'Zambia' as name, 1 as level, null as above union all
    select name, 2, 'Zambia' from province union all
    select d.name, 3, p.name from district d join province p using (province_id) union all
    select facility_name, 4, d.name from facility join district d using (district_id) union all
    select facility_merge.facility ->> 'facility_name', 4, d.name from facility_merge join facility on facility.facility_uuid = into_uuid join district d using (district_id)`;
  const byId = new Map(allUnits.map((unit) => [unit.id, unit]));
  expect(byId.size).toBe(allUnits.length);
  const listed = allUnits.map(({ name, level, parent }) => ({
    name,
    level,
    above: parent ? byId.get(parent.id)!.name : null,
  }));
  const inOrder = (list: object[]) => list.map((row) => JSON.stringify(row)).toSorted();
  expect(inOrder(listed)).toEqual(inOrder(rows));
  for (const unit of allUnits) {
    expect(unit.id).toMatch(/^[A-Za-z][A-Za-z0-9]{10}$/);
    expect(unit.shortName.length).toBeLessThanOrEqual(50);
    expect(unit.path).toBe(`${unit.parent ? byId.get(unit.parent.id)!.path : ""}/${unit.id}`);
    expect(unit.path.split("/").length - 1).toBe(unit.level);
    expect(unit.openingDate).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000$/);
  }
  // Parents come before their children, and codes are unique.
  expect(allUnits.map(({ level }) => level)).toEqual(allUnits.map(({ level }) => level).toSorted());
  const codes = allUnits.flatMap(({ code }) => code ?? []);
  expect(new Set(codes).size).toBe(codes.length);
});

test("a facility has its DHIS2 UID if that is stored, its code and position, and the day on which it was closed", async () => {
  const rows = await gateway.sql<{ latitude: number; longitude: number }>`
    select latitude, longitude from facility where facility_uuid = ${site.facilityUuid}`;
  expect(allUnits.find(({ id }) => id === known)).toMatchObject({
    code: site.hmisCode,
    level: 4,
    geometry: { type: "Point", coordinates: [rows[0]!.longitude, rows[0]!.latitude] },
  });
  expect(allUnits.filter(({ level }) => level === 2).map(({ geometry }) => geometry?.type)).toEqual(
    Array.from({ length: 10 }, () => "MultiPolygon"),
  );
  const closed = await gateway.sql<{ day: string; name: string }>`
    select closed_on::text as day, facility_name as name from facility where closed_on is not null
    union all select merged_at::date::text, facility ->> 'facility_name' from facility_merge`;
  expect(closed.length).toBeGreaterThan(0);
  const listed = allUnits
    .filter(({ closedDate, level }) => closedDate && level === 4)
    .map(({ name, closedDate }) => [name, closedDate]);
  expect(listed.toSorted()).toEqual(closed.map(({ name, day }) => [name, `${day}T00:00:00.000`]).toSorted());
});

test("facilities are grouped by type and by owner in two group sets, in the whole export only", async () => {
  type Named = { id: string; name: string };
  type Export = {
    organisationUnitGroups: (Named & { organisationUnits: { id: string }[] })[];
    organisationUnitGroupSets: (Named & { organisationUnitGroups: { id: string }[] })[];
  };
  const { organisationUnitGroups: groups, organisationUnitGroupSets: sets } = bodyOf<Export>(
    await plain.get(`${path}?paging=false`),
  );
  const rows = await gateway.sql<{ kind: string; name: string; count: number }>`
    select 'Facility type' as kind, facility_type as name, count(*)::int as count from facility where facility_type is not null group by 2
    union all select 'Facility owner', facility_owner, count(*)::int from facility where facility_owner is not null group by 2`;
  const found = sets.flatMap((set) =>
    set.organisationUnitGroups.map(({ id }) => {
      const { name, organisationUnits } = groups.find((group) => group.id === id)!;
      return { kind: set.name, name, count: organisationUnits.length };
    }),
  );
  const inOrder = (list: object[]) => list.map((row) => JSON.stringify(row)).toSorted();
  expect(inOrder(found)).toEqual(inOrder(rows));
  expect(rows.length).toBeGreaterThan(3);
  const uids = [...groups, ...sets].map(({ id }) => id);
  expect(new Set(uids).size).toBe(uids.length);
  const known = new Set(allUnits.map(({ id }) => id));
  expect(groups.every(({ organisationUnits }) => organisationUnits.every(({ id }) => known.has(id)))).toBe(true);
  for (const query of ["paging=false&fields=id", "paging=false&level=2", ""])
    expect(bodyOf<Partial<Export>>(await plain.get(`${path}?${query}`)).organisationUnitGroups).toBeUndefined();
});

type Page = { pager: { nextPage?: string }; organisationUnits: OrganisationUnit[] };
test("pages have the form of DHIS2: together they have all units, and each links to the next", async () => {
  for (const [query, units] of [
    ["pageSize=7&level=2", allUnits.filter(({ level }) => level === 2)],
    ["pageSize=90", allUnits],
  ] as const) {
    const found: OrganisationUnit[] = [];
    let next: string | undefined = `${path}?${query}`;
    for (let page = 1; next; page += 1) {
      const answer: Page = bodyOf<Page>(await plain.get(next));
      const size = Number(/pageSize=(\d+)/.exec(query)![1]);
      expect(answer.pager).toMatchObject({
        page,
        pageSize: size,
        total: units.length,
        pageCount: Math.ceil(units.length / size),
      });
      found.push(...answer.organisationUnits);
      next = answer.pager.nextPage?.replace(gateway.url, "");
    }
    expect(found).toEqual(units);
  }
  expect(bodyOf(await plain.get(path)).organisationUnits).toEqual(allUnits.slice(0, 50));
  expect(bodyOf(await plain.get(`${path}?page=999`)).organisationUnits).toEqual([]);
});

test("fields selects properties in the syntax of DHIS2, with and without paging", async () => {
  const listed = async (query: string) =>
    bodyOf(await plain.get(`${path}?${query}`)).organisationUnits as Record<string, unknown>[];
  const {
    id,
    name,
    shortName,
    code,
    lastUpdated,
    parent,
    level,
    path: unitPath,
  } = allUnits.find((unit) => unit.id === known) as OrganisationUnit & { lastUpdated?: string };
  const above = allUnits.find((unit) => unit.id === parent!.id)!;
  const one = async (fields: string) =>
    (await listed(`paging=false&fields=${encodeURIComponent(fields)}`)).find((unit) =>
      unit["level"] === undefined ? unit["id"] === known : unit["path"] === unitPath,
    );
  expect(await one("id,displayName")).toEqual({ id, displayName: name });
  expect(await one("id, name,nosuch,parent")).toEqual({ id, name, parent: { id: parent!.id } });
  expect(await one("id,parent[id,name,code,level,path]")).toEqual({
    id,
    parent: { id: above.id, name: above.name, code: above.code, level: above.level, path: above.path },
  });
  expect(await one("id,parent[*,!id]")).toEqual({
    id,
    parent: { name: above.name, displayName: above.name, code: above.code, level: above.level, path: above.path },
  });
  // Names that every JavaScript object has are unknown properties, like other unknown names.
  expect(await one("id,constructor,__proto__,parent[__proto__,toString,id]")).toEqual({
    id,
    parent: { id: parent!.id },
  });
  expect(await one(":identifiable")).toEqual({
    id,
    name,
    displayName: name,
    code,
    ...(lastUpdated ? { lastUpdated } : {}),
  });
  expect(await one(":nameable,leaf")).toEqual({
    id,
    name,
    displayName: name,
    shortName,
    code,
    leaf: true,
    ...(lastUpdated ? { lastUpdated } : {}),
  });
  for (const all of ["*", ":all", ":owner"])
    expect(await one(all)).toMatchObject({ ...allUnits.find((unit) => unit.id === known), displayName: name });
  expect(Object.keys((await one(":simple"))!)).not.toEqual(expect.arrayContaining(["parent"]));
  const excluded = ["geometry", "path", "level", "parent"];
  const properties = Object.entries((await one(":all"))!);
  expect(properties.map(([property]) => property)).toEqual(expect.arrayContaining(excluded));
  expect(await one(`:all,${excluded.map((property) => `!${property}`).join(",")}`)).toEqual(
    Object.fromEntries(properties.filter(([property]) => !excluded.includes(property))),
  );
  expect(await listed("fields=id,level&pageSize=3&level=3&translate=true&locale=en&totalPages=true")).toEqual(
    allUnits
      .filter((unit) => unit.level === 3)
      .slice(0, 3)
      .map((unit) => ({ id: unit.id, level: 3 })),
  );
  expect(await listed("skipPaging=true&fields=id")).toEqual(allUnits.map((unit) => ({ id: unit.id })));
  expect(level).toBe(4);
});

test("the list without paging is of one moment: a facility that is moved while it is read is listed once", async () => {
  const rows = await gateway.sql<{ district: number }>`
    select district_id as district from district order by district_id`;
  const admin = await gateway.as("admin");
  const reading = new AbortController();
  const moves = (async () => {
    let count = 0;
    while (!reading.signal.aborted) {
      const moved = await admin.call("PATCH", `/api/v1/facility/${site.facilityUuid}`, {
        districtId: rows[count % rows.length]!.district,
      });
      if (moved.status !== 200) throw new Error(moved.text);
      count += 1;
    }
    return count;
  })();
  for (let read = 0; read < 10; read += 1) {
    const units = bodyOf(await plain.get(`${path}?paging=false&fields=id,path,parent[path]`)).organisationUnits as {
      id: string;
      path: string;
      parent?: { path: string };
    }[];
    expect(units.map(({ id }) => id).toSorted()).toEqual(allUnits.map(({ id }) => id).toSorted());
    const paths = new Set(units.map((unit) => unit.path));
    for (const unit of units) if (unit.parent) expect(paths.has(unit.parent.path)).toBe(true);
  }
  reading.abort();
  expect(await moves).toBeGreaterThan(0);
});

test("wrong parameters are refused by name", async () => {
  for (const [query, name] of [
    ["page=0", "page"],
    ["pageSize=1001", "pageSize"],
    ["level=5", "level"],
    ["paging=no", "paging"],
    ["fields=id,parent[id", "fields"],
    ["fields=name~rename(x)", "fields"],
    ["fields=", "fields"],
    ["filter=name:like:x", "filter"],
  ] as const)
    expect([
      query,
      bodyOf(await plain.get(`${path}?${query}`)).errors.map((error: { path: string }) => error.path),
    ]).toEqual([query, [name]]);
});
