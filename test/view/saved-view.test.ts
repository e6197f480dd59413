import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { bodyOf, errorsOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";

/** Saved views of lists: who sees and removes them, their names and limits, and views whose place was removed or closed. */

let gateway: TestGateway;
let viewer: Person;
let plain: Person;
let admin: Person;

beforeAll(async () => {
  gateway = await testGateway();
  [viewer, plain, admin] = await Promise.all([gateway.as("viewer"), gateway.as("plain"), gateway.as("admin")]);
});
afterAll(() => gateway?.stop());

type View = { uuid: string; name: string; address: string; shared: boolean; own: boolean; removable: boolean; ownerUserName: string; missing: string | null };
const save = (person: Person, input: object) => person.call("POST", "/api/v1/view", input);
async function saved(person: Person, input: object): Promise<View> {
  const answer = await save(person, input);
  expect(answer.status, answer.text).toBe(200);
  return bodyOf<View>(answer);
}
const names = async (person: Person, query = "") => bodyOf<View[]>(await person.get(`/api/v1/view${query}`)).map(({ name }) => name);
const remove = (person: Person, { uuid }: View) => person.call("DELETE", `/api/v1/view/${uuid}`);

test("private views are visible to their owner only, shared views to everybody; an administrator can remove shared views", async () => {
  const own = await saved(viewer, { name: "Mine", address: "/facilities?functional=no" });
  const shared = await saved(viewer, { name: "Ours", address: "/facilities/province/1?modes=none", shared: true });
  expect(own).toMatchObject({ name: "Mine", address: "/facilities?functional=no", shared: false, own: true, removable: true, ownerUserName: "viewer", missing: null });
  expect([await names(viewer), await names(plain), await names(plain, "?mine=true"), await names(viewer, "?search=our")]).toEqual([["Mine", "Ours"], ["Ours"], [], ["Ours"]]);
  for (const person of [plain, admin]) {
    expect((await person.get(`/api/v1/view/${own.uuid}`)).status).toBe(404);
    expect((await remove(person, own)).status).toBe(404);
  }
  expect(bodyOf(await plain.get(`/api/v1/view/${shared.uuid}`))).toMatchObject({ own: false, removable: false, ownerUserName: "viewer" });
  expect((await remove(plain, shared)).status).toBe(403);
  expect((await remove(admin, shared)).status).toBe(200);
  expect((await remove(viewer, own)).status).toBe(200);
  expect((await remove(viewer, own)).status).toBe(404);
  expect((await fetch(`${gateway.url}/api/v1/view`)).status).toBe(401);
  const { rows } = await sql<{ action: string; outcome: string; userName: string }>`
    select action, outcome, user_name from audit_event join app_user using (user_uuid) where action like 'view.%' order by audit_event_id`.execute(gateway.db);
  expect(rows.map(({ action, outcome, userName }) => [action, outcome, userName])).toEqual([
    ["view.create", "done", "viewer"],
    ["view.create", "done", "viewer"],
    ["view.delete", "denied", "plain"],
    ["view.delete", "done", "admin"],
    ["view.delete", "done", "viewer"],
  ]);
});

test("a name is unique per person, an address is that of a list, and errors name their field", async () => {
  const one = await saved(plain, { name: "Silent", address: "/facilities?silent=yes" });
  const wrong: [object, string][] = [
    [{ name: "SILENT", address: "/facilities" }, "name"],
    [{ name: " ", address: "/facilities" }, "name"],
    [{ name: "x".repeat(129), address: "/facilities" }, "name"],
    [{ name: "Away", address: "//evil.example/facilities" }, "address"],
    [{ name: "Away", address: "https://evil.example" }, "address"],
    [{ name: "Away", address: "/nowhere" }, "address"],
    [{ name: "Long", address: `/facilities?search=${"x".repeat(2000)}` }, "address"],
    [{ name: "Colour", address: "/facilities", colour: "red" }, "colour"],
    [{ address: "/facilities" }, "name"],
  ];
  for (const [input, path] of wrong) {
    const answer = await save(plain, input);
    expect([input, answer.status]).toEqual([input, 422]);
    expect(errorsOf(answer).map((error) => error.path)).toEqual([path]);
  }
  await remove(viewer, await saved(viewer, { name: "Silent", address: "/facilities" }));
  await remove(plain, one);
});

test("a person can save at most 100 views, also with concurrent requests", async () => {
  await sql`insert into saved_view (view_uuid, owner_uuid, name, address)
    select gen_random_uuid(), user_uuid, 'View ' || n, '/facilities' from app_user, generate_series(1, 99) n where user_name = 'uploader'`.execute(gateway.db);
  const uploader = await gateway.as("uploader");
  const answers = await Promise.all(["One", "Two"].map((name) => save(uploader, { name, address: "/facilities" })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  expect(errorsOf(answers.find(({ status }) => status === 422)!)[0]!.message).toContain("100");
  expect((await names(uploader)).length).toBe(100);
});

test("a view shows that its place was removed, through REST and GraphQL", async () => {
  const view = await saved(viewer, { name: "Gone", address: "/facilities?districtId=1" });
  await sql`update saved_view set district_id = 99999 where view_uuid = ${view.uuid}`.execute(gateway.db);
  expect(bodyOf(await viewer.get(`/api/v1/view/${view.uuid}`))).toMatchObject({ missing: "district" });
  const { data } = await viewer.graphql("{ savedViews { nodes { name missing } } }");
  expect(data.savedViews.nodes).toEqual([{ name: "Gone", missing: "district" }]);
  await remove(viewer, view);
});

test("a view shows that its place or partner was closed, also a view of the people of a partner", async () => {
  const { rows } = await sql<{ provinceId: number; partnerId: number }>`
    select (select max(province_id) from province) as province_id, (select max(implementing_partner_id) from implementing_partner) as partner_id`.execute(gateway.db);
  const { provinceId, partnerId } = rows[0]!;
  const views = [
    await saved(viewer, { name: "A place", address: `/user/me?tab=allTdbs&provinceId=${provinceId}` }),
    await saved(viewer, { name: "Its people", address: `/users/directory?partner=${partnerId}` }),
  ];
  const states = async () => bodyOf<(View & { closed: string | null })[]>(await viewer.get("/api/v1/view")).map(({ name, missing, closed }) => [name, missing, closed]);
  expect(await states()).toEqual([["A place", null, null], ["Its people", null, null]]);
  await sql`update province set closed_on = '2026-01-01' where province_id = ${provinceId}`.execute(gateway.db);
  await sql`update implementing_partner set closed_on = '2026-01-01' where implementing_partner_id = ${partnerId}`.execute(gateway.db);
  expect(await states()).toEqual([["A place", null, "province"], ["Its people", null, "implementing partner"]]);
  const { data } = await viewer.graphql("{ savedViews { nodes { name missing closed } } }");
  expect(data.savedViews.nodes).toEqual([{ name: "A place", missing: null, closed: "province" }, { name: "Its people", missing: null, closed: "implementing partner" }]);
  await sql`update province set closed_on = null where province_id = ${provinceId}`.execute(gateway.db);
  await sql`update implementing_partner set closed_on = null where implementing_partner_id = ${partnerId}`.execute(gateway.db);
  for (const view of views) await remove(viewer, view);
});

test("views are created, listed, refused and removed through GraphQL", async () => {
  const create = "mutation ($input: CreateSavedViewInput!) { createSavedView(input: $input) { savedView { id uuid name own } errors { path message } } }";
  const made = (await plain.graphql(create, { input: { name: "By graph", address: "/facilities?power=no" } })).data.createSavedView;
  expect(made).toMatchObject({ savedView: { name: "By graph", own: true }, errors: [] });
  expect((await plain.graphql(create, { input: { name: "By graph", address: "/facilities" } })).data.createSavedView.errors[0].path).toBe("name");
  expect((await viewer.graphql("query ($id: ID!) { node(id: $id) { __typename } }", { id: made.savedView.id })).data?.node ?? null).toBeNull();
  const listed = async (person: Person, filter = "") => (await person.graphql(`{ savedViews${filter} { totalCount nodes { uuid name address own } } }`)).data.savedViews;
  const row = { uuid: made.savedView.uuid, name: "By graph", address: "/facilities?power=no", own: true };
  expect(await listed(plain)).toEqual({ totalCount: 1, nodes: [row] });
  expect([await listed(plain, "(mine: true, search: \"GRAPH\")"), await listed(plain, "(search: \"nothing\")"), await listed(viewer)]).toEqual([{ totalCount: 1, nodes: [row] }, { totalCount: 0, nodes: [] }, { totalCount: 0, nodes: [] }]);
  const drop = "mutation ($uuid: String!) { deleteSavedView(uuid: $uuid) { savedView { name } errors { path message } } }";
  expect((await plain.graphql(drop, { uuid: made.savedView.uuid })).data.deleteSavedView).toEqual({ savedView: { name: "By graph" }, errors: [] });
  expect(await listed(plain)).toEqual({ totalCount: 0, nodes: [] });
});
