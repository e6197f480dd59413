import { randomUUID } from "node:crypto";

import { sql } from "kysely";
import { expect, test } from "vitest";

import { sampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf, errorsOf, type Nodes } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** The time of an assessment is the time of the visit, even if it arrives late. */

const gateway = await gatewayOfFile();
const facility = await sampleFacility(gateway.db);

const minute = 60_000;
const day = 24 * 60 * minute;
/** The instant that lies `span` milliseconds before now. */
const ago = (span: number) => new Date(Date.now() - span).toISOString();
/** Date and time of an instant in Africa/Lusaka, which has no summer time. */
const local = (instant: string) => new Date(Date.parse(instant) + 120 * minute).toISOString();

const call = async (method: string, path: string, body?: unknown) =>
  (await gateway.as("assessor")).call(method, `/api/v1/assessment${path}`, body);
const post = (more: object) => call("POST", "", visit(facility, more));
const create = async (more: object) => {
  const answer = await post(more);
  expect(answer.text).toContain("assessmentUuid");
  return bodyOf(answer);
};

test("a visit of a past day is returned everywhere with its own date and time, and with the time of its receipt", async () => {
  const assessedAt = ago(9 * day);
  const before = Date.now();
  const state = await create({ assessedAt });
  const [assessmentDate, assessmentTime] = [local(assessedAt).slice(0, 10), local(assessedAt).slice(11, 16)];
  expect(state).toMatchObject({ assessedAt, assessmentDate, assessmentTime });
  expect(Date.parse(state.receivedAt)).toBeGreaterThan(before - 1000);
  const { assessmentUuid: uuid, receivedAt } = state;
  const times = { assessmentDate, assessmentTime, assessedAt, receivedAt };
  expect(bodyOf(await call("GET", `/${uuid}`))).toEqual(state);
  expect(
    bodyOf(await call("GET", `/list/facility/${facility.facilityUuid}`)).find(
      (row: { uuid: string }) => row.uuid === uuid,
    ),
  ).toMatchObject(times);

  const assessor = await gateway.as("assessor");
  const query = `query ($uuid: String!) { assessment(assessmentUuid: $uuid) { assessmentDate assessmentTime assessedAt receivedAt receivedDate receivedTime } }`;
  const received = { receivedDate: local(receivedAt).slice(0, 10), receivedTime: local(receivedAt).slice(11, 16) };
  expect((await assessor.graphql(query, { uuid })).data.assessment).toEqual({ ...times, ...received });

  const { text: csv } = await call("GET", `/csv/${assessmentDate}/${assessmentDate}`);
  const [header, ...lines] = csv.trim().split("\r\n");
  const names = header!.replace(/^\uFEFF/, "").split(",");
  expect(names.slice(names.indexOf("version"), names.indexOf("version") + 3)).toEqual([
    "version",
    "assessedAt",
    "receivedAt",
  ]);
  expect(lines.find((line) => line.startsWith(uuid))).toContain(`,1,${assessedAt},${receivedAt},`);
});

test("a visit without a time gets the time of its receipt", async () => {
  const state = await create({ assessedAt: null });
  expect(state.assessedAt).toBe(state.receivedAt);
  expect(Math.abs(Date.parse(state.assessedAt) - Date.now())).toBeLessThan(minute);
});

test.each<[string, () => string]>([
  ["almost 60 days ago", () => ago(60 * day - minute)],
  ["4 minutes ahead", () => ago(-4 * minute)],
  ["in another time zone", () => ago(3 * day).replace("Z", "+05:30")],
  ["without fractions of a second", () => ago(3 * day).replace(/\.\d+Z/, "Z")],
])("a time %s is accepted", async (_, time) => {
  const assessedAt = time();
  expect(Date.parse((await create({ assessedAt })).assessedAt)).toBe(Date.parse(assessedAt));
});

const outOfLimits = (assessedAt: string) =>
  new RegExp(
    `^cannot be ${local(assessedAt).slice(0, 16).replace("T", " ")}: a visit is accepted from 60 days back .\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d. to 5 minutes ahead of the server's clock`,
  );
