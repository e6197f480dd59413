import { sql } from "kysely";
import { expect, test } from "vitest";

import { expectCountsHold } from "../derived/countsHold.ts";
import { readDerived } from "../derived/rows.ts";
import { bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cursorNow, settled } from "../support/settled.ts";

/**
 * Provinces, districts and partners are added and split. A split moves a part of a place to a new one, with its counts.
 */

const api = (path: string) => `/api/v1${path}`;
const rowsOf = async <Row>(text: string) => await gateway.sql<Row>`${sql.raw(text)}`;
const one = async <Row>(text: string) => (await rowsOf<Row>(text))[0]!;
const place = (kind: string, id: number, act = "") => api(`/registry/place/${kind}/${id}${act}`);
const add = (kind: string, body: object, person = admin) => person.call("POST", api(`/registry/place/${kind}`), body);
const split = (kind: string, id: number, body: object, headers = {}) =>
  admin.call("POST", place(kind, id, "/split"), body, headers);

/** The facilities of a place, including the closed ones. */
const facilitiesOf = async (column: string, id: number) =>
  (await rowsOf<{ uuid: string }>(`select facility_uuid as uuid from facility where ${column} = ${id} order by 1`)).map(
    ({ uuid }) => uuid,
  );
/** The changes in the feed since a cursor, as "action kind key". */
async function changesSince(cursor: string): Promise<string[]> {
  await settled(gateway.db);
  return (
    bodyOf(await admin.get(api(`/changes?limit=1000&since=${cursor}`))).changes as {
      action: string;
      kind: string;
      key: string;
    }[]
  ).map(({ action, kind, key }) => `${action} ${kind} ${key}`);
}
/** The present cursor of a feed that includes places. */
async function cursorOfPlaces(): Promise<string> {
  await cursorNow(gateway.db, admin);
  for (let since = ""; ;) {
    const { cursor, hasMore } = bodyOf(
      await admin.get(api(`/changes?limit=1000&kinds=facility,province,district,implementingPartner${since}`)),
    );
    if (!hasMore) return cursor;
    since = `&since=${cursor}`;
  }
}

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const today = (await one<{ today: string }>("select current_date as today")).today;

test("a new province, district and partner are in their lists at once", async () => {
  const province = bodyOf(await add("province", { name: "  Eleventh  " }));
  expect(province).toMatchObject({
    kind: "province",
    name: "Eleventh",
    provinceId: null,
    isOpen: true,
    closedOn: null,
    version: 1,
  });
  const district = bodyOf(await add("district", { name: "Ng'ombe", provinceId: province.id }));
  expect(district).toMatchObject({ kind: "district", name: "Ng'ombe", province: "Eleventh" });
  const partner = bodyOf(await add("implementingPartner", { name: "Partner É" }));
  const names = async (path: string, key = "name") =>
    bodyOf<Record<string, string>[]>(await admin.get(api(path))).map((row) => row[key]);
  expect(await names("/province")).toContain("Eleventh");
  expect(await names(`/district/province/${province.id}`)).toEqual(["Ng'ombe"]);
  expect(await names("/implementingPartner/active/true", "implementingPartner")).toContain("Partner É");
  // A facility can be added to the new district and partner.
  expect(
    bodyOf(
      await admin.call("POST", api("/facility"), {
        facilityName: "First Clinic",
        districtId: district.id,
        implementingPartnerId: partner.id,
      }),
    ),
  ).toMatchObject({ province: "Eleventh" });
  await expectCountsHold(gateway.db);
});

