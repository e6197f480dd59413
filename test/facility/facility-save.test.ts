import { expect, test } from "vitest";

import { sampleFacility } from "../support/assessment-data.ts";
import { type Answer, bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

const connectivityPath = "/api/v1/facilityConnectivity";

const gateway = await gatewayOfFile();
const facility = await sampleFacility(gateway.db);
const assessor = await gateway.as("assessor");
const settingsPath = `/api/v1/facility/settings/${facility.facilityUuid}`;

const pathsOf = (answer: Answer) => errorsOf(answer).map(({ path }) => path);
const audited = async () =>
  await gateway.sql<{
    action: string;
    details: { old: Record<string, unknown>; new: Record<string, unknown> };
  }>`select action, details from audit_event where action like 'facility.%' order by audit_event_id desc`;

test("only the settings that are sent change; the answer is the new state, and the audit has the old and the new one", async () => {
  const old = bodyOf(await assessor.get(settingsPath));
  const serviceAreas = [facility.otherArea, facility.serviceAreas[0]!].toSorted();
  const answer = await assessor.call("PATCH", settingsPath, { serviceAreas });
  expect(answer.status).toBe(200);
  expect(bodyOf(answer).serviceAreas.toSorted()).toEqual(serviceAreas);
  expect(bodyOf(answer).implementingPartnerId).toBe(old.implementingPartnerId);
  expect((await assessor.get(settingsPath)).body).toEqual(answer.body);
  expect((await audited())[0]).toEqual({ action: "facility.settings", details: { old, new: answer.body } });
  const back = await assessor.call("PATCH", settingsPath, old);
  expect(back.body).toEqual(old);
  expect((await assessor.call("PATCH", settingsPath, { implementingPartnerId: null })).body).toEqual({
    ...old,
    implementingPartnerId: null,
  });
  await assessor.call("PATCH", settingsPath, old);
});

test.each([
  [{ implementingPartnerId: 9999 }, ["implementingPartnerId"]],
  [{ serviceAreas: [9999] }, ["serviceAreas.0"]],
  [{ serviceAreas: [1, 1] }, ["serviceAreas"]],
  [{ colour: "blue" }, ["colour"]],
])("settings %j are refused", async (body, paths) => {
  const before = (await assessor.get(settingsPath)).body;
  const answer = await assessor.call("PATCH", settingsPath, body);
  expect([answer.status, pathsOf(answer)]).toEqual([422, paths]);
  expect((await assessor.get(settingsPath)).body).toEqual(before);
});

test("connectivity is replaced; fields that depend on an absent connection or coverage are cleared", async () => {
  const { facilityUuid } = facility;
  const [type] = bodyOf<{ id: number }[]>(await assessor.get("/api/v1/connectivityType"));
  const [provider] = bodyOf<{ id: number }[]>(await assessor.get("/api/v1/connectivityProvider"));
  const complete = {
    facilityUuid,
    present: true,
    type: type!.id,
    details: "x".repeat(256),
    mobileCoverage: true,
    mobileProvider: provider!.id,
  };
  const answer = await assessor.call("PUT", connectivityPath, complete);
  expect([answer.status, answer.body]).toEqual([200, complete]);
  expect((await assessor.get(`${connectivityPath}/${facilityUuid}`)).body).toEqual(complete);
  const cleared = await assessor.call("PUT", connectivityPath, { ...complete, present: false, mobileCoverage: null });
  const empty = { facilityUuid, present: false, type: null, details: null, mobileCoverage: null, mobileProvider: null };
  expect([cleared.status, cleared.body]).toEqual([200, empty]);
  expect((await audited())[0]).toEqual({ action: "facility.connectivity", details: { old: complete, new: empty } });
  for (const [change, paths] of [
    [{ details: "x".repeat(257) }, ["details"]],
    [{ type: 9999 }, ["type"]],
    [{ mobileProvider: 9999 }, ["mobileProvider"]],
    [{ facilityUuid: "nowhere" }, ["facilityUuid"]],
    [{ present: "yes" }, ["present"]],
  ] as const) {
    const refused = await assessor.call("PUT", connectivityPath, { ...complete, ...change });
    expect([refused.status, pathsOf(refused)]).toEqual([422, paths]);
  }
  expect((await assessor.get(`${connectivityPath}/${facilityUuid}`)).body).toEqual(empty);
});
