import { beforeAll, expect, test } from "vitest";

import { rebuildRollups } from "../../db/derived/recount.ts";
import { fiscalYearOf } from "../../gateway/calendar/fiscal.rules.ts";
import { sampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf } from "../support/gateway.ts";
import { changedBy, mutate, notThere, refusedWith } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cursorNow, settled } from "../support/settled.ts";
import { cookiesOf, formOf, sendForm, tdbxOf } from "../support/tdbx.ts";

/**
 * Visits and TDBs that are held, or that an administrator sets aside: every figure is as if they had never come, and
 * they stay in lists, exports, feed and audit.
 */

let site: { facilityUuid: string; provinceId: number; districtId: number; implementingPartnerId: number };
let assessmentUuid: string;
let tdbUuid: string;

const api = (path: string) => `/api/v1${path}`;
const reason = "A phone number as the number of staff";

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const today = bodyOf<{ today: string }>(await admin.get(api("/system"))).today;
beforeAll(async () => {
  // A site that works, has power and sends.
  const rows = await gateway.sql<typeof site>`
    select facility.facility_uuid, facility.province_id, facility.district_id, facility.implementing_partner_id from facility join facility_state using (facility_uuid)
    where "until" is null and smart_care_functional and power_working and facility.implementing_partner_id is not null and facility.closed_on is null
      and facility.facility_uuid in (select tdb.facility_uuid from tdb) order by facility.facility_uuid limit 1`;
  site = rows[0]!;
});

/** Accepts the visit or the TDB. */
const accept = (noun: "assessment" | "tdb", uuid = noun === "tdb" ? tdbUuid : assessmentUuid) => {
  const [type, key] = noun === "tdb" ? (["Tdb", "uuid"] as const) : (["Assessment", "assessmentUuid"] as const);
  const mutation = `mutation ($input: Accept${type}Input!) { done: accept${type}(input: $input) { changed: ${noun} { held } errors { path message } } }`;
  return mutate<{ held: string | null }>(admin, mutation, { input: { [key]: uuid } });
};

/** Sets the visit or the TDB aside, or restores it. */
const act = (
  noun: "assessment" | "tdb",
  how: "setAside" | "restore",
  { reason: why, uuid = noun === "tdb" ? tdbUuid : assessmentUuid }: { reason: string; uuid?: string },
) => {
  const [type, key] = noun === "tdb" ? (["Tdb", "uuid"] as const) : (["Assessment", "assessmentUuid"] as const);
  const name = how === "setAside" ? `set${type}Aside` : `restore${type}`;
  const mutation = `mutation ($input: Set${type}AsideInput!) { done: ${name}(input: $input) { changed: ${noun} { setAside { at reason userName } } errors { path message } } }`;
  return mutate<{ setAside: object | null }>(admin, mutation, { input: { [key]: uuid, reason: why } });
};

/**
 * The answer to every question of the product that counts visits or TDBs, of the nation, of the site's places and of
 * the site.
 */
