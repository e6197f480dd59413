import { sql } from "kysely";
import { expect, test } from "vitest";

import { expectCountsHold } from "../derived/countsHold.ts";
import { readDerived } from "../derived/rows.ts";
import { bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cursorNow, settled } from "../support/settled.ts";

/** Provinces, districts and partners in the registry: renamed, moved, closed, opened again, removed. */

const api = (path: string) => `/api/v1${path}`;
const rowsOf = async <Row>(text: string) => await gateway.sql<Row>`${sql.raw(text)}`;
const one = async <Row>(text: string) => (await rowsOf<Row>(text))[0]!;
const place = (kind: string, id: number, act = "") => api(`/registry/place/${kind}/${id}${act}`);
const listed = async (kind: string, id: number) =>
  bodyOf<{ id: number }[]>(await admin.get(api(`/registry/place/${kind}`))).find((row) => row.id === id);
const added = async (table: string, values: string): Promise<number> =>
  (await one<{ id: number }>(`insert into ${table} values ${values} returning ${table.split(" ")[0]}_id as id`)).id;

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const today = (await one<{ today: string }>("select current_date as today")).today;

test("the lists of places count their facilities, districts and people as a recount does", async () => {
  for (const [kind, table] of [
    ["province", "province"],
    ["district", "district"],
    ["implementingPartner", "implementing_partner"],
  ] as const) {
    const counted = await rowsOf<{ id: number; open: number; closed: number; districts: number; people: number }>(`
      select place.${table}_id as id, ${kind === "province" ? "(select count(*)::integer from district where province_id = place.province_id)" : "0"} as districts,
        (select count(*)::integer from facility where ${table}_id = place.${table}_id and closed_on is null) as open,
        (select count(*)::integer from facility where ${table}_id = place.${table}_id and closed_on is not null) as closed,
        ${kind === "implementingPartner" ? "(select count(*)::integer from app_user where implementing_partner_id = place.implementing_partner_id)" : "0"} as people
      from ${table} as place order by place.name, id`);
    type Place = Record<"id" | "openFacilities" | "closedFacilities" | "districts" | "people", number>;
    const rows = bodyOf<Place[]>(await admin.get(api(`/registry/place/${kind}`)));
    expect(
      rows.map(({ id, openFacilities: open, closedFacilities: closed, districts, people }) => ({
        id,
        open,
        closed,
        districts,
        people,
      })),
    ).toEqual(counted.map(({ id, open, closed, districts, people }) => ({ id, open, closed, districts, people })));
    expect(rows.length).toBeGreaterThan(0);
  }
  expect((await admin.get(api("/registry/place/country"))).status).toBe(422);
});

test("a misspelt province is emptied by moving its districts with their facilities, and removed", async () => {
  const central = await one<{ id: number }>("select province_id as id from province where name = 'Central'");
  const centrall = await added("province (name)", "('Centrall')");
  const district = await one<{ id: number; facilities: number }>(`
    select district_id as id, count(*)::integer as facilities from facility join district using (district_id)
    where district.province_id = ${central.id} group by 1 order by 2 desc limit 1`);
  const before = await readDerived(gateway.db);
  expect(bodyOf(await admin.call("PATCH", place("district", district.id), { provinceId: centrall }))).toMatchObject({
    provinceId: centrall,
    province: "Centrall",
  });
  await expectCountsHold(gateway.db);
  const refused = await admin.call("DELETE", place("province", centrall));
  expect([refused.status, bodyOf(refused).detail]).toEqual([
    409,
    expect.stringMatching(
      new RegExp(`^Centrall has 1 district, ${district.facilities} open facilit(y|ies)\\. Nothing was removed\\.$`),
    ),
  ]);
  const full = await admin.call("POST", place("district", district.id, "/close"), { closedOn: today });
  expect([full.status, bodyOf(full).detail]).toEqual([
    409,
    expect.stringMatching(/open facilit(y|ies)\. Move or close them first\./),
  ]);

  expect((await admin.call("PATCH", place("district", district.id), { provinceId: central.id })).status).toBe(200);
  await expectCountsHold(gateway.db);
  expect(await readDerived(gateway.db)).toEqual(before);
  expect(
    await one(
      `select count(*)::integer as n from facility where district_id = ${district.id} and province_id = ${central.id}`,
    ),
  ).toEqual({ n: district.facilities });
  const removed = await admin.call("DELETE", place("province", centrall));
  expect([removed.status, bodyOf(removed)]).toEqual([
    200,
    expect.objectContaining({ kind: "province", id: centrall, name: "Centrall" }),
  ]);
  expect((await admin.get(place("province", centrall))).status).toBe(404);
  expect((await admin.get(api(`/province/${centrall}`))).status).toBe(404);
  expect((await admin.call("DELETE", place("province", centrall))).status).toBe(404);
});

