import { beforeAll, expect, test } from "vitest";

import { bodyOf, errorsOf, type Person } from "../support/gateway.ts";
import { mutate, notThere, refusedWith } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cursorNow, settled } from "../support/settled.ts";

/**
 * The identifiers of facilities in other systems: stored, found by exact match, and part of metadata, exports and the
 * feed.
 */

type Site = { facilityUuid: string; facilityName: string; hmisCode: string };
let admin: Person;
let plain: Person;
let sites: Site[];
const api = (path: string) => `/api/v1${path}`;
const ofSite = ({ facilityUuid }: Site) => api(`/facility/identifiers/${facilityUuid}`);
const by = (system: string, value: string) => plain.get(api(`/facility/by/${system}/${encodeURIComponent(value)}`));
const identifier = (system: string, value: string, from: string | null = null, until: string | null = null) => ({
  system,
  value,
  from,
  until,
});

const gateway = await gatewayOfFile();
beforeAll(async () => {
  [admin, plain] = [await gateway.as("admin"), await gateway.as("plain")];
  sites = await gateway.sql<Site>`
    select facility_uuid, facility_name, hmis_code from facility where hmis_code is not null and old_hmis_code is null order by facility_uuid limit 4`;
});

test("a facility is found by its exact HMIS code, through REST and GraphQL", async () => {
  for (const { facilityUuid, hmisCode } of sites) {
    expect(bodyOf(await by("hmis", hmisCode))).toMatchObject({ facilityUuid, hmisCode });
    const { data } = await plain.graphql(
      `query ($value: String!) { facilityBy(system: "hmis", value: $value) { facilityUuid identifiers { system value from until } } }`,
      { value: hmisCode },
    );
    expect(data.facilityBy.facilityUuid).toBe(facilityUuid);
    expect(data.facilityBy.identifiers).toContainEqual(identifier("hmis", hmisCode));
  }
  expect((await by("hmis", sites[0]!.hmisCode.slice(0, 4))).status).toBe(404);
  expect((await by("nothing", "1")).status).toBe(404);
  expect((await by("NOT", "1")).status).toBe(422);
});

test("identifiers are replaced as a whole, found case-sensitively, and part of metadata, exports and the feed", async () => {
  const [site] = sites as [Site];
  const cursor = await cursorNow(gateway.db, plain);
  const identifiers = [
    identifier("hmis", site.hmisCode),
    identifier("hmis", "70000001", "2010-01-01", "2019-12-31"),
    identifier("dhis2", "pXhz0PLiYZX", "2020-01-01"),
    identifier("ihris", "facility|1"),
  ];
  const saved = await admin.call("PUT", ofSite(site), { identifiers });
  expect([saved.status, saved.body]).toEqual([200, { identifiers }]);
  expect((await plain.get(ofSite(site))).body).toEqual({ identifiers });
  expect(bodyOf(await plain.get(api(`/facilityMetadata/${site.facilityUuid}`))).identifiers).toEqual(identifiers);
  for (const { system, value } of identifiers)
    expect(bodyOf(await by(system, value)).facilityUuid).toBe(site.facilityUuid);
  expect((await by("dhis2", "PXHZ0PLIYZX")).status).toBe(404);
  const found = bodyOf(await plain.get(api("/facility/search/args/pXhz0PLiYZX")));
  expect(found.map((row: { uuid: string }) => row.uuid)).toEqual([site.facilityUuid]);
  expect((await plain.get(api("/facility/csv"))).text).toContain(`dhis2:pXhz0PLiYZX; ihris:facility|1`);
  const line = (await plain.get(api("/facility/ndjson"))).text
    .split("\n")
    .find((each) => each.includes(site.facilityUuid))!;
  expect(JSON.parse(line).identifiers).toEqual(identifiers);
  await settled(gateway.db);
  const inFeed = async () => {
    const { changes } = bodyOf<{ changes: { kind: string; key: string; record: { identifiers: object[] } }[] }>(
      await plain.get(api(`/changes?since=${cursor}`)),
    );
    return changes.find(({ kind, key }) => kind === "facility" && key === site.facilityUuid)?.record.identifiers;
  };
  expect(await inFeed()).toEqual(identifiers);
  const rows = await gateway.sql<{
    details: { new: object };
  }>`select details from audit_event where action = 'facility.identifiers' order by audit_event_id desc limit 1`;
  expect(rows[0]!.details.new).toEqual({ identifiers });
});

