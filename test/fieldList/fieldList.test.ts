import { v7 } from "uuid";
import { beforeAll, expect, test } from "vitest";

import { bodyOf, type Nodes, type Person } from "../support/gateway.ts";
import { changedBy, type Done, mutate, notThere, refusedWith } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Field lists: who sees and changes them, their sites, and the lists of facilities that they filter. */

const gateway = await gatewayOfFile("demo");
const [admin, assessor, viewer] = await Promise.all([
  gateway.as("admin"),
  gateway.as("assessor"),
  gateway.as("viewer"),
]);

type List = { uuid: string; name: string; shared: boolean; changeable: boolean; sites: number; closedSites: number };
const fields = "uuid name shared changeable sites closedSites";
const payload = `changed: fieldList { ${fields} } errors { path message }`;
const create = (person: Person, name: string, shared = false) =>
  mutate<List>(
    person,
    `mutation ($input: CreateFieldListInput!) { done: createFieldList(input: $input) { ${payload} } }`,
    { input: { name, shared } },
  );
const change = (person: Person, input: object) =>
  mutate<List>(
    person,
    `mutation ($input: ChangeFieldListInput!) { done: changeFieldList(input: $input) { ${payload} } }`,
    { input },
  );
const remove = (person: Person, uuid: string) =>
  mutate<List>(person, `mutation ($uuid: String!) { done: deleteFieldList(uuid: $uuid) { ${payload} } }`, { uuid });
type BulkAct = { bulkActUuid: string; asked: number; done: number; leftOut: { reason: string; sites: number }[] };
const sitesOf = (
  verb: "addSitesToFieldList" | "removeSitesFromFieldList",
  { uuid: fieldList }: { uuid: string },
  sites: object,
  person = assessor,
): Promise<Done<BulkAct>> =>
  mutate<BulkAct>(
    person,
    `mutation ($input: SitesOfFieldListInput!) { done: ${verb}(input: $input) {
      changed: bulkAct { bulkActUuid asked done leftOut { reason sites } } errors { path message } } }`,
    { input: { bulkActUuid: v7(), sites, fieldList } },
  );
const add = (list: { uuid: string }, sites: object, person?: Person) =>
  changedBy(sitesOf("addSitesToFieldList", list, sites, person));
const takeOff = (list: { uuid: string }, sites: object) => changedBy(sitesOf("removeSitesFromFieldList", list, sites));
const undo = async (bulkActUuid: string) =>
  (
    await assessor.graphql<{ undoBulkAct: { restored: number | null; errors: { message: string }[] } }>(
      "mutation ($input: UndoBulkActInput!) { undoBulkAct(input: $input) { restored errors { message } } }",
      { input: { bulkActUuid } },
    )
  ).data.undoBulkAct;
const namesFor = async (person: Person) =>
  (await person.graphql<{ fieldLists: Nodes<List> }>("{ fieldLists { nodes { name } } }")).data.fieldLists.nodes.map(
    ({ name }) => name,
  );
const read = async (person: Person, { uuid }: { uuid: string }) =>
  (
    await person.graphql<{ fieldList: List | null }>(
      `query ($uuid: String!) { fieldList(uuid: $uuid) { ${fields} } }`,
      { uuid },
    )
  ).data.fieldList;
const onList = async (person: Person, { uuid }: { uuid: string }) =>
  (
    await person.graphql<{ facilities: Nodes<{ facilityUuid: string }> } | null>(
      "query ($uuid: String!) { facilities(filter: { fieldList: $uuid }) { nodes { facilityUuid } } }",
      { uuid },
    )
  ).data?.facilities?.nodes.map(({ facilityUuid }) => facilityUuid);

/** Open sites of two provinces, in the order of their names. */
let sites: string[];
const demoList = "First visits: ";
beforeAll(async () => {
  const rows = await gateway.sql<{ facilityUuid: string }>`
    select facility_uuid from facility where closed_on is null order by facility_name, facility_uuid limit 12`;
  sites = rows.map(({ facilityUuid }) => facilityUuid);
});

