import { randomUUID } from "node:crypto";

import { expect, test } from "vitest";

import { sampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

const base = "/api/v1/assessment";

const gateway = await gatewayOfFile();
const facility = await sampleFacility(gateway.db);
const other = await sampleFacility(gateway.db, 1);

const post = async (body: object, login = "assessor") => (await gateway.as(login)).call("POST", base, body);
const patch = async (body: object, login = "assessor") => (await gateway.as(login)).call("PATCH", base, body);
const get = async (path: string, login = "assessor") => (await gateway.as(login)).get(base + path);
type State = Record<
  "assessmentUuid" | "userUuid" | "assessmentDate" | "assessmentTime" | "assessedAt" | "receivedAt",
  string
> & { serviceAreaAssessments: { serviceAreaId: number }[] };
const create = async (more: object = {}, of = facility): Promise<State> => {
  const answer = await post(visit(of, { ...more }));
  expect(answer.text).toContain("assessmentUuid");
  expect(answer.status).toBe(200);
  return bodyOf<State>(answer);
};
const counts = async () =>
  (
    await gateway.sql<{ a: number; r: number; e: number }>`select (select count(*) from assessment) as a,
    (select count(*) from assessment_revision) as r, (select count(*) from audit_event where action like 'assessment.%') as e`
  )[0]!;

test("a visit is stored completely, with its author, its time and its service areas", async () => {
  const state = await create({ assessmentUuid: "0190A1B2-0000-7000-8000-00000000ABCD" });
  expect(state).toMatchObject({
    assessmentUuid: "0190a1b2-0000-7000-8000-00000000abcd",
    facilityUuid: facility.facilityUuid,
    userName: "assessor",
    version: 1,
    primaryPowerWorking: true,
    libraryVersionConsistent: null,
    contactBName: null,
    numberOfStaffTrainedInSmartCare: 7,
    latitude: -15.4167,
  });
  const rows = await gateway.sql<{ today: string; now: string }>`
    select current_date::text as today, to_char(now(), 'HH24:MI') as now`;
  expect(state.assessmentDate).toBe(rows[0]!.today);
  expect(state.assessmentTime).toMatch(/^\d\d:\d\d$/);
  expect(state.serviceAreaAssessments).toEqual(
    facility.serviceAreas.map((serviceAreaId) => ({
      serviceAreaId,
      libraryVersion: null,
      databaseVersion: null,
      smartCareFunctional: true,
      additionalNotes: null,
    })),
  );
  expect((await get(`/${state.assessmentUuid}`)).body).toEqual(state);
  const listed = bodyOf(await get(`/list/facility/${facility.facilityUuid}`));
  expect(listed[0]).toEqual({
    uuid: state.assessmentUuid,
    facilityUuid: facility.facilityUuid,
    assessmentDate: state.assessmentDate,
    assessmentTime: state.assessmentTime,
    assessedAt: state.assessedAt,
    receivedAt: state.receivedAt,
    userName: "assessor",
    setAside: null,
    held: null,
  });
});

test("the template has every key, with the facility, the caller and the service areas, and can be completed and sent", async () => {
  const template = bodyOf<State>(await get(`/facility/${facility.facilityUuid}`));
  const state = await create();
  expect(Object.keys(template).toSorted()).toEqual(Object.keys(state).toSorted());
  expect(template).toMatchObject({
    assessmentUuid: null,
    facilityUuid: facility.facilityUuid,
    userUuid: state.userUuid,
    version: null,
    functionalityStatusMode: null,
  });
  expect(template.serviceAreaAssessments.map((area) => area.serviceAreaId).toSorted()).toEqual(
    facility.serviceAreas.toSorted(),
  );
  const answer = await post({
    ...template,
    functionalityStatusMode: "Partial",
    dateOfLastUpgrade: "1900-01-01",
    numberOfStaffTrainedInSmartCare: 0,
  });
  expect(answer.status).toBe(200);
  expect((await get("/facility/nowhere")).status).toBe(404);
  expect((await get(`/facility/${facility.facilityUuid}`, "viewer")).status).toBe(403);
});

test("a repeated visit is stored once and returns the stored one, also after an edit; other content returns 409", async () => {
  const body = visit(facility, { assessmentUuid: randomUUID() });
  const [first, second] = await Promise.all([post(body), post(body)]);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body).toEqual(first.body);
  const before = await counts();
  expect((await post({ ...body, primaryPowerNotes: "  National grid " })).body).toEqual(first.body);
  const changed = await patch({ assessmentUuid: body.assessmentUuid, version: 1, numberOfStaffTrainedInSmartCare: 9 });
  expect((await post(body)).body).toEqual(changed.body);
  expect((await counts()).a).toBe(before.a);

  for (const [different, login] of [
    [{ ...body, numberOfStaffTrainedInSmartCare: 8 }, "assessor"],
    [{ ...body, serviceAreaAssessments: [] }, "assessor"],
    [{ ...body, facilityUuid: other.facilityUuid, serviceAreaAssessments: [] }, "assessor"],
    [body, "admin"],
  ] as const) {
    const answer = await post(different, login);
    expect(answer.status).toBe(409);
    expect(bodyOf(answer).present).toEqual(changed.body);
  }
  expect((await counts()).a).toBe(before.a);
});