test("a replaced code is kept with its last day, and the code columns of the facility follow", async () => {
  const [, site] = sites as [Site, Site];
  await admin.call("PUT", ofSite(site), {
    identifiers: [identifier("hmis", "70000002"), identifier("formerHmis", "OLD-2")],
  });
  expect(bodyOf(await plain.get(api(`/facilityMetadata/${site.facilityUuid}`)))).toMatchObject({
    hmisCode: "70000002",
    oldHmisCode: "OLD-2",
  });
  // A load of lists changes the column.
  await gateway.sql`update facility set hmis_code = '70000003' where facility_uuid = ${site.facilityUuid}`;
  const rows = await gateway.sql<{ today: string }>`select current_date as today`;
  expect(bodyOf(await plain.get(ofSite(site))).identifiers).toEqual([
    identifier("hmis", "70000003"),
    identifier("hmis", "70000002", null, rows[0]!.today),
    identifier("formerHmis", "OLD-2"),
  ]);
  expect(bodyOf(await by("hmis", "70000002")).facilityUuid).toBe(site.facilityUuid);
});

test("two sites cannot have the same unique identifier: the error names both, and nothing is changed", async () => {
  const [first, , other] = sites as [Site, Site, Site];
  const before = (await plain.get(ofSite(other))).body;
  const refused = await admin.call("PUT", ofSite(other), {
    identifiers: [identifier("hmis", other.hmisCode), identifier("dhis2", "pXhz0PLiYZX")],
  });
  expect(refused.status).toBe(422);
  expect(errorsOf(refused)).toEqual([
    {
      path: "identifiers.1.value",
      message: `DHIS2 UID 'pXhz0PLiYZX' is that of ${first.facilityName} (${first.facilityUuid}): ${other.facilityName} (${other.facilityUuid}) cannot have it too`,
    },
  ]);
  expect((await plain.get(ofSite(other))).body).toEqual(before);
  // Of two concurrent requests for the same identifier, one is refused.
  const [one, two] = [sites[2]!, sites[3]!];
  const answers = await Promise.all(
    [one, two].map((site) =>
      admin.call("PUT", ofSite(site), { identifiers: [identifier("hmis", site.hmisCode), identifier("elmis", "E-1")] }),
    ),
  );
  expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  expect(answers.every(({ status }) => [200, 409, 422].includes(status))).toBe(true);
});

test.each([
  [[{ system: "dhis2", value: "short" }], "identifiers.0.value"],
  [[{ system: "none", value: "1" }], "identifiers.0.system"],
  [[{ system: "ihris", value: " " }], "identifiers.0.value"],
  [[{ system: "ihris", value: "x".repeat(129) }], "identifiers.0.value"],
  [
    [
      { system: "ihris", value: "1" },
      { system: "ihris", value: "1" },
    ],
    "identifiers.1.value",
  ],
  [[{ system: "ihris", value: "1", from: "2020-01-02", until: "2020-01-01" }], "identifiers.0.until"],
  [
    [
      { system: "hmis", value: "1" },
      { system: "hmis", value: "2" },
    ],
    "identifiers.1.value",
  ],
  [[{ system: "ihris", value: "1", colour: "red" }], "identifiers.0.colour"],
])("%j is refused", async (identifiers, path) => {
  const answer = await admin.call("PUT", ofSite(sites[3]!), { identifiers });
  expect([answer.status, errorsOf(answer).map((error) => error.path)]).toEqual([422, [path]]);
});

type System = { system: string; name: string; pattern: string | null; isUnique: boolean };
const changed = "changed: identifierSystem { system name pattern isUnique } errors { path message }";
const saveSystem = (input: System) =>
  mutate<System>(
    admin,
    `mutation ($input: SaveIdentifierSystemInput!) { done: saveIdentifierSystem(input: $input) { ${changed} } }`,
    { input },
  );
const removeSystem = (system: string) =>
  mutate<System>(
    admin,
    `mutation ($system: String!) { done: removeIdentifierSystem(system: $system) { ${changed} } }`,
    { system },
  );