test("own lists are visible to their owner, shared ones to everybody who may assess; owner and administrator change them", async () => {
  const own = await changedBy(create(assessor, "Mine"));
  const shared = await changedBy(create(admin, "Ours", true));
  expect(
    [await namesFor(assessor), await namesFor(admin)].map((names) =>
      names.filter((name) => !name.startsWith(demoList)),
    ),
  ).toEqual([["Mine", "Ours"], ["Ours"]]);
  expect(await read(admin, own)).toBeNull();
  expect(await read(viewer, shared)).toBeNull();
  expect(await read(assessor, shared)).toMatchObject({ changeable: false, sites: 0 });
  expect(await remove(admin, own.uuid)).toEqual(refusedWith(notThere, "uuid"));
  const refused = refusedWith("Only who made it or an administrator may change a shared field list.");
  expect([
    await change(assessor, { uuid: shared.uuid, name: "Theirs" }),
    await remove(assessor, shared.uuid),
    await sitesOf("addSitesToFieldList", shared, { facilityUuids: sites }),
  ]).toEqual([refused, refused, refused]);
  expect((await create(assessor, " mine ")).errors).toEqual([
    { path: "name", message: "is taken by another of these lists: choose a different one" },
  ]);
  expect(await changedBy(change(assessor, { uuid: own.uuid, name: "Week 49", shared: true }))).toMatchObject({
    name: "Week 49",
    shared: true,
  });
  expect(await changedBy(remove(admin, own.uuid))).toMatchObject({ name: "Week 49" });
  await changedBy(remove(admin, shared.uuid));
  const rows = await gateway.sql<{ action: string; outcome: string }>`
    select action, outcome from audit_event where action like 'field-list.%' and subject_id in (${own.uuid}, ${shared.uuid})
    order by audit_event_id`;
  expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    ...["field-list.create done", "field-list.create done"],
    ...["field-list.change denied", "field-list.change denied", "field-list.change denied"],
    ...["field-list.change done", "field-list.delete done", "field-list.delete done"],
  ]);
});

test("sites are added once and taken off, and both can be undone", async () => {
  const list = await changedBy(create(assessor, "Undone"));
  await add(list, { facilityUuids: sites.slice(0, 2) });
  const more = await add(list, { facilityUuids: [...sites.slice(0, 4), "nowhere"] });
  expect(more).toMatchObject({
    ...{ asked: 5, done: 2 },
    leftOut: [
      { reason: "UNKNOWN", sites: 1 },
      { reason: "UNCHANGED", sites: 2 },
    ],
  });
  expect(await onList(assessor, list)).toEqual(sites.slice(0, 4));
  expect(await undo(more.bulkActUuid)).toMatchObject({ restored: 2, errors: [] });
  expect(await onList(assessor, list)).toEqual(sites.slice(0, 2));
  // All of a list of facilities: those of the field list itself.
  const none = await takeOff(list, { facilities: { filter: { fieldList: list.uuid } } });
  expect(none).toMatchObject({ asked: 2, done: 2, leftOut: [] });
  expect(await onList(assessor, list)).toEqual([]);
  expect(await undo(none.bulkActUuid)).toMatchObject({ restored: 2 });
  expect(await onList(assessor, list)).toEqual(sites.slice(0, 2));
  const last = await add(list, { facilityUuids: [sites[5]] });
  await changedBy(remove(assessor, list.uuid));
  expect((await undo(last.bulkActUuid)).errors[0]!.message).toBe("There is no such field list.");
});

