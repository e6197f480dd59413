import { randomUUID } from "node:crypto";

import { expect, test } from "vitest";

import { sampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** The position of a visit is stored with its accuracy and its instant, and stays as it was stored first. */

const gateway = await gatewayOfFile();
const facility = await sampleFacility(gateway.db);

type State = {
  assessmentUuid: string;
  version: number;
  latitude: number | null;
  positionAccuracy: number | null;
  positionAt: string | null;
};
const call = async (method: string, path: string, body?: unknown) =>
  (await gateway.as("assessor")).call(method, `/api/v1/assessment${path}`, body);
const create = async (more: object) => {
  const answer = await call("POST", "", visit(facility, more));
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("assessmentUuid")]);
  return bodyOf<State>(answer);
};
const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
const nowhere = { latitude: null, longitude: null };

test("accuracy and instant are the same by REST, GraphQL and CSV, and a repeated visit is stored once", async () => {
  const positionAt = anHourAgo();
  const position = { latitude: -13.5, longitude: 28.25, positionAccuracy: 12.5, positionAt };
  const assessmentUuid = randomUUID();
  const state = await create({ assessmentUuid, ...position });
  expect(state).toMatchObject(position);
  // With another zone it is the same instant.
  const again = new Date(Date.parse(positionAt) + 7_200_000).toISOString().replace("Z", "+02:00");
  expect(await create({ assessmentUuid, ...position, positionAt: again })).toEqual(state);
  expect(bodyOf(await call("GET", `/${assessmentUuid}`))).toEqual(state);

  const query = `query ($assessmentUuid: String!) { assessment(assessmentUuid: $assessmentUuid) { latitude longitude positionAccuracy positionAt } }`;
  const { data } = await (await gateway.as("viewer")).graphql<{ assessment: object }>(query, { assessmentUuid });
  expect(data.assessment).toEqual(position);

  const { text: csv } = await call("GET", `/csv/assessment/${assessmentUuid}`);
  const [names, cells] = csv
    .replace(/^\uFEFF/, "")
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
  const first = names!.indexOf("latitude");
  expect(names!.slice(first, first + 4)).toEqual(["latitude", "longitude", "positionAccuracy", "positionAt"]);
  expect(cells!.slice(first, first + 4)).toEqual(["-13.5", "28.25", "12.5", positionAt]);
});

test.each([
  ["another latitude", { latitude: -13.5 }, ["latitude"]],
  ["another place", { latitude: -13.5, longitude: 28.25 }, ["latitude", "longitude"]],
  ["no position", nowhere, ["latitude", "longitude"]],
  ["another accuracy", { positionAccuracy: 4 }, ["positionAccuracy"]],
  ["another instant", { positionAt: "2026-01-01T10:00:00Z" }, ["positionAt"]],
])("a correction with %s is refused by REST and GraphQL, and nothing changes", async (_, change, paths) => {
  const state = await create({ positionAccuracy: 12, positionAt: anHourAgo() });
  const key = { assessmentUuid: state.assessmentUuid, version: 1 };
  const answer = await call("PATCH", "", { ...key, ...change, otherIssues: "Corrected" });
  expect(answer.status).toBe(422);
  const message = "cannot be changed: the position belongs to the time of the visit";
  expect(errorsOf(answer)).toEqual(paths.map((path) => ({ path, message })));
  const mutation = `mutation ($input: UpdateAssessmentInput!) { updateAssessment(input: $input) { errors { path message } } }`;
  const { data } = await (
    await gateway.as("assessor")
  ).graphql<{ updateAssessment: { errors: object[] } }>(mutation, { input: { ...key, ...change } });
  expect(data.updateAssessment.errors).toEqual(paths.map((path) => ({ path, message })));
  expect(bodyOf(await call("GET", `/${state.assessmentUuid}`))).toEqual(state);
});

test("a visit without a position may get one, as a whole", async () => {
  const { assessmentUuid } = await create(nowhere);
  const key = { assessmentUuid, version: 1 };
  expect(errorsOf(await call("PATCH", "", { ...key, latitude: -13.5 })).map(({ path }) => path)).toEqual(["longitude"]);
  expect(errorsOf(await call("PATCH", "", { ...key, positionAccuracy: 5 })).map(({ path }) => path)).toEqual([
    "positionAccuracy",
  ]);
  const undated = { latitude: -13.5, longitude: 28.25, positionAccuracy: 30 };
  for (const place of [undated, { ...undated, positionAt: null }])
    expect(errorsOf(await call("PATCH", "", { ...key, ...place })).map(({ path }) => path)).toEqual(["positionAt"]);
  const position = { latitude: -13.5, longitude: 28.25, positionAccuracy: 30, positionAt: anHourAgo() };
  expect(bodyOf<State>(await call("PATCH", "", { ...key, ...position }))).toMatchObject({ ...position, version: 2 });
});

test("a position that was found far from the visit in time is refused, also later", async () => {
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const tooFar = [{ path: "positionAt", message: expect.stringContaining("must not be more than 24 hours from") }];
  for (const [assessedAt, positionAt] of [
    [ago(1), ago(72)],
    [ago(72), ago(1)],
  ]) {
    const answer = await call("POST", "", visit(facility, { assessedAt, positionAt }));
    expect([answer.status, errorsOf(answer)]).toEqual([422, tooFar]);
  }
  await create({ assessedAt: ago(72), positionAt: ago(80) });
  const { assessmentUuid } = await create({ ...nowhere, assessedAt: ago(72) });
  const late = await call("PATCH", "", {
    ...{ assessmentUuid, version: 1, latitude: -13.5, longitude: 28.25 },
    positionAt: ago(1),
  });
  expect([late.status, errorsOf(late)]).toEqual([422, tooFar]);
});

test("a position of the future is refused", async () => {
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  expect((await call("POST", "", visit(facility, { positionAt: later(3) }))).status).toBe(200);
  const answer = await call("POST", "", visit(facility, { positionAt: later(8) }));
  expect(answer.status).toBe(422);
  expect(errorsOf(answer)).toEqual([
    { path: "positionAt", message: expect.stringContaining("must not be more than 5 minutes ahead") },
  ]);
});