const noInstant = () => /^must be an instant with its zone/;
test.each<[string, () => string, (assessedAt: string) => RegExp]>([
  ["60 days and a minute ago", () => ago(60 * day + minute), outOfLimits],
  ["three years ago", () => ago(3 * 365 * day), outOfLimits],
  ["6 minutes ahead", () => ago(-6 * minute), outOfLimits],
  ["three years ahead", () => ago(-3 * 365 * day), outOfLimits],
  ["a time without a zone", () => ago(day).replace("Z", ""), noInstant],
  ["a date without a time", () => ago(day).slice(0, 10), noInstant],
  ["a day that does not exist", () => "2026-02-30T08:00:00Z", noInstant],
  ["the year 0", () => "0000-01-01T00:00:00Z", () => /from 1900 on/],
])(
  "%s as the time of a visit is refused with its field, by REST and GraphQL, and nothing is stored",
  async (_, time, message) => {
    const [assessmentUuid, assessedAt] = [randomUUID(), time()];
    const answer = await post({ assessmentUuid, assessedAt });
    expect(answer.status).toBe(422);
    const errors = [{ path: "assessedAt", message: expect.stringMatching(message(assessedAt)) as string }];
    expect(errorsOf(answer)).toEqual(errors);
    const mutation = `mutation ($input: CreateAssessmentInput!) { createAssessment(input: $input) { assessment { id } errors { path message } } }`;
    const { createAssessment } = (
      await (await gateway.as("assessor")).graphql(mutation, { input: visit(facility, { assessmentUuid, assessedAt }) })
    ).data;
    expect(createAssessment).toEqual({ assessment: null, errors });
    expect((await call("GET", `/${assessmentUuid}`)).status).toBe(404);
  },
);

test("a repeated visit returns the stored one, also long afterwards; with another time it returns 409", async () => {
  const [assessmentUuid, assessedAt] = [randomUUID(), ago(5 * day)];
  const state = await create({ assessmentUuid, assessedAt });
  expect(await create({ assessmentUuid, assessedAt })).toEqual(state);
  expect(await create({ assessmentUuid, assessedAt: assessedAt.replace("Z", "+00:00") })).toEqual(state);
  expect(await create({ assessmentUuid })).toEqual(state);
  const other = await post({ assessmentUuid, assessedAt: ago(4 * day) });
  expect([other.status, bodyOf(other).present]).toEqual([409, state]);
  await gateway.sql`update assessment set assessed_at = assessed_at - interval '100 days', received_at = received_at - interval '100 days'
    where assessment_uuid = ${assessmentUuid}`;
  const late = new Date(Date.parse(assessedAt) - 100 * day).toISOString();
  expect((await post({ assessmentUuid, assessedAt: late })).status).toBe(200);
});

test("the date of the last upgrade must not be after the day of the visit", async () => {
  const assessedAt = ago(5 * day);
  const [visited, next] = [local(assessedAt).slice(0, 10), local(ago(4 * day)).slice(0, 10)];
  const refused = { path: "dateOfLastUpgrade", message: `must not be after the day of the visit, ${visited}` };
  expect(errorsOf(await post({ assessedAt, dateOfLastUpgrade: next }))).toEqual([refused]);
  expect(errorsOf(await post({ assessedAt, dateOfLastUpgrade: "2999-01-01" }))).toEqual([
    { ...refused, message: "must not be in the future" },
  ]);
  const { assessmentUuid, version } = await create({ assessedAt, dateOfLastUpgrade: visited });
  expect(errorsOf(await call("PATCH", "", { assessmentUuid, version, dateOfLastUpgrade: next }))).toEqual([refused]);
});

test("lists and the facility's mode follow the time of the visit, not of the receipt, and lists are paged by cursor", async () => {
  const there = await sampleFacility(gateway.db, 3);
  const { facilityUuid } = there;
  const visits = [
    [3, "EFast"],
    [41, "ELast"],
    [0, "Partial"],
    [17, "NotDeployed"],
    [8, "EFirst"],
  ] as const;
  for (const [days, functionalityStatusMode] of visits)
    expect(
      (await call("POST", "", visit(there, { assessedAt: ago(days * day + minute), functionalityStatusMode }))).status,
    ).toBe(200);
  type Visit = { assessedAt: string };
  const list = bodyOf<Visit[]>(await call("GET", `/list/facility/${facilityUuid}`)).map((row) => row.assessedAt);
  expect(list).toEqual(list.toSorted().toReversed());
  const query = `query ($id: String!, $sort: AssessmentSort, $after: String) { assessments(facilityUuid: $id, sort: $sort, first: 2, after: $after) {
    nodes { assessedAt } pageInfo { hasNextPage endCursor } } }`;
  type Page = Nodes<Visit> & { pageInfo: { hasNextPage: boolean; endCursor: string | null } };
  const assessor = await gateway.as("assessor");
  for (const [sort, expected] of [
    ["NEWEST", list],
    ["OLDEST", list.toReversed()],
  ] as const) {
    const read: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const { nodes, pageInfo }: Page = (
        await assessor.graphql<{ assessments: Page }>(query, { id: facilityUuid, sort, after })
      ).data.assessments;
      read.push(...nodes.map((row) => row.assessedAt));
      [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
    }
    expect(read).toEqual(expected);
  }
  const present = await sql<{ mode: string }>`
    select functionality_status_mode as mode from facility where facility_uuid = ${facilityUuid}`.execute(gateway.db);
  expect(present.rows[0]!.mode).toBe("Partial");
});