async function figures(): Promise<Record<string, unknown>> {
  const { provinceId, districtId, implementingPartnerId, facilityUuid } = site;
  const year = fiscalYearOf(today);
  const start = `${year - 2}-10-01`;
  const ofPlaces = (chart: string, of: string) => [
    `/dash/${chart}/${of}`,
    `/dash/${chart}/province/${provinceId}/${of}`,
    `/dash/${chart}/district/${districtId}/${of}`,
    `/dash/${chart}/ip/${implementingPartnerId}/${of.replace(/\/-1$/, "")}`,
  ];
  const paths = [
    ...["functionalityComparison", "deploymentMode", "libraryVersion", "cpuCore", "osX64"].flatMap((chart) =>
      ofPlaces(chart, `${year}/-1/-1`),
    ),
    ...[
      "/dash/summarySheet",
      `/dash/summarySheet/province/${provinceId}`,
      `/dash/summarySheet/ip/${implementingPartnerId}`,
    ],
    ...["province", "district"].flatMap((level) => [
      `/dash/tdbHistory/${level}/${start}/${today}`,
      `/dash/tdbHistory/${level}/${today}/${today}`,
      `/dash/silentSites/${level}`,
    ]),
    ...["stopped", "lostPower", "silent", "oldVersion", "notVisited"].map((kind) => `/worklist/${kind}?limit=1000`),
    ...[
      `/situation`,
      `/situation?provinceId=${provinceId}`,
      `/dash/attainment/${year}/-1`,
      `/fleet`,
      `/tdb/count/${start}/${today}`,
    ],
    ...[
      `/tdb/province/${provinceId}/${start}/${today}?limit=1000`,
      `/facility/state/${facilityUuid}`,
      `/tdb/silent?limit=1000`,
      `/tdb/silent/facility/${facilityUuid}`,
    ],
    ...["EFirst", "EFast", "ELast", "Partial"].map(
      (mode) => `/facility/mode/${mode}/district/${districtId}?limit=1000`,
    ),
    ...[`/assessment/latest/district/${districtId}`],
  ];
  const found: Record<string, unknown> = {};
  const refused: string[] = [];
  for (const path of paths) {
    const { status, body, text } = await admin.get(api(path));
    if (status !== 200) refused.push(`${path}: ${text}`);
    const { asAt: _now, ...rest } = body as { asAt?: string };
    found[path] = Array.isArray(body) || typeof body === "number" ? body : rest;
  }
  expect(refused).toEqual([]);
  const groups = await admin.graphql(
    `query ($start: Date!, $end: Date!, $uuid: String!) {
      byPlace: facilityGroups(by: [DISTRICT]) { facilities assessed sumSmartCareFunctional sumTrainedStaff clients { mean } }
      stopped: facilities(filter: { latestAssessment: { smartCareFunctional: false } }) { totalCount }
      visited: facilities(sort: LAST_ASSESSED_DESC, first: 100) { nodes { facilityUuid } }
      visits: assessmentGroups(by: [PROVINCE], start: $start, end: $end) { assessments facilities sumTrainedStaff daysBetweenVisits { mean } }
      byUser: assessmentGroups(by: [USER, LIBRARY_VERSION], start: $start, end: $end) { assessments facilities }
      tdbs: tdbGroups(by: [PROVINCE], start: $start, end: $end) { tdbCount totalPatients fileSize daysBetweenTdbs { mean } }
      byWeekday: tdbGroups(by: [WEEKDAY], start: $start, end: $end) { tdbCount totalPatients }
      facility(facilityUuid: $uuid) { functionalityStatusMode latestAssessment { assessmentUuid } latestTdb { uuid } }
      tdbCount(start: $start, end: $end)
    }`,
    { start, end: today, uuid: facilityUuid },
  );
  expect(groups.errors).toBeUndefined();
  return { ...found, graphql: groups.data };
}

const changedPaths = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  Object.keys(before).filter((path) => JSON.stringify(before[path]) !== JSON.stringify(after[path]));

let before: Record<string, unknown>;
let after: Record<string, unknown>;

test("a visit and a TDB with absurd values are held and change no figure; accepted, they do; set aside, they change none; restored, they count again", async () => {
  before = await figures();
  const stored = await admin.call("POST", api("/assessment"), {
    ...visit(
      { facilityUuid: site.facilityUuid, serviceAreas: [], otherArea: 0 },
      { primaryPower: false, primaryPowerWorking: false, smartCareFunctional: false },
    ),
    ...{ functionalityStatusMode: "Partial", libraryVersion: "0.0.1", numberOfStaffTrainedInSmartCare: 10_000 },
  });
  expect([stored.status, stored.text]).toEqual([200, expect.anything()]);
  const visited = bodyOf<{ assessmentUuid: string; held: string }>(stored);
  ({ assessmentUuid } = visited);
  expect(visited.held).toMatch(/^10,000 staff trained, \d+ at the last visit$/);
  expect(stored.headers.get("warning")).toContain("Held until an administrator accepts it: 10,000 staff trained");
  const content = tdbxOf(site.facilityUuid, {
    totalPatients: 20_000_000,
    createdAt: new Date().toISOString(),
    computers: [{ cpuCores: 64, os64Bit: false }],
  });
  const sent = await sendForm(gateway.url, api("/tdb"), admin, formOf([{ name: "absurd.tdbx", content }]));
  expect(sent.status).toBe(200);
  const [receipt] = bodyOf<{ uuid: string; accepted: boolean; held: string }[]>(sent);
  tdbUuid = receipt!.uuid;
  expect(receipt).toMatchObject({ accepted: true, held: expect.stringMatching(/^20,000,000 patients, .* before$/) });
  const held = await figures();
  for (const path of Object.keys(before)) expect(held[path], path).toEqual(before[path]);
  await rebuildRollups(gateway.db);
  const heldAgain = await figures();
  for (const path of Object.keys(before)) expect(heldAgain[path], path).toEqual(before[path]);

  for (const noun of ["assessment", "tdb"] as const)
    expect(await accept(noun)).toEqual({ changed: { held: null }, errors: [] });
  after = await figures();
  // Charts, histories, lists and groups: what is named here would say nothing if it did not see the two.
  expect(changedPaths(before, after).length).toBeGreaterThan(25);

  const set = { setAside: { at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown, reason, userName: "admin" } };
  for (const noun of ["assessment", "tdb"] as const)
    expect(await act(noun, "setAside", { reason })).toEqual({ changed: set, errors: [] });
  const aside = await figures();
  for (const path of Object.keys(before)) expect(aside[path], path).toEqual(before[path]);
  await rebuildRollups(gateway.db);
  const recounted = await figures();
  for (const path of Object.keys(before)) expect(recounted[path], path).toEqual(before[path]);

  for (const noun of ["assessment", "tdb"] as const)
    expect(await act(noun, "restore", { reason: "It was right" })).toEqual({ changed: { setAside: null }, errors: [] });
  const again = await figures();
  for (const path of Object.keys(after)) expect(again[path], path).toEqual(after[path]);
});