test("administrators add systems with a pattern and uniqueness, and remove those that no facility uses", async () => {
  const system = { system: "logistics", name: "Logistics number", pattern: "L-[0-9]{3}", isUnique: false };
  expect(await saveSystem(system)).toEqual({ changed: system, errors: [] });
  const site = sites[3]!;
  const refused = await admin.call("PUT", ofSite(site), { identifiers: [identifier("logistics", "L-1")] });
  expect(errorsOf(refused)[0]!.message).toBe("'L-1' does not have the form of a Logistics number (L-[0-9]{3})");
  for (const each of [sites[2]!, site])
    expect(
      (
        await admin.call("PUT", ofSite(each), {
          identifiers: [identifier("hmis", each.hmisCode), identifier("logistics", "L-001")],
        })
      ).status,
    ).toBe(200);
  expect((await by("logistics", "L-001")).status).toBe(409);
  const { data } = await plain.graphql(
    "query ($uuid: String!) { facility(facilityUuid: $uuid) { identifiers { system systemName value } } }",
    { uuid: site.facilityUuid },
  );
  expect(data.facility.identifiers).toEqual([
    { system: "hmis", systemName: "HMIS code", value: site.hmisCode },
    { system: "logistics", systemName: "Logistics number", value: "L-001" },
  ]);
  const unfit = {
    path: "pattern",
    message: expect.stringMatching(/^does not fit 'L-001' of .* and 1 more$/) as unknown,
  };
  expect(await saveSystem({ ...system, pattern: "[0-9]+" })).toEqual({ changed: null, errors: [unfit] });
  expect(await saveSystem({ ...system, isUnique: true })).toEqual(
    refusedWith(/^Several facilities have one identifier of Logistics number/),
  );
  expect(await removeSystem("logistics")).toEqual(refusedWith("2 facilities have identifiers of Logistics number."));
  for (const each of [sites[2]!, site])
    await admin.call("PUT", ofSite(each), { identifiers: [identifier("hmis", each.hmisCode)] });
  expect(await removeSystem("logistics")).toEqual({ changed: system, errors: [] });
  expect((await saveSystem({ ...system, system: "hmis" })).errors).toEqual([
    { path: "system", message: "is built in and cannot be changed" },
  ]);
  expect([await removeSystem("hmis"), await removeSystem("logistics")]).toEqual([
    refusedWith("This system is built in."),
    refusedWith(notThere, "system"),
  ]);
  expect((await saveSystem({ ...system, name: "=1+1" })).errors).toEqual([
    { path: "name", message: "begins like a formula of a spreadsheet" },
  ]);
  // A pattern that takes exponential time on some texts would block the gateway.
  for (const pattern of [
    "(a+)+",
    "(a|a)*b",
    "((a|a)c)+",
    "(?:[a-z]|[a-z0-9])+-",
    "(a?){60}a{60}",
    "a*a*a*a*b",
    "([)]|[)])+",
    "(a",
  ])
    expect([pattern, (await saveSystem({ ...system, pattern })).errors.map((error) => error.path)]).toEqual([
      pattern,
      ["pattern"],
    ]);
  for (const pattern of [
    "L-[0-9]{3}",
    "(?:AB|CD)-[0-9]{3}",
    "(?:[0-9]{2}-){2}[0-9]+",
    "[A-Z]+-[0-9]+/[0-9]+",
    "(North|South)?[+*(|]{4}",
  ])
    expect([pattern, (await saveSystem({ ...system, pattern })).errors]).toEqual([pattern, []]);
});

test("a person with the right to edit the registry changes identifiers; an administrator grants that right, a manager cannot", async () => {
  const [site] = sites as [Site];
  const assessor = await gateway.as("assessor");
  const manager = await gateway.as("manager");
  const list = (await plain.get(ofSite(site))).body;
  expect((await assessor.call("PUT", ofSite(site), list)).status).toBe(403);
  const { uuid } = bodyOf(await admin.get(api("/user?search=assessor")))[0];
  const granting = { uuid, privileges: { editRegistry: true } };
  expect((await manager.call("PATCH", api("/user"), granting)).status).toBe(403);
  expect((await admin.call("PATCH", api("/user"), granting)).status).toBe(200);
  expect((await assessor.get(api("/privilege"))).body).toMatchObject({ editRegistry: true, editAssessments: true });
  const etag = (await assessor.get(ofSite(site))).headers.get("etag")!;
  expect((await assessor.call("PUT", ofSite(site), list, { "if-match": etag })).status).toBe(200);
  expect((await assessor.call("PUT", ofSite(site), list, { "if-match": 'W/"stale"' })).status).toBe(412);
});