test("a new name is in the facilities of a district and in the feed; an outdated ETag is refused; errors name their field", async () => {
  const { id, name, uuid } = await one<{ id: number; name: string; uuid: string }>(
    "select district_id as id, district.name, facility_uuid as uuid from facility join district using (district_id) order by 3 limit 1",
  );
  const since = await cursorNow(gateway.db, admin);
  const etag = (await admin.get(place("district", id))).headers.get("etag")!;
  const renamed = await admin.call("PATCH", place("district", id), { name: `  New ${name} ` }, { "if-match": etag });
  expect([renamed.status, bodyOf(renamed).name]).toEqual([200, `New ${name}`]);
  await settled(gateway.db);
  const changes = bodyOf(await admin.get(api(`/changes?limit=1000&since=${since}`))).changes as {
    kind: string;
    key: string;
  }[];
  expect(changes.filter(({ kind }) => kind === "facility").map(({ key }) => key)).toContain(uuid);
  expect(bodyOf(await admin.get(api(`/facilityMetadata/${uuid}`))).district).toBe(`New ${name}`);
  for (const [method, act, body] of [
    ["PATCH", "", { name: "Late" }],
    ["POST", "/close", { closedOn: today }],
    ["POST", "/reopen", undefined],
    ["DELETE", "", undefined],
  ] as const)
    expect([
      method,
      act,
      (await admin.call(method, place("district", id, act), body, { "if-match": etag })).status,
    ]).toEqual([method, act, 412]);
  const sibling = await one<{ name: string }>(
    `select name from district where district_id <> ${id} and province_id = (select province_id from district where district_id = ${id}) limit 1`,
  );
  for (const [kind, body, path] of [
    ["district", { name: "" }, "name"],
    ["district", { name: "=1+1" }, "name"],
    ["district", { name: "x".repeat(129) }, "name"],
    ["district", { name: sibling.name.toUpperCase() }, "name"],
    ["district", { provinceId: 99999 }, "provinceId"],
    ["province", { provinceId: 1 }, "provinceId"],
    ["district", { colour: "red" }, "colour"],
  ] as const)
    expect([
      body,
      errorsOf(await admin.call("PATCH", place(kind, kind === "district" ? id : 2), body))?.[0]?.path,
    ]).toEqual([body, path]);
  expect((await admin.call("PATCH", place("district", id), { name })).status).toBe(200);
});

test("moving or renaming a district gives its facilities new ETags, refuses the old ones, and is reported by the feed", async () => {
  const { uuid, id, from, into } = await one<{ uuid: string; id: number; from: number; into: number }>(`
    select facility_uuid as uuid, district_id as id, facility.province_id as from, (select max(province_id) from province where closed_on is null and province_id <> facility.province_id) as into
    from facility where closed_on is null order by facility_uuid limit 1`);
  const path = api(`/facilityMetadata/${uuid}`);
  const name = (await one<{ name: string }>(`select name from district where district_id = ${id}`)).name;
  for (const change of [{ provinceId: into }, { provinceId: from }, { name: `${name} Renamed` }, { name }]) {
    const before = (await admin.get(path)).headers.get("etag")!;
    expect((await admin.get(path, { "if-none-match": before })).status).toBe(304);
    const cursor = await cursorNow(gateway.db, admin);
    expect((await admin.call("PATCH", place("district", id), change)).status).toBe(200);
    const after = await admin.get(path, { "if-none-match": before });
    expect([after.status, after.headers.get("etag") === before]).toEqual([200, false]);
    expect(
      (await admin.call("PATCH", api(`/facility/${uuid}`), { facilityType: "Stale" }, { "if-match": before })).status,
    ).toBe(412);
    await settled(gateway.db);
    const changes = bodyOf(await admin.get(api(`/changes?since=${cursor}&kinds=facility&limit=1000`))).changes as {
      key: string;
    }[];
    expect(changes.map(({ key }) => key)).toContain(uuid);
  }
});