test("what is set aside stays, and says so in lists, exports, feed and audit; a filter leaves it out", async () => {
  const kinds = "assessment,tdb";
  const since = await cursorNow(gateway.db, admin, kinds);
  for (const noun of ["assessment", "tdb"] as const) await changedBy(act(noun, "setAside", { reason }));

  type Listed = { uuid: string; setAside: { reason: string; userName: string } | null };
  for (const [path, uuid] of [
    [`/assessment/list/facility/${site.facilityUuid}`, assessmentUuid],
    [`/tdb/facility/${site.facilityUuid}`, tdbUuid],
  ] as const) {
    const listed = async (query: string) => bodyOf<Listed[]>(await admin.get(api(`${path}?limit=1000${query}`)));
    expect((await listed("")).find((row) => row.uuid === uuid)?.setAside, path).toMatchObject({
      reason,
      userName: "admin",
    });
    expect(
      (await listed("&setAside=true")).map((row) => row.uuid),
      path,
    ).toEqual([uuid]);
    expect(
      (await listed("&setAside=false")).some((row) => row.uuid === uuid),
      path,
    ).toBe(false);
    expect((await admin.get(api(`${path}?setAside=perhaps`))).status, path).toBe(422);
  }
  const { data } = await admin.graphql<
    Record<"assessments" | "tdbs", { nodes: { setAside: { reason: string } | null }[]; totalCount: number }>
  >(
    `query ($uuid: String!) {
      assessments(facilityUuid: $uuid, setAside: true) { totalCount nodes { setAside { reason userName } } }
      tdbs(facilityUuid: $uuid, setAside: true) { totalCount nodes { setAside { reason userName } } } }`,
    { uuid: site.facilityUuid },
  );
  const one = { totalCount: 1, nodes: [{ setAside: { reason, userName: "admin" } }] };
  expect(data).toEqual({ assessments: one, tdbs: one });

  const assessments = await admin.get(api(`/assessment/csv/${today}/${today}?facilityUuid=${site.facilityUuid}`));
  const [header, row] = assessments.text.split("\r\n").map((line) => line.split(","));
  expect(row![header!.indexOf("setAside")]).toBe(reason);
  const tdbs = await admin.get(api(`/tdb/meta/list/all/csv/${today}/${today}?facilityUuid=${site.facilityUuid}`));
  expect(
    tdbs.text
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(",").at(-2))
      .slice(0, 2),
  ).toEqual(["Set aside", reason]);

  // Its file is still there.
  const file = await fetch(gateway.url + api(`/tdb/file/${tdbUuid}`), { headers: { cookie: cookiesOf(admin) } });
  expect([file.status, (await file.arrayBuffer()).byteLength > 900]).toEqual([200, true]);

  await settled(gateway.db);
  const { changes } = bodyOf<{ changes: { key: string; record: { setAside: { reason: string } | null } }[] }>(
    await admin.get(api(`/changes?limit=1000&kinds=${kinds}&since=${since}`)),
  );
  const news = changes.map(({ key, record }) => [key, record.setAside?.reason]);
  expect(news.toSorted()).toEqual(
    [
      [assessmentUuid, reason],
      [tdbUuid, reason],
    ].toSorted(),
  );
  const { data: audit } = await admin.graphql<{
    auditEvents: { nodes: { action: string; subjectId: string | null }[] };
  }>("{ auditEvents(first: 50) { nodes { action subjectId } } }");
  for (const [action, uuid] of [
    ["assessment.set-aside", assessmentUuid],
    ["assessment.restore", assessmentUuid],
    ["tdb.set-aside", tdbUuid],
    ["tdb.restore", tdbUuid],
  ])
    expect(audit.auditEvents.nodes, action!).toContainEqual({ action, subjectId: uuid });
});

