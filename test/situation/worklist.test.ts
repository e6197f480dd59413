import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

import { refreshAssessmentRollups } from "../../db/derived/latest.ts";
import { worklistKinds } from "../../db/situation/state.rules.ts";
import { missingRightsMessage } from "../../gateway/access/access.rules.ts";
import { sampleFacility, type SampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf, type Nodes, type Person } from "../support/gateway.ts";
import { changedBy, noteEntry, notThere, refusedWith } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** The work list: its entries, its counts, and notes that hide an entry until a day. */

let admin: Person;
let assessor: Person;
let site: SampleFacility;
const gateway = await gatewayOfFile();
beforeAll(async () => {
  [admin, assessor] = [await gateway.as("admin"), await gateway.as("assessor")];
  site = await sampleFacility(gateway.db);
  // This facility was not visited for a long time: the demonstration has no such facility.
  const rows = await gateway.sql<{ facilityUuid: string }>`
    select min(facility_uuid) as facility_uuid from assessment where facility_uuid <> ${site.facilityUuid}`;
  const { facilityUuid } = rows[0]!;
  const visits = () =>
    sql<{
      day: string;
    }>`select distinct assessed_at::date::text as day from assessment where facility_uuid = ${facilityUuid}`.execute(
      gateway.db,
    );
  const before = await visits();
  await gateway.sql`update assessment set assessed_at = assessed_at - interval '400 days' where facility_uuid = ${facilityUuid}`;
  await refreshAssessmentRollups(gateway.db, {
    facilityUuid,
    days: [...before.rows, ...(await visits()).rows].map(({ day }) => day),
  });
});

type Entry = {
  facilityUuid: string;
  days: number | null;
  sinceDate: string | null;
  snoozed: boolean;
  comment: string | null;
  commentedBy: string | null;
  lastWorkedDate: string | null;
  contactPhone: string | null;
};
const list = async (person: Person, kind: string, query = "") =>
  bodyOf<Entry[]>(await person.get(`/api/v1/worklist/${kind}${query}`));
const entryOf = async (kind: string, query = "") =>
  (await list(admin, kind, query)).find(({ facilityUuid }) => facilityUuid === site.facilityUuid);
const counts = async (query = "") =>
  bodyOf(await admin.get(`/api/v1/situation${query}`)).worklist as { kind: string; entries: number; snoozed: number }[];
const note = (kind: string, input: { comment: string; snoozedUntil?: string }, person = assessor) =>
  noteEntry(person, { kind, facilityUuid: site.facilityUuid, ...input });
type Notes = { worklistNotes: Nodes<{ comment: string; userName: string }> | null };
const notesOf = (person: Person, kind: string) =>
  person.graphql<Notes>(
    "query ($uuid: String!, $kind: WorklistKind!) { worklistNotes(facilityUuid: $uuid, kind: $kind) { nodes { comment userName } } }",
    { uuid: site.facilityUuid, kind },
  );
const day = async (after: number) =>
  (
    await gateway.sql<{ day: string }>`
      select ((now() at time zone 'Africa/Lusaka')::date + ${after}::integer)::text as day`
  )[0]!.day;
const save = async (more: object) =>
  expect((await assessor.call("POST", "/api/v1/assessment", visit(site, more))).status).toBe(200);

test("a site that stopped working is listed from the visit that found it so, until a visit finds it working", async () => {
  await save({ smartCareFunctional: true });
  expect([await entryOf("stopped"), await entryOf("lostPower")]).toEqual([undefined, undefined]);
  await save({ smartCareFunctional: false, primaryPowerWorking: false });
  const today = await day(0);
  for (const kind of ["stopped", "lostPower"])
    expect(await entryOf(kind)).toMatchObject({
      days: 0,
      sinceDate: today,
      lastWorkedDate: today,
      snoozed: false,
      contactPhone: "+260900012345",
    });
  await save({ smartCareFunctional: false, primaryPowerWorking: false, backupPower: true, backupPowerWorking: true });
  expect([(await entryOf("stopped"))?.sinceDate, await entryOf("lostPower")]).toEqual([today, undefined]);
});

test("the counts of each kind equal its entries, all of the requested province or partner or of the country; entries are sorted by days, most first", async () => {
  const scopes = await gateway.sql<{ query: string; facilities: string[] }>`
    select '' as query, array(select facility_uuid from facility) as facilities
    union all select '?provinceId=' || province_id, array(select facility_uuid from facility where facility.province_id = province.province_id) from province
    union all select '?implementingPartnerId=' || implementing_partner_id,
      array(select facility_uuid from facility where facility.implementing_partner_id = implementing_partner.implementing_partner_id) from implementing_partner`;
  expect(scopes.length).toBeGreaterThan(10);
  let entriesOfParts = 0;
  for (const { query, facilities } of scopes)
    for (const { kind, entries, snoozed } of await counts(query)) {
      const [all, hidden] = [
        await list(admin, kind, `${query || "?"}&show=all`),
        await list(admin, kind, `${query || "?"}&show=snoozed`),
      ];
      expect([query, kind, all.length, hidden.length]).toEqual([query, kind, entries, snoozed]);
      const outside = [...all, ...hidden].filter(({ facilityUuid }) => !facilities.includes(facilityUuid));
      expect([query, kind, outside]).toEqual([query, kind, []]);
      if (query !== "") entriesOfParts += all.length;
      const days = all.map((entry) => entry.days ?? -1);
      expect(days.filter((each) => each >= 0)).toEqual(days.filter((each) => each >= 0).toSorted((a, b) => b - a));
    }
  expect(entriesOfParts).toBeGreaterThan(0);
  for (const { kind, entries } of await counts()) expect([kind, entries > 0]).toEqual([kind, true]);
});