test("a GET answer can be sent back by PATCH and changes nothing; author, facility and time cannot be changed", async () => {
  const position = { positionAccuracy: 12, positionAt: new Date(Date.now() - 3_600_000).toISOString() };
  const state = await create({ assessedAt: new Date(Date.now() - 7_200_000).toISOString(), ...position });
  const before = await counts();
  const answer = await patch(state);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(state);
  expect(await counts()).toEqual(before);
  for (const changed of [
    { userUuid: randomUUID() },
    { userName: "admin" },
    { facilityUuid: other.facilityUuid },
    { assessmentDate: "2020-01-01" },
    { assessmentTime: "00:01" },
    { assessedAt: "2026-01-01T08:00:00Z" },
    { receivedAt: "2026-01-01T08:00:00Z" },
  ]) {
    const answer = await patch({ ...state, ...changed });
    expect(answer.status).toBe(422);
    expect(errorsOf(answer)).toEqual([{ path: Object.keys(changed)[0], message: "cannot be changed" }]);
  }
});

test("an edit changes only the given fields, increases the version, and records who changed what", async () => {
  const state = await create();
  const area = facility.serviceAreas[0]!;
  const answer = await patch(
    {
      assessmentUuid: state.assessmentUuid,
      version: 1,
      functionalityStatusMode: "ELast",
      closingComments: null,
      serviceAreaAssessments: [{ serviceAreaId: area, additionalNotes: "Moved" }],
    },
    "admin",
  );
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    ...state,
    version: 2,
    functionalityStatusMode: "ELast",
    closingComments: null,
    serviceAreaAssessments: state.serviceAreaAssessments.map((entry) =>
      entry.serviceAreaId === area ? { ...entry, additionalNotes: "Moved" } : entry,
    ),
  });
  const revisions = bodyOf<{ changes: { field: string }[] }[]>(
    await get(`/revisions/${state.assessmentUuid}`, "viewer"),
  );
  expect(revisions).toMatchObject([{ version: 2, userName: "admin", revisionDate: state.assessmentDate }]);
  expect(revisions[0]!.changes.toSorted((a, b) => (a.field < b.field ? -1 : 1))).toEqual([
    { field: "closingComments", from: "Seen by the test", to: null },
    { field: "functionalityStatusMode", from: "EFirst", to: "ELast" },
    { field: `serviceAreaAssessments.${area}.additionalNotes`, from: null, to: "Moved" },
  ]);
  const rows = await gateway.sql<{
    action: string;
    details: { changes: object[] };
  }>`select action, details from audit_event where subject_id = ${state.assessmentUuid} order by audit_event_id`;
  expect(rows.map(({ action }) => action)).toEqual(["assessment.create", "assessment.update"]);
  expect(rows[1]!.details.changes).toContainEqual({ field: "functionalityStatusMode", from: "EFirst", to: "ELast" });
});

