import { v7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sampleFacility, type SampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf, errorsOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { changedBy, type Done, mutate } from "../support/mutations.ts";
import { formOf, sendForm, tdbxOf } from "../support/tdbx.ts";

/** Actions: agreed by hand, about an entry of the work list, or at a visit; closed by people or by what is found later. */

let gateway: TestGateway;
let [admin, assessor, viewer, uploader]: Person[] = [];
let site: SampleFacility;
let today: string;
beforeAll(async () => {
  gateway = await testGateway();
  [admin, assessor, viewer, uploader] = await Promise.all(
    ["admin", "assessor", "viewer", "uploader"].map((login) => gateway.as(login)),
  );
  site = await sampleFacility(gateway.db);
  today = await dayFromNow(0);
});
afterAll(() => gateway.stop());

const dayFromNow = async (days: number) =>
  (
    await gateway.sql<{ day: string }>`
      select ((now() at time zone 'Africa/Lusaka')::date + ${days}::integer)::text as day`
  )[0]!.day;

type Action = {
  actionUuid: string;
  facilityUuid: string;
  text: string;
  responsible: string | null;
  dueDay: string;
  overdueDays: number | null;
  origin: string;
  kind: string | null;
  state: string;
  reason: string | null;
  closedBy: string | null;
  agreedBy: string;
  assessmentUuid: string | null;
  closingAssessmentUuid: string | null;
  closingTdbUuid: string | null;
  version: number;
};
const fields =
  "actionUuid facilityUuid text responsible dueDay overdueDays origin kind state reason closedBy agreedBy assessmentUuid closingAssessmentUuid closingTdbUuid version";
const send = (verb: string, input: object, person = assessor!): Promise<Done<Action>> =>
  mutate<Action>(
    person,
    `mutation ($input: ${verb[0]!.toUpperCase()}${verb.slice(1)}ActionInput!) { done: ${verb}Action(input: $input) { changed: action { ${fields} } errors { path message } } }`,
    { input },
  );
const given = (more: object = {}) => ({
  actionUuid: v7(),
  facilityUuid: site.facilityUuid,
  text: "Replace the battery",
  responsible: "Ruth Kapwelo",
  dueDay: today,
  ...more,
});
const listed = async (query: string, person = viewer!) =>
  bodyOf<Action[]>(await person.get(`/api/v1/action/list${query}`));
const ofSite = () => listed(`?facilityUuid=${site.facilityUuid}`);
const byUuid = async (actionUuid: string) => bodyOf<Action>(await viewer!.get(`/api/v1/action/${actionUuid}`));
const audited = async (actionUuid: string) =>
  await gateway.sql<{ action: string; details: Record<string, unknown> }>`
      select action, details from audit_event where subject_type = 'Action' and subject_id = ${actionUuid} order by audit_event_id`;
const save = async (more: object = {}) => {
  const answer = await assessor!.call("POST", "/api/v1/assessment", visit(site, more));
  expect(answer.status).toBe(200);
  return bodyOf<{ assessmentUuid: string; assessmentDate: string; version: number }>(answer);
};

test("an action is agreed once, changed, closed, opened again and dropped; each step is in the audit, and an old version is refused", async () => {
  const input = given();
  const first = await changedBy(send("create", input));
  expect(first).toMatchObject({ origin: "HAND", state: "OPEN", agreedBy: "assessor", version: 1, overdueDays: null });
  expect((await changedBy(send("create", input))).version).toBe(1);
  expect((await ofSite()).filter(({ actionUuid }) => actionUuid === input.actionUuid)).toHaveLength(1);
  const { actionUuid } = input;
  const agreed = { text: "Buy a battery", implementingPartnerId: 1, dueDay: await dayFromNow(10) };
  const second = await changedBy(send("update", { actionUuid, version: 1, ...agreed }));
  expect(second).toMatchObject({ text: "Buy a battery", responsible: null, version: 2 });
  const stale = await send("close", { actionUuid, version: 1, state: "DONE" });
  expect([stale.errors[0]?.path, stale.changed.version]).toEqual(["version", 2]);
  const done = await changedBy(send("close", { actionUuid, version: 2, state: "DONE" }));
  expect(done).toMatchObject({ state: "DONE", closedBy: "assessor", reason: null, version: 3 });
  await changedBy(send("reopen", { actionUuid, version: 3 }));
  expect((await send("close", { actionUuid, version: 4, state: "DROPPED" })).errors).toEqual([
    { path: "reason", message: "is required" },
  ]);
  await changedBy(send("close", { actionUuid, version: 4, state: "DROPPED", reason: "The site has solar power" }));
  expect(await byUuid(actionUuid)).toMatchObject({ state: "dropped", reason: "The site has solar power", version: 5 });
  expect((await audited(actionUuid)).map(({ action }) => action)).toEqual([
    "action.create",
    "action.update",
    "action.close",
    "action.reopen",
    "action.close",
  ]);
});

test.each([
  ["text", { text: " " }, "is required"],
  ["text", { text: "x".repeat(501) }, "may have at most 500 characters"],
  ["responsible", { responsible: "" }, "is required"],
  ["responsible", { responsible: "x".repeat(129) }, "may have at most 128 characters"],
  ["implementingPartnerId", { implementingPartnerId: 999_999 }, "is not there"],
  ["dueDay", { dueDay: "2020-01-01" }, "must not be before the day of the agreement"],
  ["dueDay", { dueDay: "2099-01-01" }, "must not be more than 2 years after the day of the agreement"],
  ["actionUuid", { actionUuid: "mine" }, "must be a UUID"],
])("a wrong %s is refused and named", async (path, more, message) => {
  const { changed, errors } = await send("create", given(more));
  expect(changed).toBeNull();
  expect(errors).toEqual([{ path, message: expect.stringContaining(message) as string }]);
});

test("people who see assessments see actions, on every way; only people who write assessments agree them", async () => {
  const { actionUuid } = await changedBy(send("create", given()));
  const refusal = await send("create", given(), viewer!);
  expect([refusal.changed, refusal.errors.length]).toEqual([null, 1]);
  expect((await byUuid(actionUuid)).actionUuid).toBe(actionUuid);
  for (const path of ["list", "csv", actionUuid])
    expect([path, (await uploader!.get(`/api/v1/action/${path}`)).status]).toEqual([path, 403]);
  const id = Buffer.from(`Action:${actionUuid}`).toString("base64");
  const query = "query ($id: ID!) { node(id: $id) { ... on Action { actionUuid facility { facilityName } } } }";
  expect((await viewer!.graphql(query, { id })).data.node.actionUuid).toBe(actionUuid);
  expect((await uploader!.graphql(query, { id })).data?.node ?? null).toBeNull();
});

test("the list is paged and filtered: by state, overdue, kind, place and responsible partner; the file has the same rows, and no formulas", async () => {
  const late = await changedBy(send("create", given({ text: "=1+1", implementingPartnerId: 2 })));
  await gateway.sql`update action set due_day = due_day - 3, agreed_at = agreed_at - interval '9 days' where action_uuid = ${late.actionUuid}`;
  const all = await listed("");
  const paged: Action[] = [];
  for (let path: string | undefined = "/api/v1/action/list?limit=1"; path;) {
    const answer = await viewer!.get(path);
    paged.push(...bodyOf<Action[]>(answer));
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
  }
  expect(paged).toEqual(all);
  expect((await listed("?overdue=true")).map(({ actionUuid }) => actionUuid)).toContain(late.actionUuid);
  expect((await listed("?overdue=true&responsiblePartnerId=1")).length).toBe(0);
  expect((await listed("?state=done")).every(({ state }) => state === "done")).toBe(true);
  expect(await listed("?kind=stopped&state=dropped")).toEqual([]);
  const { data } = await viewer!.graphql(
    "query ($uuid: String!) { facility(facilityUuid: $uuid) { actions(overdue: true) { totalCount nodes { actionUuid overdueDays } } } }",
    { uuid: site.facilityUuid },
  );
  expect(data.facility.actions.nodes).toContainEqual({ actionUuid: late.actionUuid, overdueDays: 3 });
  const { text } = await viewer!.get(`/api/v1/action/csv?facilityUuid=${site.facilityUuid}`);
  expect(text.trim().split("\r\n")).toHaveLength(1 + (await ofSite()).length);
  expect(text).toContain("'=1+1");
  expect((await viewer!.get("/api/v1/action/list?stat=open")).status).toBe(422);
});

test("actions come with the visit, once, through both interfaces, and are due from the day of the visit", async () => {
  const assessmentUuid = v7();
  const of = (more: object = {}) => ({
    actionUuid: v7(),
    text: "Call the grid",
    responsible: "Ruth",
    dueDay: today,
    ...more,
  });
  const body = visit(site, { assessmentUuid, actions: [of(), of({ text: "Train two people" })] });
  for (const _ of [1, 2]) expect((await assessor!.call("POST", "/api/v1/assessment", body)).status).toBe(200);
  const { data } = await viewer!.graphql(
    "query ($uuid: String!) { assessment(assessmentUuid: $uuid) { actions { text origin assessmentUuid } } }",
    { uuid: assessmentUuid },
  );
  expect(data.assessment.actions.map(({ text }: Action) => text).toSorted()).toEqual([
    "Call the grid",
    "Train two people",
  ]);
  // A device that sends it again may have one more.
  body.actions.push(of({ text: "One more" }));
  expect((await assessor!.call("POST", "/api/v1/assessment", body)).status).toBe(200);
  expect((await ofSite()).filter((action) => action.assessmentUuid === assessmentUuid)).toHaveLength(3);
  const early = await assessor!.call(
    "POST",
    "/api/v1/assessment",
    visit(site, { actions: [of(), of({ dueDay: "2020-01-01" })] }),
  );
  expect([early.status, errorsOf(early)[0]?.path]).toEqual([422, "actions.1.dueDay"]);
  const tooMany = visit(site, { actions: Array.from({ length: 21 }, () => of()) });
  expect(errorsOf(await assessor!.call("POST", "/api/v1/assessment", tooMany))[0]?.path).toBe("actions");
  const input = { ...visit(site, { actions: [of({ text: "By GraphQL" })] }) };
  const made = await assessor!.graphql(
    "mutation ($input: CreateAssessmentInput!) { createAssessment(input: $input) { assessment { actions { text agreedDate } } errors { path message } } }",
    { input: input },
  );
  expect(made.errors ?? made.data.createAssessment).toEqual({
    assessment: { actions: [{ text: "By GraphQL", agreedDate: today }] },
    errors: [],
  });
});

test("an action about a site that stopped closes by itself at the visit that finds it working, and opens again when that visit is corrected or set aside", async () => {
  await save({ smartCareFunctional: true });
  expect((await send("create", given({ kind: "STOPPED" }))).errors[0]?.message).toMatch(/no such entry/);
  await save({ smartCareFunctional: false });
  const { actionUuid } = await changedBy(send("create", given({ kind: "STOPPED", text: "Restart the server" })));
  await save({ smartCareFunctional: null });
  expect((await byUuid(actionUuid)).state).toBe("open");
  const mended = await save({ smartCareFunctional: true });
  const closed = { state: "done", closedBy: null, closingAssessmentUuid: mended.assessmentUuid };
  expect(await byUuid(actionUuid)).toMatchObject({ ...closed, reason: `The visit of ${today} found it mended.` });
  const { assessmentUuid } = mended;
  await assessor!.call("PATCH", "/api/v1/assessment", { assessmentUuid, version: 1, smartCareFunctional: false });
  expect(await byUuid(actionUuid)).toMatchObject({ state: "open", reason: null, closingAssessmentUuid: null });
  await assessor!.call("PATCH", "/api/v1/assessment", { assessmentUuid, version: 2, smartCareFunctional: true });
  expect(await byUuid(actionUuid)).toMatchObject(closed);
  const aside = (verb: string) =>
    admin!.graphql(
      `mutation ($input: SetAssessmentAsideInput!) { ${verb}(input: $input) { errors { path message } } }`,
      { input: { assessmentUuid, reason: "Another site" } },
    );
  await aside("setAssessmentAside");
  expect((await byUuid(actionUuid)).state).toBe("open");
  await aside("restoreAssessment");
  expect(await byUuid(actionUuid)).toMatchObject(closed);
  expect((await audited(actionUuid)).map(({ action }) => action)).toEqual([
    "action.create",
    ...["close-itself", "reopen-itself", "close-itself", "reopen-itself", "close-itself"].map((end) => `action.${end}`),
  ]);
  const { version } = await byUuid(actionUuid);
  await changedBy(send("reopen", { actionUuid, version }));
  await save({ smartCareFunctional: null });
  expect((await byUuid(actionUuid)).state).toBe("open");
});

test("an action about overdue data closes by itself at the TDB that comes in time, and names it", async () => {
  const rows = await gateway.sql<{ facilityUuid: string }>`
    select facility_uuid from tdb_silence where due_day < current_date and closed_on is null order by facility_uuid limit 1`;
  const { facilityUuid } = rows[0]!;
  const { actionUuid } = await changedBy(send("create", given({ facilityUuid, kind: "SILENT" })));
  const upload = (createdAt: Date) =>
    sendForm(
      gateway.url,
      "/api/v1/tdb",
      uploader!,
      formOf([{ name: "clinic.tdbx", content: tdbxOf(facilityUuid, { createdAt: createdAt.toISOString() }) }]),
    );
  const past = await upload(new Date("2025-01-05T10:00:00Z"));
  expect([past.status, (await byUuid(actionUuid)).state]).toEqual([200, "open"]);
  await upload(new Date(Date.now() - 60_000));
  const closed = await byUuid(actionUuid);
  expect(closed).toMatchObject({ state: "done", closedBy: null, reason: `The TDB received on ${today} mended it.` });
  expect(closed.closingTdbUuid).not.toBeNull();
});

test("the feed of changes has actions, with their last state, for people who may see assessments", async () => {
  const { actionUuid } = await changedBy(send("create", given({ text: "In the feed" })));
  const read = async () => {
    type Item = { key: string; action: string; record: Action };
    const { changes } = bodyOf<{ changes: Item[] }>(await viewer!.get("/api/v1/changes?kinds=action&limit=1000"));
    return changes.find(({ key }) => key === actionUuid);
  };
  // The feed waits for transactions of other databases of the server, which other tests may have.
  await expect.poll(read).toMatchObject({ action: "created", record: await byUuid(actionUuid) });
  await changedBy(send("close", { actionUuid, version: 1, state: "DONE" }));
  await expect.poll(async () => (await read())?.record.state).toBe("done");
  expect((await uploader!.get("/api/v1/changes?kinds=action")).status).toBe(403);
});

test("the entry of the work list has its open actions, for people who see assessments", async () => {
  await save({ smartCareFunctional: true });
  await save({ smartCareFunctional: false });
  const { actionUuid } = await changedBy(send("create", given({ kind: "STOPPED" })));
  const query = `{ worklist(kind: STOPPED, first: 100) { nodes { facility { facilityUuid } actions { actionUuid } } } }`;
  const entry = async (person: Person) =>
    (await person.graphql(query)).data.worklist.nodes.find(
      ({ facility }: { facility: Action }) => facility.facilityUuid === site.facilityUuid,
    );
  expect((await entry(viewer!)).actions).toContainEqual({ actionUuid });
  expect((await entry(uploader!)).actions).toBeNull();
});