test("a closed district is left out of lists of choices and accepts no facility until it is reopened", async () => {
  const id = await added("district (province_id, name)", "(1, 'Closing District')");
  for (const [closedOn, words] of [
    ["2999-01-01", "is in the future: close it on that day"],
    ["soon", "must be a day, YYYY-MM-DD"],
  ])
    expect(errorsOf(await admin.call("POST", place("district", id, "/close"), { closedOn }))).toEqual([
      { path: "closedOn", message: words },
    ]);
  const names = async () => bodyOf<{ name: string }[]>(await admin.get(api("/district"))).map(({ name }) => name);
  expect(await names()).toContain("Closing District");
  expect(bodyOf(await admin.call("POST", place("district", id, "/close"), { closedOn: today }))).toMatchObject({
    isOpen: false,
    closedOn: today,
  });
  expect(await names()).not.toContain("Closing District");
  expect(bodyOf(await admin.get(api(`/district/${id}`))).name).toBe("Closing District");
  expect(await listed("district", id)).toMatchObject({ isOpen: false, closedOn: today });
  const refused = await admin.call("POST", api("/facility"), { facilityName: "Nowhere Clinic", districtId: id });
  expect(errorsOf(refused)).toEqual([{ path: "districtId", message: `is closed since ${today}` }]);
  expect(bodyOf(await admin.call("POST", place("district", id, "/reopen")))).toMatchObject({
    isOpen: true,
    closedOn: null,
  });
  expect((await admin.call("POST", place("district", id, "/reopen"))).status).toBe(409);

  // Its only facility was closed: the district cannot be closed before that day, and cannot be removed while it has a
  // closed facility.
  const { facilityUuid } = bodyOf(
    await admin.call("POST", api("/facility"), { facilityName: "Last Clinic", districtId: id }),
  );
  await admin.call("POST", api(`/facility/${facilityUuid}/close`), { closedOn: today, reason: "Flooded" });
  expect(errorsOf(await admin.call("POST", place("district", id, "/close"), { closedOn: "2020-01-01" }))).toEqual([
    { path: "closedOn", message: `is before its last facility was closed, on ${today}` },
  ]);
  expect(bodyOf(await admin.call("DELETE", place("district", id))).detail).toBe(
    "Closing District has 1 closed facility. Nothing was removed.",
  );

  // A merged facility would return to the district if the merge were undone.
  await admin.call("POST", api(`/facility/${facilityUuid}/merge`), {
    into: (
      await one<{ uuid: string }>(
        "select facility_uuid as uuid from facility where closed_on is null order by 1 limit 1",
      )
    ).uuid,
  });
  expect(bodyOf(await admin.call("DELETE", place("district", id))).detail).toBe(
    "Closing District has 1 merged facility that can still be separated. Nothing was removed.",
  );
  await gateway.sql`update facility_merge set merged_at = now() - interval '31 days'`;
  expect((await admin.call("DELETE", place("district", id))).status).toBe(200);
});