test("if two people change the same version, the second gets 409 with the current record", async () => {
  const state = await create();
  const key = { assessmentUuid: state.assessmentUuid, version: 1 };
  const answers = await Promise.all(["One", "Two"].map((otherIssues) => patch({ ...key, otherIssues })));
  const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
  expect([won!.status, lost!.status]).toEqual([200, 409]);
  expect(bodyOf(lost!).present).toEqual(won!.body);
  expect(bodyOf(lost!).detail).toBe("Somebody has changed this assessment meanwhile.");
  expect(lost!.headers.get("content-type")).toContain("application/problem+json");
  expect((await get(`/${state.assessmentUuid}`)).body).toEqual(won!.body);
  const query = `mutation ($input: UpdateAssessmentInput!) { updateAssessment(input: $input) { assessment { otherIssues version } errors { path message } } }`;
  const { data } = await (await gateway.as("assessor")).graphql(query, { input: { ...key, otherIssues: "Three" } });
  expect(data.updateAssessment).toEqual({
    assessment: { otherIssues: bodyOf(won!).otherIssues, version: 2 },
    errors: [{ path: "version", message: "Somebody has changed this assessment meanwhile." }],
  });
});

test("power that is absent is stored as not working, and power that nobody mentioned as unknown", async () => {
  const created = await create({
    primaryPower: null,
    primaryPowerWorking: true,
    backupPower: false,
    backupPowerWorking: true,
  });
  expect(created).toMatchObject({ primaryPower: null, primaryPowerWorking: null, backupPowerWorking: false });
  const state = await create({ backupPower: true, backupPowerWorking: true });
  const answer = await patch({
    assessmentUuid: state.assessmentUuid,
    version: 1,
    primaryPower: false,
    backupPower: false,
  });
  expect(answer.body).toMatchObject({
    primaryPower: false,
    primaryPowerWorking: false,
    backupPower: false,
    backupPowerWorking: false,
    version: 2,
  });
});

test.each<[string, (body: ReturnType<typeof visit>) => object, string]>([
  ["an unknown facility", (body) => ({ ...body, facilityUuid: "nowhere" }), "facilityUuid"],
  ["another author", (body) => ({ ...body, userUuid: randomUUID() }), "userUuid"],
  ["a given assessment date", (body) => ({ ...body, assessmentDate: "2024-01-01" }), "assessmentDate"],
  [
    "a service area that the facility does not have",
    (body) => ({ ...body, serviceAreaAssessments: [{ serviceAreaId: facility.otherArea }] }),
    "serviceAreaAssessments.0.serviceAreaId",
  ],
  [
    "an unknown service area",
    (body) => ({ ...body, serviceAreaAssessments: [{ serviceAreaId: 999999 }] }),
    "serviceAreaAssessments.0.serviceAreaId",
  ],
  [
    "a service area twice",
    (body) => ({ ...body, serviceAreaAssessments: [body.serviceAreaAssessments[0], body.serviceAreaAssessments[0]] }),
    "serviceAreaAssessments.1.serviceAreaId",
  ],
  ["a latitude alone", (body) => ({ ...body, longitude: null }), "longitude"],
  ["a latitude out of range", (body) => ({ ...body, latitude: 90.01 }), "latitude"],
  ["a date that does not exist", (body) => ({ ...body, dateOfLastUpgrade: "2024-02-30" }), "dateOfLastUpgrade"],
  ["an upgrade in the future", (body) => ({ ...body, dateOfLastUpgrade: "2999-01-01" }), "dateOfLastUpgrade"],
  ["a NUL character", (body) => ({ ...body, otherIssues: "a\0b" }), "otherIssues"],
  ["ten thousand characters", (body) => ({ ...body, contactAName: "x".repeat(10_000) }), "contactAName"],
  ["an unknown key", (body) => ({ ...body, mood: "good" }), "mood"],
])("%s is refused with its path, and nothing is stored", async (_, change, path) => {
  const before = await counts();
  const answer = await post(change(visit(facility)));
  expect(answer.status).toBe(422);
  expect(errorsOf(answer).map((error) => error.path)).toEqual([path]);
  expect(await counts()).toEqual(before);
});