test("a wrong place is refused with an error for its field; names that differ only in case, accents or hyphens are the same", async () => {
  const central = await one<{ id: number }>("select province_id as id from province where name = 'Central'");
  const closed = await one<{ id: number }>(
    "insert into province (name, closed_on) values ('Closed Province', current_date) returning province_id as id",
  );
  const elsewhere = await one<{ id: number; name: string }>(
    `select district_id as id, name from district where province_id = ${central.id} limit 1`,
  );
  for (const [kind, body, path, words] of [
    ["province", { name: "céntral" }, "name", `there is a province 'Central' (${central.id}) already`],
    ["province", { name: "NORTH-WESTERN" }, "name", /there is a province 'North Western'/],
    ["implementingPartner", { name: "PARTNER E" }, "name", /there is an implementing partner 'Partner É'/],
    [
      "district",
      { name: elsewhere.name.toUpperCase(), provinceId: central.id },
      "name",
      /^Central Province has a district/,
    ],
    ["district", { name: "Nowhere" }, "provinceId", "is needed: the province that the district lies in"],
    ["district", { name: "Nowhere", provinceId: 99999 }, "provinceId", "there is no such province"],
    ["district", { name: "Nowhere", provinceId: closed.id }, "provinceId", `is closed since ${today}`],
    ["province", { name: "Within", provinceId: central.id }, "provinceId", "only districts lie in a province"],
    ["province", { name: " " }, "name", "must not be empty"],
    ["province", { name: "=1+1" }, "name", "begins like a formula of a spreadsheet"],
    ["province", { name: "x".repeat(129) }, "name", "may have at most 128 characters"],
    ["province", { name: "Fine", colour: "red" }, "colour", /./],
  ] as const) {
    const answer = await add(kind, body);
    expect([kind, body, answer.status, errorsOf(answer)]).toEqual([
      kind,
      body,
      422,
      [{ path, message: typeof words === "string" ? words : expect.stringMatching(words) }],
    ]);
  }
  // Two provinces may have districts of the same name.
  const lusaka = await one<{ id: number }>("select province_id as id from province where name = 'Lusaka'");
  expect((await add("district", { name: elsewhere.name, provinceId: lusaka.id })).status).toBe(200);
  // Of two concurrent requests with the same name, one is refused.
  const answers = await Promise.all([add("province", { name: "Twice" }), add("province", { name: "twice" })]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  for (const login of ["assessor", "plain"] as const)
    expect((await add("province", { name: "No right" }, await gateway.as(login))).status).toBe(403);
});

test("a split moves the chosen facilities of a district with their counts, extends running rollouts, and is reported by the feed", async () => {
  const { id, provinceId, name } = await one<{ id: number; provinceId: number; name: string }>(`
    select district_id as id, district.province_id, district.name from facility join district using (district_id) join assessment using (facility_uuid)
    group by 1, 2, 3 order by count(distinct facility_uuid) desc limit 1`);
  const all = await facilitiesOf("district_id", id);
  const chosen = all.slice(0, 2);
  const rollout = await one<{ uuid: string }>(`
    insert into rollout (rollout_uuid, version, channel, province_ids, district_ids, implementing_partner_ids, by_list, percentage, start_day, user_uuid)
    select gen_random_uuid(), '9.9', 'general', '{}', '{${id}}', '{}', false, 100, current_date, user_uuid from app_user where user_name = 'admin' returning rollout_uuid as uuid`);
  const cursor = await cursorOfPlaces();
  const tag = (await admin.get(place("district", id))).headers.get("etag")!;
  const answer = await split("district", id, { name: "New District", facilityUuids: chosen }, { "if-match": tag });
  expect([answer.status, bodyOf(answer)]).toEqual([
    200,
    {
      from: expect.objectContaining({ id, name }),
      into: expect.objectContaining({ kind: "district", name: "New District", provinceId }),
      moved: 2,
    },
  ]);
  const { into, from } = bodyOf(answer);
  expect((await admin.get(place("district", id))).body).toEqual(from);
  expect(await facilitiesOf("district_id", into.id)).toEqual(chosen);
  expect(await facilitiesOf("district_id", id)).toEqual(all.slice(2));
  await expectCountsHold(gateway.db);
  expect((await changesSince(cursor)).toSorted()).toEqual(
    [
      `created district ${into.id}`,
      `changed district ${id}`,
      ...chosen.map((uuid) => `changed facility ${uuid}`),
    ].toSorted(),
  );
  expect(bodyOf(await admin.get(api(`/facilityMetadata/${chosen[0]}`)))).toMatchObject({
    districtId: into.id,
    district: "New District",
  });
  expect(await one(`select district_ids from rollout where rollout_uuid = '${rollout.uuid}'`)).toEqual({
    districtIds: [id, into.id],
  });
  // A request with the ETag from before the split is refused.
  expect((await split("district", id, { name: "Late", facilityUuids: [all[3]] }, { "if-match": tag })).status).toBe(
    412,
  );
  const [event] = bodyOf<{ subjectId: string; details: object }[]>(
    await admin.get(api("/audit?limit=1&action=place.split")),
  );
  expect(event).toMatchObject({
    subjectId: String(id),
    details: { old: { name }, new: from, into, facilityUuids: chosen },
  });
});

type SplitAnswer = {
  from: { name: string } | null;
  into: { id: number; name: string; kind: string } | null;
  moved: number | null;
  errors: { path: string; message: string }[];
};
type Parts = { name: string; districtIds?: number[]; facilityUuids?: string[] };
const byRest = async (kind: string, id: number, parts: Parts): Promise<SplitAnswer> => {
  const answer = await split(kind, id, parts);
  if (answer.status !== 200) return { from: null, into: null, moved: null, errors: errorsOf(answer) };
  const { from, into, moved } = bodyOf(answer);
  return { from: { name: from.name }, into: { id: into.id, name: into.name, kind: into.kind }, moved, errors: [] };
};
test("a province is split by districts and a partner by facilities", async () => {
  const [provinceName, partnerName] = ["Eastern", "Partner A"];
  const province = await one<{ id: number }>(`select province_id as id from province where name = '${provinceName}'`);
  const districtsOf = async (id: number) =>
    (await rowsOf<{ id: number }>(`select district_id as id from district where province_id = ${id} order by 1`)).map(
      (row) => row.id,
    );
  const districts = await districtsOf(province.id);
  const newProvince = { name: `Far ${provinceName}`, districtIds: districts.slice(0, 3) };
  const divided = await byRest("province", province.id, newProvince);
  expect(divided).toEqual({
    from: { name: provinceName },
    into: { id: expect.any(Number), name: newProvince.name, kind: "province" },
    moved: 3,
    errors: [],
  });
  expect([await districtsOf(divided.into!.id), await districtsOf(province.id)]).toEqual([
    newProvince.districtIds,
    districts.slice(3),
  ]);
  expect(
    await one(
      `select count(*)::integer as n from facility join district using (district_id) where facility.province_id <> district.province_id`,
    ),
  ).toEqual({ n: 0 });
  await expectCountsHold(gateway.db);
  const sheet = bodyOf<Record<string, number>>(await admin.get(api("/dash/summarySheet")));
  expect(Object.keys(sheet)).toContain(`pastWeekFar${provinceName}`);
  expect(await byRest("province", province.id, { ...newProvince, name: "Never" })).toMatchObject({
    into: null,
    errors: newProvince.districtIds.map((id, index) => ({
      path: `districtIds.${index}`,
      message: `${id} is no district of ${provinceName}`,
    })),
  });

  const partner = await one<{ id: number }>(
    `select implementing_partner_id as id from implementing_partner where name = '${partnerName}'`,
  );
  const supported = await facilitiesOf("implementing_partner_id", partner.id);
  const newPartner = { name: `${partnerName} South`, facilityUuids: supported.slice(0, 5) };
  const parted = await byRest("implementingPartner", partner.id, newPartner);
  expect(parted).toEqual({
    from: { name: partnerName },
    into: { id: expect.any(Number), name: newPartner.name, kind: "implementingPartner" },
    moved: 5,
    errors: [],
  });
  expect([
    await facilitiesOf("implementing_partner_id", parted.into!.id),
    await facilitiesOf("implementing_partner_id", partner.id),
  ]).toEqual([newPartner.facilityUuids, supported.slice(5)]);
  await expectCountsHold(gateway.db);
  expect(await byRest("implementingPartner", partner.id, { ...newPartner, name: "Never" })).toMatchObject({
    into: null,
    errors: newPartner.facilityUuids.map((uuid, index) => ({
      path: `facilityUuids.${index}`,
      message: `${uuid} is no facility of ${partnerName}`,
    })),
  });
});

test("a split with no parts, all parts, parts of another place or repeated parts is refused with its field, and nothing is changed", async () => {
  const { id, name } = await one<{ id: number; name: string }>(
    "select district_id as id, district.name from facility join district using (district_id) group by 1, 2 having count(*) > 3 order by 1 limit 1",
  );
  const all = await facilitiesOf("district_id", id);
  const other = await one<{ uuid: string }>(
    `select facility_uuid as uuid from facility where district_id <> ${id} limit 1`,
  );
  const province = await one<{ id: number; name: string }>(
    "select province_id as id, province.name from province join district using (province_id) group by 1, 2 having count(*) > 2 limit 1",
  );
  const [district, next] = await rowsOf<{ id: number }>(
    `select district_id as id from district where province_id = ${province.id} order by 1`,
  );
  const before = await readDerived(gateway.db);
  const sibling = await one<{ name: string }>(
    `select name from district where district_id <> ${id} and province_id = (select province_id from district where district_id = ${id}) limit 1`,
  );
  for (const [kind, placeId, body, errors] of [
    ["district", id, {}, [{ path: "facilityUuids", message: "names no facility: say which go to the new district" }]],
    [
      "district",
      id,
      { facilityUuids: [] },
      [{ path: "facilityUuids", message: "names no facility: say which go to the new district" }],
    ],
    [
      "district",
      id,
      { facilityUuids: all },
      [{ path: "facilityUuids", message: `names all ${all.length} facilities of ${name}: rename it instead` }],
    ],
    [
      "district",
      id,
      { facilityUuids: [all[0], other.uuid] },
      [{ path: "facilityUuids.1", message: `${other.uuid} is no facility of ${name}` }],
    ],
    [
      "district",
      id,
      { facilityUuids: [all[0], all[0]] },
      [{ path: "facilityUuids.1", message: `${all[0]} is named twice` }],
    ],
    [
      "district",
      id,
      { districtIds: [district!.id] },
      [{ path: "districtIds", message: "a district is split by facilityUuids" }],
    ],
    [
      "district",
      id,
      { name: sibling.name.toUpperCase(), facilityUuids: [all[0]] },
      [{ path: "name", message: expect.stringContaining(`a district '${sibling.name}'`) }],
    ],
    ["district", id, { name: "", facilityUuids: [all[0]] }, [{ path: "name", message: "must not be empty" }]],
    ["district", id, { facilityUuids: [all[0]], colour: "red" }, [{ path: "colour", message: expect.any(String) }]],
    [
      "province",
      province.id,
      { facilityUuids: [all[0]] },
      [{ path: "facilityUuids", message: "a province is split by districtIds" }],
    ],
    [
      "province",
      province.id,
      { districtIds: [99999] },
      [{ path: "districtIds.0", message: `99999 is no district of ${province.name}` }],
    ],
    [
      "province",
      province.id,
      { districtIds: [district!.id, next!.id, district!.id] },
      [{ path: "districtIds.2", message: `${district!.id} is named twice` }],
    ],
  ] as const) {
    const answer = await split(kind, placeId, { name: "Never", ...body });
    expect([kind, body, answer.status, errorsOf(answer)]).toEqual([kind, body, 422, errors]);
  }
  expect((await split("district", 99999, { name: "Never", facilityUuids: ["x"] })).status).toBe(404);
  expect((await split("country", 1, { name: "Never" })).status).toBe(422);
  const empty = bodyOf(await add("implementingPartner", { name: "Ended Partner" }));
  await admin.call("POST", place("implementingPartner", empty.id, "/close"), { closedOn: today });
  const closed = await split("implementingPartner", empty.id, { name: "Never", facilityUuids: [all[0]] });
  expect([closed.status, bodyOf(closed).detail]).toEqual([
    409,
    `Ended Partner is closed since ${today}: open it again before it is split.`,
  ]);
  expect(await readDerived(gateway.db)).toEqual(before);
  for (const table of ["province", "district", "implementing_partner"])
    expect(await rowsOf(`select from ${table} where name = 'Never'`)).toEqual([]);
});

test("a merge can be undone after the district of the merged facility was moved to a new province", async () => {
  const { id, provinceId } = await one<{ id: number; provinceId: number }>(
    "select district_id as id, province_id from facility group by 1, 2 having count(*) > 3 order by 1 desc limit 1",
  );
  const [from, into] = await facilitiesOf("district_id", id);
  expect((await admin.call("POST", api(`/facility/${from}/merge`), { into })).status).toBe(200);
  const divided = bodyOf(await split("province", provinceId, { name: "After the merge", districtIds: [id] }));
  const undone = await admin.call("POST", api(`/facility/${from}/unmerge`));
  expect([undone.status, bodyOf(undone).provinceId]).toEqual([200, divided.into.id]);
  await expectCountsHold(gateway.db);
});