test("a visit after its facility was closed is stored with a warning by REST and GraphQL, also if it is sent again", async () => {
  const admin = await gateway.as("admin");
  const assessor = await gateway.as("assessor");
  const made = bodyOf(await admin.call("POST", "/api/v1/facility", { facilityName: "Chäma Closed", districtId: 1 }));
  const site = { facilityUuid: made.facilityUuid as string, serviceAreas: [], otherArea: 0 };
  const closedOn = local(ago(5 * day)).slice(0, 10);
  expect(
    (await admin.call("POST", `/api/v1/facility/${site.facilityUuid}/close`, { closedOn, reason: "Flooded" })).status,
  ).toBe(200);
  const words = (name: string, visited: string) =>
    `${name} is closed since ${closedOn}, before this visit on ${visited}. The visit is recorded. If the facility is open, have it opened again in the registry`;
  const late = visit(site, { assessmentUuid: randomUUID(), assessedAt: ago(3 * day) });
  const visited = local(late.assessedAt).slice(0, 10);
  for (let sent = 0; sent < 2; sent += 1) {
    const answer = await assessor.call("POST", "/api/v1/assessment", late);
    expect([answer.status, answer.headers.get("warning")]).toEqual([200, `299 - "${words("Ch?ma Closed", visited)}"`]);
  }
  // Both warnings, if it is held too.
  const many = visit(site, { assessedAt: ago(4 * day), numberOfStaffTrainedInSmartCare: 900 });
  const both = (await assessor.call("POST", "/api/v1/assessment", many)).headers.get("warning");
  expect(both?.split(/, (?=299)/)).toEqual([
    `299 - "${words("Ch?ma Closed", local(many.assessedAt).slice(0, 10))}"`,
    '299 - "Held until an administrator accepts it: 900 staff trained."',
  ]);
  const mutation =
    "mutation ($input: CreateAssessmentInput!) { createAssessment(input: $input) { assessment { assessmentDate } warnings { path message } errors { path message } } }";
  const create = async (more: object) =>
    (await assessor.graphql(mutation, { input: visit(site, more) })).data.createAssessment;
  const twoDaysAgo = ago(2 * day);
  const secondDay = local(twoDaysAgo).slice(0, 10);
  expect(await create({ assessedAt: twoDaysAgo })).toEqual({
    assessment: { assessmentDate: secondDay },
    warnings: [{ path: "assessedAt", message: words("Chäma Closed", secondDay) }],
    errors: [],
  });
  // There is no warning for the closing day and earlier days.
  for (const assessedAt of [ago(5 * day), ago(6 * day)]) {
    expect(await create({ assessedAt })).toMatchObject({ warnings: [], errors: [] });
    expect(
      (await assessor.call("POST", "/api/v1/assessment", visit(site, { assessedAt }))).headers.get("warning"),
    ).toBeNull();
  }
  const events = await sql<{ closed: string | null }>`
    select details ->> 'closedOn' as closed from audit_event where action = 'assessment.create' and facility_uuid = ${site.facilityUuid} order by 1 nulls last`.execute(
    gateway.db,
  );
  expect(events.rows.map(({ closed }) => closed)).toEqual([closedOn, closedOn, closedOn, null, null, null, null]);
  // The registry still refuses a closing day before the last visit.
  const again = await admin.call("POST", `/api/v1/facility/${site.facilityUuid}/close`, {
    closedOn,
    reason: "Flooded",
  });
  expect([again.status, errorsOf(again)]).toEqual([
    422,
    [{ path: "closedOn", message: `is before the last visit, on ${secondDay}` }],
  ]);
});