test("a note is returned with its author; a snoozed entry is hidden until its day, shown on request, and shown again after a note without a day", async () => {
  const [before, tomorrow] = [(await counts()).find(({ kind }) => kind === "stopped")!, await day(1)];
  const waits = { comment: "Waits for a router", snoozedUntil: tomorrow };
  expect(await changedBy(note("stopped", waits))).toEqual({ ...waits, commentedBy: "assessor", snoozed: true });
  expect([await entryOf("stopped"), (await entryOf("stopped", "?show=snoozed"))?.comment]).toEqual([
    undefined,
    "Waits for a router",
  ]);
  expect((await counts()).find(({ kind }) => kind === "stopped")).toEqual({ ...before, snoozed: before.snoozed + 1 });
  await gateway.sql`update worklist_note set snoozed_until = ${await day(0)}`;
  expect((await entryOf("stopped"))?.snoozed).toBe(false);
  await gateway.sql`update worklist_note set snoozed_until = ${tomorrow}`;
  expect(await changedBy(note("stopped", { comment: "The router came" }))).toMatchObject({
    comment: "The router came",
    snoozed: false,
  });
  const { data } = await notesOf(admin, "STOPPED");
  expect(data.worklistNotes!.nodes).toEqual([
    { comment: "The router came", userName: "assessor" },
    { comment: "Waits for a router", userName: "assessor" },
  ]);
  const rows = await gateway.sql<{ details: object }>`
    select details from audit_event where action = 'worklist.note' order by occurred_at`;
  expect(rows.map(({ details }) => details)).toEqual([
    { kind: "stopped", comment: "Waits for a router", snoozedUntil: tomorrow },
    { kind: "stopped", comment: "The router came", snoozedUntil: null },
  ]);
});

test("a snoozed entry is shown again if its site was repaired and broke again", async () => {
  await changedBy(note("stopped", { comment: "Later", snoozedUntil: await day(30) }));
  await gateway.sql`update worklist_note set written_at = now() - interval '2 days'`;
  await save({ smartCareFunctional: true });
  await save({ smartCareFunctional: false });
  expect((await entryOf("stopped"))?.snoozed).toBe(false);
});

test("invalid notes are refused, naming the field, and so are notes about what is not listed, or without the rights", async () => {
  const refused: [Parameters<typeof note>[1], string][] = [
    [{ comment: "" }, "comment"],
    [{ comment: "x".repeat(513) }, "comment"],
    [{ comment: "x", snoozedUntil: await day(0) }, "snoozedUntil"],
    [{ comment: "x", snoozedUntil: await day(367) }, "snoozedUntil"],
  ];
  for (const [input, path] of refused) {
    const { changed, errors } = await note("stopped", input);
    expect([changed, errors.map((error) => error.path)]).toEqual([null, [path]]);
  }
  expect(await note("lostPower", { comment: "x" })).toEqual(refusedWith(notThere, "facilityUuid"));
  // People who may only read write no notes.
  for (const login of ["viewer", "uploader", "plain"])
    expect(await note("stopped", { comment: "x" }, await gateway.as(login))).toEqual(refusedWith(missingRightsMessage));
});

test("everybody sees the entries; contacts and notes are only for people who may see assessments", async () => {
  await changedBy(note("stopped", { comment: "Only for visitors" }));
  const [plain, viewer, uploader] = await Promise.all(
    ["plain", "viewer", "uploader"].map((login) => gateway.as(login)),
  );
  const fieldsOf = (entry: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(entry).filter(([name]) => /^(contact|comment)/.test(name)));
  for (const kind of worklistKinds) {
    const ofViewer = bodyOf<Record<string, unknown>[]>(await viewer!.get(`/api/v1/worklist/${kind}?show=all`));
    expect(ofViewer.length, kind).toBeGreaterThan(0);
    for (const person of [plain!, uploader!]) {
      const rows = bodyOf<Record<string, unknown>[]>(await person.get(`/api/v1/worklist/${kind}?show=all`));
      const hidden = Object.fromEntries(Object.keys(fieldsOf(ofViewer[0]!)).map((name) => [name, null]));
      expect(rows, kind).toEqual(ofViewer.map((row) => ({ ...row, ...hidden })));
      const csv = (await person.get(`/api/v1/worklist/${kind}/csv?show=all`)).text;
      expect([csv.trim().split("\r\n").length, csv.includes("Only for visitors")]).toEqual([1 + rows.length, false]);
    }
  }
  for (const person of [plain!, uploader!]) expect((await notesOf(person, "STOPPED")).data.worklistNotes).toBeNull();
  expect((await notesOf(viewer!, "STOPPED")).data.worklistNotes!.nodes[0]!.comment).toBe("Only for visitors");
  const entries = bodyOf<Record<string, unknown>[]>(await viewer!.get("/api/v1/worklist/stopped?show=all"));
  expect(entries.some(({ comment }) => comment === "Only for visitors")).toBe(true);
  expect(entries.some(({ contactName }) => contactName !== null)).toBe(true);
});

test("the CSV of each kind has a line for each entry", async () => {
  for (const kind of worklistKinds) {
    const { status, text } = await admin.get(`/api/v1/worklist/${kind}/csv`);
    expect([status, text.trim().split("\r\n").length]).toEqual([200, 1 + (await list(admin, kind)).length]);
  }
});