test("a facility in a closed place cannot be reopened, added or separated from a merge", async () => {
  const province = bodyOf(await admin.call("POST", api("/registry/place/province"), { name: "Ended Province" }));
  const district = bodyOf(
    await admin.call("POST", api("/registry/place/district"), { name: "Ended District", provinceId: province.id }),
  );
  const [ended, merged] = await Promise.all(
    ["Ended Clinic", "Merged Clinic"].map(
      async (facilityName) =>
        bodyOf(await admin.call("POST", api("/facility"), { facilityName, districtId: district.id }))
          .facilityUuid as string,
    ),
  );
  expect(
    (await admin.call("POST", api(`/facility/${ended}/close`), { closedOn: today, reason: "Flooded" })).status,
  ).toBe(200);
  const [other] = await rowsOf<{ uuid: string }>(
    `select facility_uuid as uuid from facility where closed_on is null and district_id <> ${district.id} order by 1 limit 1`,
  );
  expect((await admin.call("POST", api(`/facility/${merged}/merge`), { into: other!.uuid })).status).toBe(200);
  const refusals = async () => [
    bodyOf(await admin.call("POST", api(`/facility/${ended}/reopen`))).detail,
    bodyOf(await admin.call("POST", api(`/facility/${merged}/unmerge`))).detail,
    errorsOf(await admin.call("POST", api("/facility"), { facilityName: "Late Clinic", districtId: district.id })),
  ];
  expect((await admin.call("POST", place("district", district.id, "/close"), { closedOn: today })).status).toBe(200);
  const closed = `is closed since ${today}`;
  expect(await refusals()).toEqual([
    `Ended District, where Ended Clinic lies, ${closed}. Open that again first.`,
    `Ended District, where Merged Clinic lies, ${closed}. Open that again first.`,
    [{ path: "districtId", message: closed }],
  ]);
  await admin.call("POST", place("district", district.id, "/reopen"));
  expect((await admin.call("POST", place("province", province.id, "/close"), { closedOn: today })).status).toBe(200);
  const within = `lies in Ended Province Province, which ${closed}`;
  expect(await refusals()).toEqual([
    `Ended District, where Ended Clinic lies, ${within}. Open that again first.`,
    `Ended District, where Merged Clinic lies, ${within}. Open that again first.`,
    [{ path: "districtId", message: within }],
  ]);
  await admin.call("POST", place("province", province.id, "/reopen"));
  for (const [uuid, act] of [
    [ended, "reopen"],
    [merged, "unmerge"],
  ])
    expect([act, (await admin.call("POST", api(`/facility/${uuid}/${act}`))).status]).toEqual([act, 200]);
  await expectCountsHold(gateway.db);
});

test("a partner is closed and reopened through GraphQL, and removed only if it has no users; each act is audited", async () => {
  const partner = await one<{ id: number }>(
    "select implementing_partner_id as id from app_user where user_name = 'viewer'",
  );
  const removal = `mutation ($input: RegistryPlaceInput!) { removeRegistryPlace(input: $input) { place { name } errors { message } } }`;
  const busy = await admin.graphql(removal, { input: { kind: "implementingPartner", placeId: partner.id } });
  expect(JSON.stringify(busy)).toMatch(/Partner A has .*\d+ users?/);
  const closing = `mutation ($input: CloseRegistryPlaceInput!) { closeRegistryPlace(input: $input) { place { isOpen closedOn } errors { path message } } }`;
  const active = async () =>
    (
      await admin.graphql("{ implementingPartners { nodes { implementingPartnerId } } }")
    ).data.implementingPartners.nodes.map((row: { implementingPartnerId: number }) => row.implementingPartnerId);
  const input = { kind: "implementingPartner", placeId: partner.id };
  expect((await admin.graphql(closing, { input: { ...input, closedOn: today } })).data.closeRegistryPlace).toEqual({
    place: { isOpen: false, closedOn: today },
    errors: [],
  });
  expect(await active()).not.toContain(partner.id);
  const opened = await admin.graphql(
    "mutation ($input: RegistryPlaceInput!) { reopenRegistryPlace(input: $input) { place { isOpen closedOn } } }",
    { input },
  );
  expect(opened.data.reopenRegistryPlace.place).toEqual({ isOpen: true, closedOn: null });
  expect(await active()).toContain(partner.id);
  const id = await added("implementing_partner (name)", "('Nobodys Partner')");
  expect((await admin.graphql(removal, { input: { ...input, placeId: id } })).data.removeRegistryPlace).toEqual({
    place: { name: "Nobodys Partner" },
    errors: [],
  });
  const plain = await gateway.as("assessor");
  expect((await plain.get(api("/registry/place/province"))).status).toBe(403);
  const events = bodyOf<{ action: string; subjectType: string }[]>(await admin.get(api("/audit?limit=500")));
  expect(events.filter(({ subjectType }) => subjectType === "implementingPartner").map(({ action }) => action)).toEqual(
    ["place.remove", "place.reopen", "place.close"],
  );
  expect(events.map(({ action }) => action)).toContain("place.change");
  await expectCountsHold(gateway.db);
});