test("a person has at most 200 lists, and a list at most 2,000 sites", async () => {
  const list = await changedBy(create(assessor, "Full"));
  await gateway.sql`
    insert into facility (facility_uuid, facility_name, province_id, district_id)
    select 'full-' || n, 'Full Demo Site ' || n, province_id, district_id from generate_series(1, 2001) n
    cross join (select province_id, district_id from facility limit 1) as place`;
  const all = Array.from({ length: 2001 }, (_, n) => `full-${n + 1}`);
  expect((await sitesOf("addSitesToFieldList", list, { facilityUuids: all })).errors).toEqual([
    { path: "sites", message: "a field list may have at most 2,000 sites" },
  ]);
  expect(await add(list, { facilityUuids: all.slice(1) })).toMatchObject({ done: 2000 });
  await gateway.sql`delete from facility where facility_uuid like 'full-%'`;
  const { ownerUuid } = (
    await gateway.sql<{ ownerUuid: string }>`select owner_uuid from field_list where field_list_uuid = ${list.uuid}`
  )[0]!;
  await gateway.sql`
    insert into field_list (field_list_uuid, owner_uuid, name, shared)
    select gen_random_uuid(), ${ownerUuid}, 'Of many ' || n, false from generate_series(1, 199) n`;
  expect((await create(assessor, "One more")).errors).toEqual([
    { path: "name", message: "you have 200 lists: delete one before you make another" },
  ]);
  await gateway.sql`delete from field_list where name like 'Of many %' or name = 'Full'`;
});

test("the file and the site list of a field list have its sites, in REST as in GraphQL; nobody else reads them", async () => {
  const list = await changedBy(create(assessor, "Read"));
  await add(list, { facilityUuids: sites.slice(0, 3) });
  const paths = [`/api/v1/facility?fieldList=${list.uuid}`, `/api/v1/site?fieldList=${list.uuid}`];
  const csv = await assessor.get(`/api/v1/facility/csv?fieldList=${list.uuid}`);
  expect(csv.text.trim().split(/\r?\n/)).toHaveLength(4);
  for (const _ of [1, 2]) {
    // The second time an answer could be a kept one.
    const [rows, compact] = await Promise.all(paths.map((path) => assessor.get(path)));
    expect(bodyOf<unknown[]>(rows!)).toHaveLength(3);
    expect(bodyOf<{ facilityUuid: string[] }>(compact!).facilityUuid.toSorted()).toEqual(sites.slice(0, 3).toSorted());
    for (const path of paths)
      expect([(await admin.get(path)).status, (await viewer.get(path)).status]).toEqual([404, 403]);
    expect(await onList(admin, list)).toBeUndefined();
  }
  await add(list, { facilityUuids: [sites[3]] });
  expect(bodyOf<unknown[]>(await assessor.get(paths[0]!))).toHaveLength(4);
  expect((await assessor.get("/api/v1/facility?fieldList=mine")).status).toBe(422);
  await changedBy(remove(assessor, list.uuid));
});

test("a list follows a merged site and back, and says how many of its sites are closed", async () => {
  const list = await changedBy(create(assessor, "Followed"));
  const [merged, into, closed] = sites as [string, string, string];
  await add(list, { facilityUuids: [merged, closed] });
  const merge = `mutation ($input: MergeFacilitiesInput!) { mergeFacilities(input: $input) { errors { message } } }`;
  await admin.graphql(merge, { input: { facilityUuid: merged, into } });
  expect(await onList(assessor, list)).toEqual([into, closed]);
  await admin.graphql("mutation ($uuid: String!) { undoFacilityMerge(facilityUuid: $uuid) { errors { message } } }", {
    uuid: merged,
  });
  expect(await onList(assessor, list)).toEqual([merged, closed]);
  await gateway.sql`update facility set closed_on = current_date, close_reason = 'Test' where facility_uuid = ${closed}`;
  expect(await read(assessor, list)).toMatchObject({ sites: 2, closedSites: 1 });
  expect(await onList(assessor, list)).toEqual([merged]);
  expect(await add(list, { facilityUuids: [closed] })).toMatchObject({
    done: 0,
    leftOut: [{ reason: "CLOSED", sites: 1 }],
  });
  expect(await takeOff(list, { facilityUuids: [closed] })).toMatchObject({ done: 1 });
  expect(await read(assessor, list)).toMatchObject({ sites: 1, closedSites: 0 });
});
