import { expect, test } from "vitest";

import type { Nodes, Person } from "../support/gateway.ts";
import { changedBy, mutate, notThere, refusedWith } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * Saved views of lists: who sees and removes them, their names and limits, and views whose place was removed or closed.
 */

const gateway = await gatewayOfFile();
const [viewer, plain, admin] = await Promise.all([gateway.as("viewer"), gateway.as("plain"), gateway.as("admin")]);

type View = {
  uuid: string;
  name: string;
  address: string;
  shared: boolean;
  own: boolean;
  removable: boolean;
  ownerUserName: string;
  missing: string | null;
  closed: string | null;
};
const fields = "uuid name address shared own removable ownerUserName missing closed";
const create = `mutation ($input: CreateSavedViewInput!) {
  done: createSavedView(input: $input) { changed: savedView { ${fields} } errors { path message } }
}`;
const save = (person: Person, input: object) => mutate<View>(person, create, { input });
const saved = (person: Person, input: object) => changedBy(save(person, input));
const list = async (person: Person, filter = "") =>
  (await person.graphql<{ savedViews: Nodes<View> }>(`{ savedViews${filter} { nodes { ${fields} } } }`)).data.savedViews
    .nodes;
const names = async (person: Person, filter?: string) => (await list(person, filter)).map(({ name }) => name);
const drop =
  "mutation ($uuid: String!) { done: deleteSavedView(uuid: $uuid) { changed: savedView { name } errors { path message } } }";
const remove = (person: Person, { uuid }: View) => mutate<{ name: string }>(person, drop, { uuid });
const removed = ({ name }: View) => ({ changed: { name }, errors: [] });
const node = `query ($id: ID!) { node(id: $id) { ... on SavedView { ${fields} } } }`;
async function read(person: Person, { uuid }: View): Promise<View | null> {
  const id = Buffer.from(`SavedView:${uuid}`).toString("base64");
  return (await person.graphql<{ node: View | null }>(node, { id })).data.node;
}

test("private views are visible to their owner only, shared views to everybody; an administrator can remove shared views", async () => {
  const own = await saved(viewer, { name: "Mine", address: "/facilities?functional=no" });
  const shared = await saved(viewer, { name: "Ours", address: "/facilities/province/1?modes=none", shared: true });
  expect(own).toMatchObject({
    name: "Mine",
    address: "/facilities?functional=no",
    shared: false,
    own: true,
    removable: true,
    ownerUserName: "viewer",
    missing: null,
  });
  expect([
    await names(viewer),
    await names(plain),
    await names(plain, "(mine: true)"),
    await names(viewer, '(search: "our")'),
  ]).toEqual([["Mine", "Ours"], ["Ours"], [], ["Ours"]]);
  for (const person of [plain, admin])
    expect([await read(person, own), await remove(person, own)]).toEqual([null, refusedWith(notThere, "uuid")]);
  expect(await read(plain, shared)).toMatchObject({ own: false, removable: false, ownerUserName: "viewer" });
  expect(await remove(plain, shared)).toEqual(
    refusedWith("Only who made it or an administrator may remove a shared view."),
  );
  expect([await remove(admin, shared), await remove(viewer, own)]).toEqual([removed(shared), removed(own)]);
  expect(await remove(viewer, own)).toEqual(refusedWith(notThere, "uuid"));
  const rows = await gateway.sql<{ action: string; outcome: string; userName: string }>`
    select action, outcome, user_name from audit_event join app_user using (user_uuid) where action like 'view.%' order by audit_event_id`;
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
  ];
  for (const [input, path] of wrong) {
    const { changed, errors } = await save(plain, input);
    expect([input, changed, errors.map((error) => error.path)]).toEqual([input, null, [path]]);
  }
  await remove(viewer, await saved(viewer, { name: "Silent", address: "/facilities" }));
  await remove(plain, one);
});

test("a person can save at most 100 views, also with concurrent requests", async () => {
  await gateway.sql`insert into saved_view (view_uuid, owner_uuid, name, address)
    select gen_random_uuid(), user_uuid, 'View ' || n, '/facilities' from app_user, generate_series(1, 99) n where user_name = 'uploader'`;
  const uploader = await gateway.as("uploader");
  const answers = await Promise.all(["One", "Two"].map((name) => save(uploader, { name, address: "/facilities" })));
  expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
  expect(answers.find(({ errors }) => errors.length > 0)!.errors[0]!.message).toContain("100");
  expect((await names(uploader, "(first: 100)")).length).toBe(100);
});

test("a view shows that its place was removed", async () => {
  const view = await saved(viewer, { name: "Gone", address: "/facilities?districtId=1" });
  await gateway.sql`update saved_view set district_id = 99999 where view_uuid = ${view.uuid}`;
  expect([await read(viewer, view), await list(viewer)]).toMatchObject([
    { missing: "district" },
    [{ name: "Gone", missing: "district" }],
  ]);
  await remove(viewer, view);
});

test("a view shows that its place or partner was closed, also a view of the people of a partner", async () => {
  const rows = await gateway.sql<{ provinceId: number; partnerId: number }>`
    select (select max(province_id) from province) as province_id, (select max(implementing_partner_id) from implementing_partner) as partner_id`;
  const { provinceId, partnerId } = rows[0]!;
  const views = [
    await saved(viewer, { name: "A place", address: `/user/me?tab=allTdbs&provinceId=${provinceId}` }),
    await saved(viewer, { name: "Its people", address: `/users/directory?partner=${partnerId}` }),
  ];
  const states = async () => (await list(viewer)).map(({ name, missing, closed }) => [name, missing, closed]);
  expect(await states()).toEqual([
    ["A place", null, null],
    ["Its people", null, null],
  ]);
  await gateway.sql`update province set closed_on = '2026-01-01' where province_id = ${provinceId}`;
  await gateway.sql`update implementing_partner set closed_on = '2026-01-01' where implementing_partner_id = ${partnerId}`;
  expect(await states()).toEqual([
    ["A place", null, "province"],
    ["Its people", null, "implementing partner"],
  ]);
  await gateway.sql`update province set closed_on = null where province_id = ${provinceId}`;
  await gateway.sql`update implementing_partner set closed_on = null where implementing_partner_id = ${partnerId}`;
  for (const view of views) await remove(viewer, view);
});

test("views are counted and filtered, for their owner only", async () => {
  const { uuid } = await saved(plain, { name: "By graph", address: "/facilities?power=no" });
  const listed = async (person: Person, filter = "") =>
    (await person.graphql(`{ savedViews${filter} { totalCount nodes { uuid name address own } } }`)).data.savedViews;
  const row = { uuid, name: "By graph", address: "/facilities?power=no", own: true };
  expect(await listed(plain)).toEqual({ totalCount: 1, nodes: [row] });
  expect([
    await listed(plain, '(mine: true, search: "GRAPH")'),
    await listed(plain, '(search: "nothing")'),
    await listed(viewer),
  ]).toEqual([
    { totalCount: 1, nodes: [row] },
    { totalCount: 0, nodes: [] },
    { totalCount: 0, nodes: [] },
  ]);
});
