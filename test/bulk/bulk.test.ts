import { v7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";

import { bearerAt, bodyOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { changedBy, type Done, mutate, noteEntry, refusedWith } from "../support/mutations.ts";
import { statementsOf } from "../support/statements.ts";

/** Acts on many sites at once: assign, note and snooze, set the partner, and undo. */

let gateway: TestGateway;
let [admin, assessor, viewer]: Person[] = [];
let today: string;
let provinces: { provinceId: number; facilityUuids: string[] }[];
const partnerId = 2;
beforeAll(async () => {
  gateway = await testGateway();
  [admin, assessor, viewer] = await Promise.all(["admin", "assessor", "viewer"].map((login) => gateway.as(login)));
  today = bodyOf(await admin!.get("/api/v1/system")).today;
  const rows = await gateway.sql<(typeof provinces)[number]>`
    select province_id, array_agg(facility_uuid order by facility_uuid) as facility_uuids from facility where closed_on is null
    group by province_id having count(*) > 12 order by province_id`;
  provinces = rows;
});
afterAll(() => gateway?.stop());

type LeftOut = { reason: string; sites: number };
type BulkAct = { bulkActUuid: string; asked: number; done: number; leftOut: LeftOut[]; undoableUntil: string };
const send = (
  verb: "assignSites" | "noteSites" | "setPartnerOfSites",
  sites: object,
  more: object,
  person = assessor!,
): Promise<Done<BulkAct>> =>
  mutate<BulkAct>(
    person,
    `mutation ($input: ${verb[0]!.toUpperCase()}${verb.slice(1)}Input!) { done: ${verb}(input: $input) {
      changed: bulkAct { bulkActUuid asked done leftOut { reason sites } undoableUntil } errors { path message } } }`,
    { input: { bulkActUuid: v7(), sites, ...more } },
  );
const assign = (sites: object, more: object = {}, person = assessor!) =>
  send("assignSites", sites, { text: "Bring a battery", responsible: "Ruth Kapwelo", dueDay: today, ...more }, person);
const setPartner = (sites: object, implementingPartnerId: number | null, person = assessor!) =>
  send("setPartnerOfSites", sites, { implementingPartnerId }, person);
const undo = async (bulkActUuid: string, person = assessor!) =>
  (
    await person.graphql<{
      undoBulkAct: { restored: number | null; leftOut: LeftOut[]; errors: { path: string; message: string }[] };
    }>(
      "mutation ($input: UndoBulkActInput!) { undoBulkAct(input: $input) { restored leftOut { reason sites } errors { path message } } }",
      { input: { bulkActUuid } },
    )
  ).data.undoBulkAct;
const refusalOfUndo = async (bulkActUuid: string, person?: Person) =>
  (await undo(bulkActUuid, person)).errors[0]!.message;
const partnersOf = async (facilityUuids: readonly string[]) =>
  (
    await gateway.sql<{ partner: number | null }>`
      select implementing_partner_id as partner from facility where facility_uuid = any(${[...facilityUuids]}::text[]) order by facility_uuid`
  ).map(({ partner }) => partner);
const eventsOf = async (bulkActUuid: string) =>
  await gateway.sql<{ action: string; facilityUuid: string; details: Record<string, unknown> }>`
      select action, facility_uuid, details from audit_event where details ->> 'bulkActUuid' = ${bulkActUuid} order by audit_event_id`;
const openActions = async (facilityUuids: readonly string[]) =>
  (
    await gateway.sql<{ count: number }>`
      select count(*)::integer as count from action where facility_uuid = any(${[...facilityUuids]}::text[]) and state = 'open'`
  )[0]!.count;

test("an action is agreed at each site once, with its audit; undoing drops those that nobody has changed since", async () => {
  const facilityUuids = provinces[0]!.facilityUuids.slice(0, 6);
  const before = await openActions(facilityUuids);
  const bulkActUuid = v7();
  const first = await changedBy(assign({ facilityUuids }, { bulkActUuid }));
  expect(first).toMatchObject({ bulkActUuid, asked: 6, done: 6, leftOut: [] });
  expect(await changedBy(assign({ facilityUuids }, { bulkActUuid }))).toEqual(first);
  expect(await openActions(facilityUuids)).toBe(before + 6);
  const events = await eventsOf(bulkActUuid);
  expect(events.map(({ facilityUuid }) => facilityUuid)).toEqual(facilityUuids);
  expect(events[0]).toMatchObject({ action: "action.create", details: { origin: "hand", text: "Bring a battery" } });
  // Another person closes one of them.
  const { data } = await admin!.graphql<{ actions: { nodes: { actionUuid: string; text: string }[] } }>(
    "query ($uuid: String!) { actions(facilityUuid: $uuid, state: OPEN, isAboutEntry: false) { nodes { actionUuid text } } }",
    { uuid: facilityUuids[0] },
  );
  const { actionUuid } = data.actions.nodes.find(({ text }) => text === "Bring a battery")!;
  const close = `mutation ($input: CloseActionInput!) { done: closeAction(input: $input) { changed: action { state } errors { path message } } }`;
  await changedBy(mutate(admin!, close, { input: { actionUuid, version: 1, state: "DONE" } }));
  expect(await refusalOfUndo(bulkActUuid, admin)).toBe("There is no such act of yours.");
  expect(await undo(bulkActUuid)).toEqual({
    restored: 5,
    leftOut: [{ reason: "CHANGED_SINCE", sites: 1 }],
    errors: [],
  });
  expect(await openActions(facilityUuids)).toBe(before);
  expect((await eventsOf(bulkActUuid)).filter(({ action }) => action === "action.close")).toHaveLength(5);
  expect(await refusalOfUndo(bulkActUuid)).toBe("This was undone already.");
  expect((await assign({ facilityUuids }, { bulkActUuid }, admin)).errors[0]!.message).toBe(
    "There is another act with this bulkActUuid already.",
  );
});

test("partners are set and set back, also where the sites had different ones; what another person set since stays", async () => {
  const facilityUuids = provinces[1]!.facilityUuids.slice(0, 8);
  const before = await partnersOf(facilityUuids);
  expect(new Set(before).size).toBeGreaterThan(1);
  const had = before.filter((partner) => partner === partnerId).length;
  const { bulkActUuid, done, leftOut } = await changedBy(setPartner({ facilityUuids }, partnerId));
  expect([done, leftOut]).toEqual([8 - had, had === 0 ? [] : [{ reason: "UNCHANGED", sites: had }]]);
  expect(await partnersOf(facilityUuids)).toEqual(before.map(() => partnerId));
  const changed = facilityUuids.filter((_, index) => before[index] !== partnerId);
  expect((await eventsOf(bulkActUuid)).map(({ action, details }) => [action, details["new"]])).toEqual(
    changed.map(() => ["facility.settings", { implementingPartnerId: partnerId }]),
  );
  await changedBy(setPartner({ facilityUuids: [changed[0]!] }, null, admin));
  expect(await undo(bulkActUuid)).toMatchObject({
    restored: changed.length - 1,
    leftOut: [{ reason: "CHANGED_SINCE", sites: 1 }],
  });
  expect(await partnersOf(facilityUuids)).toEqual(
    before.map((partner, index) => (facilityUuids[index] === changed[0] ? null : partner)),
  );
});

test("an act can be undone for 10 minutes", async () => {
  const facilityUuids = provinces[0]!.facilityUuids.slice(6, 8);
  const { bulkActUuid, undoableUntil } = await changedBy(assign({ facilityUuids }));
  const rows = await gateway.sql<{ madeAt: Date }>`select made_at from bulk_act where bulk_act_uuid = ${bulkActUuid}`;
  expect(new Date(undoableUntil).getTime() - rows[0]!.madeAt.getTime()).toBe(10 * 60_000);
  await gateway.sql`update bulk_act set made_at = now() - interval '11 minutes' where bulk_act_uuid = ${bulkActUuid}`;
  expect(await refusalOfUndo(bulkActUuid)).toBe("This can be undone for 10 minutes only.");
});

type Entry = { facility: { facilityUuid: string }; comment: string | null; snoozed: boolean };
const entries = async (show: "OPEN" | "ALL", more = "") =>
  (
    await assessor!.graphql<{ worklist: { totalCount: number; nodes: Entry[] } }>(
      `{ worklist(kind: SILENT, show: ${show}, first: 100 ${more}) { totalCount nodes { facility { facilityUuid } comment snoozed } } }`,
    )
  ).data.worklist;

test("entries of the work list are noted and snoozed, all that match too; a plain note leaves them snoozed", async () => {
  const rows = await gateway.sql<{ until: string }>`select (${today}::date + 7)::text as until`;
  const snoozedUntil = rows[0]!.until;
  const { totalCount: open, nodes } = await entries("OPEN");
  const [one, other] = nodes.map(({ facility }) => facility.facilityUuid);
  const off = (
    await gateway.sql<{ uuid: string }>`
      select facility_uuid as uuid from tdb_silence where due_day >= current_date order by facility_uuid limit 1`
  )[0]!.uuid;
  const sites = { facilityUuids: [one, other, off] };
  const snoozed = await changedBy(
    send("noteSites", sites, { kind: "SILENT", comment: "Waits for a router", snoozedUntil }),
  );
  expect(snoozed).toMatchObject({ asked: 3, done: 2, leftOut: [{ reason: "NOT_ON_LIST", sites: 1 }] });
  expect((await entries("OPEN")).totalCount).toBe(open - 2);
  const noted = await changedBy(send("noteSites", sites, { comment: "Called" }));
  expect(noted.done).toBe(2);
  const seen = (await entries("ALL")).nodes.filter(({ facility }) => [one, other].includes(facility.facilityUuid));
  expect(seen.map(({ comment, snoozed: is }) => [comment, is])).toEqual([
    ["Called", true],
    ["Called", true],
  ]);
  // A later note of somebody else stays, and so does what it is about.
  await changedBy(noteEntry(admin!, { kind: "silent", facilityUuid: one!, comment: "I called too" }));
  expect(await undo(noted.bulkActUuid)).toMatchObject({
    restored: 1,
    leftOut: [{ reason: "CHANGED_SINCE", sites: 1 }],
  });
  const all = await changedBy(
    send("noteSites", { worklist: { kind: "SILENT" } }, { kind: "SILENT", comment: "All of them", snoozedUntil }),
  );
  expect(all.done).toBe(open - 1);
  expect((await entries("OPEN")).totalCount).toBe(0);
  expect((await undo(all.bulkActUuid)).restored).toBe(open - 1);
  expect((await entries("OPEN")).totalCount).toBe(open - 1);
  const shown = await changedBy(
    send("noteSites", { facilityUuids: [other] }, { kind: "SILENT", comment: "It came", snoozedUntil: null }),
  );
  expect([shown.done, (await entries("OPEN")).totalCount]).toEqual([1, open]);
});

test("of two people who give an entry to the same person at once, one does; what is given to another person stands beside it", async () => {
  const { nodes } = await entries("OPEN");
  const facilityUuids = nodes.slice(0, 2).map(({ facility }) => facility.facilityUuid);
  const before = await openActions(facilityUuids);
  const about = { kind: "SILENT", responsible: "Peter Mumba" };
  const both = await Promise.all(
    [assessor!, admin!].map(async (person) => changedBy(assign({ facilityUuids }, about, person))),
  );
  expect(both.map(({ done, leftOut }) => [done, leftOut]).toSorted()).toEqual([
    [0, [{ reason: "UNCHANGED", sites: 2 }]],
    [2, []],
  ]);
  expect((await changedBy(assign({ facilityUuids }, { ...about, responsible: "Ruth" }))).done).toBe(2);
  expect(await openActions(facilityUuids)).toBe(before + 4);
});

test("the files of the lists can be asked for selected sites alone", async () => {
  const [one, other] = (await entries("ALL")).nodes.map(({ facility }) => facility.facilityUuid);
  const named = `facilityUuid=${one}&facilityUuid=${other}`;
  const lines = async (path: string) => (await viewer!.get(`/api/v1/${path}`)).text.trim().split("\r\n").length - 1;
  expect(await lines(`facility/csv?${named}`)).toBe(2);
  expect(await lines(`facility/csv?facilityUuid=${one}`)).toBe(1);
  expect(await lines(`worklist/silent/csv?show=all&${named}`)).toBe(2);
  const many = Array.from({ length: 201 }, (_, index) => `facilityUuid=${index}`).join("&");
  expect((await viewer!.get(`/api/v1/facility/csv?${many}`)).status).toBe(422);
});

test("one's own entries are those whose actions name oneself; without any, those of one's partner", async () => {
  const mine = async () => (await entries("ALL", "mine: true")).nodes.map(({ facility }) => facility.facilityUuid);
  const [ofPartner, own] = (await entries("ALL")).nodes.map(({ facility }) => facility.facilityUuid);
  expect(await mine()).toEqual([]);
  const about = { kind: "SILENT", dueDay: today };
  await changedBy(
    assign({ facilityUuids: [ofPartner!] }, { ...about, responsible: null, implementingPartnerId: partnerId }),
  );
  expect(await mine()).toEqual([ofPartner]);
  await changedBy(assign({ facilityUuids: [own!] }, { ...about, responsible: "bwalya NYAMBEKO" }));
  expect(await mine()).toEqual([own]);
  const { text } = await assessor!.get("/api/v1/worklist/silent/csv?mine=yes&show=all");
  expect(text.trim().split("\r\n")).toHaveLength(2);
  // The same filter selects the sites of an act.
  const sites = { worklist: { kind: "SILENT", show: "ALL", mine: true } };
  expect((await changedBy(send("noteSites", sites, { kind: "SILENT", comment: "Mine" }))).asked).toBe(1);
});

test("closed, merged, unknown and other people's sites are left out, with their number", async () => {
  const [closed, merged, into, fine] = provinces[2]!.facilityUuids;
  const other = provinces[0]!.facilityUuids[9]!;
  const after = (path: string, body: object) => admin!.call("POST", `/api/v1${path}`, body);
  expect((await after(`/facility/${closed}/close`, { closedOn: today, reason: "Closed" })).status).toBe(200);
  expect((await after(`/facility/${merged}/merge`, { into })).status).toBe(200);
  const account = bodyOf<{ uuid: string }>(
    await after("/serviceAccount", {
      ...{ name: "of-one-province", owner: "manager", privileges: ["editAssessments"] },
      provinceId: provinces[2]!.provinceId,
    }),
  );
  const { token } = bodyOf<{ token: string }>(
    await after(`/serviceAccount/${account.uuid}/token`, { name: "Bulk", expiryDate: today }),
  );
  const answer = await assign(
    { facilityUuids: [closed, merged, fine, fine, other, "nowhere"] },
    {},
    bearerAt(gateway.url, token),
  );
  expect(answer.errors).toEqual([]);
  expect(answer.changed).toMatchObject({
    asked: 5,
    done: 1,
    leftOut: [
      { reason: "UNKNOWN", sites: 1 },
      { reason: "MERGED", sites: 1 },
      { reason: "CLOSED", sites: 1 },
      { reason: "NOT_YOURS", sites: 1 },
    ],
  });
});

test("a selection is one to 5,000 sites; what is done is checked as at one site", async () => {
  const wrong = async (sent: Promise<Done<BulkAct>>) => {
    const { changed, errors } = await sent;
    expect(changed).toBeNull();
    return errors.map(({ path, message }) => `${path} ${message}`);
  };
  const one = { facilityUuids: [provinces[0]!.facilityUuids[0]] };
  const needed = "sites.facilityUuids or facilities or worklist is needed, and only one of them";
  expect(await wrong(assign({ facilityUuids: [] }))).toEqual(["sites.facilityUuids no site is selected"]);
  expect(await wrong(assign({}))).toEqual([needed]);
  expect(await wrong(assign({ ...one, worklist: { kind: "SILENT" } }))).toEqual([needed]);
  expect(await wrong(assign({ facilityUuids: Array.from({ length: 5001 }, (_, index) => `site-${index}`) }))).toEqual([
    "sites.facilityUuids may be at most 5,000 sites",
  ]);
  expect(await wrong(assign({ facilities: { search: "no such name" } }))).toEqual(["sites no site is selected"]);
  expect(await wrong(assign(one, { responsible: null }))).toEqual(["responsible is required"]);
  expect(await wrong(assign(one, { dueDay: "2020-01-01" }))).toHaveLength(1);
  expect(await wrong(assign(one, { text: " " }))).toEqual(["text is required"]);
  expect(await wrong(send("noteSites", one, { comment: "Later", snoozedUntil: today }))).toEqual([
    "snoozedUntil must be a day after today",
  ]);
  expect(await wrong(setPartner(one, 999))).toEqual(["implementingPartnerId there is no such implementing partner"]);
  const rows = await gateway.sql<{ id: number }>`
    select implementing_partner_id as id from implementing_partner where not active`;
  expect(await wrong(setPartner(one, rows[0]!.id))).toEqual(["implementingPartnerId is no longer active"]);
  expect(await setPartner(one, partnerId, viewer)).toEqual(
    refusedWith("You dont have the rights to access this feature"),
  );
});

test("3,300 sites are selected by their list, changed and set back in as many statements as a few", async () => {
  await gateway.sql`
    insert into facility (facility_uuid, facility_name, district_id, province_id)
    select 'bulk-' || n, 'Bulk ' || n, district_id, province_id from generate_series(1, 3300) as n, (select * from district limit 1) as place`;
  const facilityUuids = Array.from({ length: 3300 }, (_, index) => `bulk-${index + 1}`);
  const statements = async (sites: object, expected: number) => {
    let act: BulkAct | undefined;
    const sent = await statementsOf(async () => {
      act = await changedBy(setPartner(sites, partnerId));
    });
    expect(act).toMatchObject({ done: expected, leftOut: [] });
    const undone = await statementsOf(async () => {
      expect((await undo(act!.bulkActUuid)).restored).toBe(expected);
    });
    const withoutAudit = (texts: string[]) => texts.filter((text) => !text.startsWith('insert into "audit_event"'));
    return [withoutAudit(sent).length, withoutAudit(undone).length];
  };
  const few = await statements({ facilityUuids: facilityUuids.slice(0, 3) }, 3);
  expect(await statements({ facilityUuids }, 3300)).toEqual(few);
  expect((await changedBy(assign({ facilities: { search: "Bulk" } }))).done).toBe(3300);
  expect(await openActions(facilityUuids)).toBe(3300);
});