test("an edit that names no version changes the present state, as the specification's assessment has none", async () => {
  const { assessmentUuid } = await create({ closingComments: "first" });
  const edit = (closingComments: string) => patch({ assessmentUuid, closingComments });
  expect(await edit("second")).toMatchObject({ status: 200, body: { version: 2, closingComments: "second" } });
  expect(await edit("third")).toMatchObject({ status: 200, body: { version: 3, closingComments: "third" } });
  expect((await patch({ assessmentUuid, version: 2, closingComments: "late" })).status).toBe(409);
});

test("an edit is refused for missing service area entries, and for an unknown assessment", async () => {
  const state = await create({ serviceAreaAssessments: [] });
  const area = { serviceAreaAssessments: [{ serviceAreaId: facility.serviceAreas[0] }] };
  expect(
    errorsOf(await patch({ assessmentUuid: state.assessmentUuid, version: 1, ...area })).map(({ path }) => path),
  ).toEqual(["serviceAreaAssessments.0.serviceAreaId"]);
  expect((await patch({ assessmentUuid: randomUUID(), version: 1 })).status).toBe(404);
  expect((await get(`/${randomUUID()}`)).status).toBe(404);
  expect((await get("/not-a-uuid")).status).toBe(404);
});

test("a phone number that was copied with invisible marks is stored without them, and counts as it is read", async () => {
  const copied = "\u202A+260 971 234567\u202C";
  expect(await create({ contactAPrimaryPhone: copied })).toMatchObject({ contactAPrimaryPhone: "+260 971 234567" });
  expect((await post(visit(facility, { contactAPrimaryPhone: `${copied}0` }))).status).toBe(422);
});

test("an assessment's author is returned as a user only to people who may see that user", async () => {
  const { assessmentUuid } = await create();
  await patch({ assessmentUuid, version: 1, otherIssues: "By the administrator" }, "admin");
  const query = `query ($id: String!) { assessment(assessmentUuid: $id) { userName user { userName primaryEmail } revisions { userName user { userName } } } }`;
  const assessmentFor = async (login: string) =>
    (await (await gateway.as(login)).graphql(query, { id: assessmentUuid })).data.assessment;
  const assessor = await assessmentFor("assessor");
  expect(assessor).toMatchObject({
    userName: "assessor",
    user: { userName: "assessor" },
    revisions: [{ userName: "admin", user: null }],
  });
  expect(assessor.user.primaryEmail).toContain("@");
  expect(await assessmentFor("viewer")).toEqual({
    userName: "assessor",
    user: null,
    revisions: [{ userName: "admin", user: null }],
  });
  expect(await assessmentFor("admin")).toMatchObject({
    user: { userName: "assessor" },
    revisions: [{ user: { userName: "admin" } }],
  });
});

test("one assessment and the assessments of a period are exported as CSV, without formulas", async () => {
  const state = await create({
    otherIssues: "=1+1",
    closingComments: '<b>"no"</b>, 😀',
    contactAPrimaryPhone: "+260971",
  });
  const one = await get(`/csv/assessment/${state.assessmentUuid}`, "viewer");
  expect(one.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(one.headers.get("content-disposition")).toContain(`assessment-${state.assessmentUuid}.csv`);
  const lines = one.text.replace(/^\uFEFF/, "").split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^assessmentUuid,assessmentDate,assessmentTime,userName,facilityUuid,facilityName/);
  expect(lines[1]).toContain(`,'=1+1,"<b>""no""</b>, 😀",`);
  expect(lines[1]).toContain(",'+260971,");
  expect(lines[1]).toContain(",7,-15.4167,28.2833,,,1,");
  const period = await get("/csv/2020-01-01/2998-01-01", "viewer");
  const total = (await counts()).a;
  expect(period.text.split("\r\n")).toHaveLength(total + 2);
  const rows = await gateway.sql<{ provinceId: number; total: number }>`
    select province_id, count(*) as total from assessment join facility using (facility_uuid) group by 1 order by 1 limit 1`;
  const narrowed = await get(`/csv/2020-01-01/2998-01-01?provinceId=${rows[0]!.provinceId}`, "viewer");
  expect(narrowed.text.split("\r\n")).toHaveLength(rows[0]!.total + 2);
  expect((await get("/csv/2020-01-01/2998-01-01?provinceId=999", "viewer")).status).toBe(404);
  expect((await get("/csv/2020-01-01/2998-01-01?page=1", "viewer")).status).toBe(422);
});