test("bad input, what is set aside already and unknown records are refused, and nothing is changed", async () => {
  const unknown = "01890000-0000-7000-8000-000000000000";
  for (const noun of ["assessment", "tdb"] as const) {
    for (const wrong of ["", "  ", "x".repeat(513), "\0"]) {
      const { changed, errors } = await act(noun, "restore", { reason: wrong });
      expect([changed, errors.map(({ path }) => path)], wrong.slice(0, 40)).toEqual([null, ["reason"]]);
    }
    expect(await act(noun, "setAside", { reason })).toEqual(refusedWith(/^admin set this (assessment|TDB) aside on /));
    for (const uuid of [unknown, "no-uuid"])
      expect(await act(noun, "setAside", { reason, uuid })).toEqual(
        refusedWith(notThere, noun === "assessment" ? "assessmentUuid" : "uuid"),
      );
    // Two at once: one is done, one is told.
    const both = await Promise.all(["one", "two"].map((text) => act(noun, "restore", { reason: text })));
    expect(both.map(({ errors }) => errors.length).toSorted()).toEqual([0, 1]);
  }
});

test("a visit with an unusual answer is held if a program sends it, and released by a correction; the form's is not", async () => {
  const facility = { ...(await sampleFacility(gateway.db, 3)), serviceAreas: [] };
  const rest = async (method: "POST" | "PATCH", body: object) =>
    bodyOf<{ assessmentUuid: string; version: number; held: string | null }>(
      await admin.call(method, api("/assessment"), body),
    );
  const made = await rest("POST", visit(facility, { numberOfStaffTrainedInSmartCare: 9771 }));
  const { assessmentUuid: uuid } = made;
  expect(made.held).toMatch(/^9,771 staff trained/);

  // It is shown as held, and is not the facility's latest visit.
  const { data } = await admin.graphql<{
    assessments: { nodes: { assessmentUuid: string; held: string }[] };
    tdbs: { totalCount: number };
    situation: object;
    facility: {
      latestAssessment: { assessmentUuid: string };
      timeline: { nodes: { assessmentUuid: string | null; held: string | null }[] };
    };
  }>(
    `query ($uuid: String!) {
      assessments(facilityUuid: $uuid, held: true) { nodes { assessmentUuid held } }
      tdbs(facilityUuid: $uuid, held: true) { totalCount }
      situation { assessmentsNotCounted { held setAside } tdbsNotCounted { held setAside } }
      facility(facilityUuid: $uuid) { latestAssessment { assessmentUuid } timeline(first: 20) { nodes { assessmentUuid held } } } }`,
    { uuid: facility.facilityUuid },
  );
  const shown = { assessmentUuid: uuid, held: made.held };
  expect(data.assessments.nodes).toEqual([shown]);
  expect(data.tdbs.totalCount).toBe(0);
  expect(data.situation).toEqual({
    assessmentsNotCounted: { held: 1, setAside: 0 },
    tdbsNotCounted: { held: 0, setAside: 0 },
  });
  expect(data.facility.latestAssessment.assessmentUuid).not.toBe(uuid);
  expect(data.facility.timeline.nodes).toContainEqual(shown);
  const list = `/assessment/list/facility/${facility.facilityUuid}?limit=1000`;
  const listed = async (query: string) => bodyOf<{ uuid: string }[]>(await admin.get(api(list + query)));
  expect((await listed("&held=true")).map((row) => row.uuid)).toEqual([uuid]);
  expect((await listed("&held=false")).some((row) => row.uuid === uuid)).toBe(false);
  const csv = await admin.get(api(`/assessment/csv/assessment/${uuid}`));
  expect(csv.text).toContain(made.held!.split(",").at(-1)!);

  // Another field leaves it held, and so does another unusual number; a usual one releases it.
  const change = (version: number, answers: object) => rest("PATCH", { assessmentUuid: uuid, version, ...answers });
  expect((await change(1, { otherIssues: "None" })).held).toBe(made.held);
  expect((await change(2, { numberOfStaffTrainedInSmartCare: 9000 })).held).toMatch(/^9,000 staff trained/);
  const released = await change(3, { numberOfStaffTrainedInSmartCare: 8 });
  expect(released).toMatchObject({ version: 4, held: null });
  expect(await accept("assessment", uuid)).toEqual(refusedWith("This assessment is not held."));
  expect(await accept("tdb")).toEqual(refusedWith("This TDB is not held."));
  // A correction by a program can be far from usual too, and what was accepted stays accepted.
  expect((await change(4, { numberOfStaffTrainedInSmartCare: 9771 })).held).toMatch(/^9,771 staff trained/);
  await changedBy(accept("assessment", uuid));
  expect((await change(5, { otherIssues: "Many" })).held).toBeNull();

  // The form has asked the person: GraphQL within a session.
  const { serviceAreaAssessments: _areas, ...values } = visit(facility, { numberOfStaffTrainedInSmartCare: 500 });
  const byForm = await mutate<{ held: string | null }>(
    admin,
    `mutation ($input: CreateAssessmentInput!) { done: createAssessment(input: $input) { changed: assessment { held } errors { path message } } }`,
    { input: values },
  );
  expect(byForm).toEqual({ changed: { held: null }, errors: [] });
});
