import type { Bundle, CapabilityStatement, Location, OperationOutcome, Organization } from "fhir/r4";
import { sql } from "kysely";
import { expect, test } from "vitest";

import { type Answer, bodyOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { settled } from "../support/settled.ts";
import { faultsOf } from "./fhir-schema.ts";

/** The FHIR interface: its answers are valid by the official schema, complete, and equal to the tables. */

const fhir = (path: string) => `/api/v1/fhir/${path}`;
const fhirType = "application/fhir+json; charset=utf-8";

const gateway = await gatewayOfFile("demo", {}, [/"path":"\/api\/v1\/fhir\/[^"]*_history[^"]*","status":501/]);
const plain = await gateway.as("plain");
const admin = await gateway.as("admin");

/** Reads a resource, and checks its status, content type and schema. */
async function read<Resource extends { resourceType: string }>(
  path: string,
  status = 200,
  person = plain,
): Promise<Resource> {
  const answer: Answer = await person.get(path.startsWith("/") ? path : fhir(path));
  expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, status, fhirType]);
  const resource = bodyOf<Resource>(answer);
  expect([path, faultsOf(resource)]).toEqual([path, []]);
  return resource;
}
const found = async <Resource>(path: string) =>
  ((await read<Bundle>(path)).entry ?? [])
    .filter(({ search }) => search?.mode === "match")
    .map(({ resource }) => resource as Resource);
const idsOf = async (path: string) => (await found<Location>(path)).map(({ id }) => id!);

/** Every resource of a search, page by page. */
async function everything<Resource>(path: string): Promise<Resource[]> {
  const all: Resource[] = [];
  for (let next: string | undefined = path; next;) {
    const bundle: Bundle = await read<Bundle>(next);
    all.push(...(bundle.entry ?? []).map(({ resource }) => resource as Resource));
    next = bundle.link!.find(({ relation }) => relation === "next")?.url.replace(gateway.url, "");
  }
  return all;
}

test("the capability statement lists the resource types, and only search parameters that the search knows", async () => {
  const { rest, fhirVersion } = await read<CapabilityStatement>("metadata");
  expect(fhirVersion).toBe("4.0.1");
  expect(rest![0]!.resource!.map(({ type }) => type)).toEqual(["Location", "Organization"]);
  for (const { type, searchParam } of rest![0]!.resource!)
    for (const { name } of searchParam!)
      expect([type, name, (await plain.get(fhir(`${type}?${name}=`))).status]).toEqual([type, name, 400]);
});

test("the Locations are the country, its provinces, districts and facilities, each with its parent", async () => {
  const all = await everything<Location>("Location?_count=100");
  const rows = await gateway.sql<{ name: string; above: string | null; status: string; kind: string }>`
    select 'Zambia' as name, null as above, 'active' as status, 'jurisdiction' as kind union all
    select name, 'Zambia', 'active', 'jurisdiction' from province union all
    select d.name, p.name, 'active', 'jurisdiction' from district d join province p using (province_id) union all
    select facility_name, d.name, case when facility.closed_on is null then 'active' else 'inactive' end, 'facility' from facility join district d using (district_id)`;
  const names = new Map(all.map(({ id, name }) => [`Location/${id}`, name]));
  expect(names.size).toBe(all.length);
  const listed = all.map(({ name, partOf, status, type }) => ({
    name,
    above: partOf ? names.get(partOf.reference!) : null,
    status,
    kind: type![0]!.coding![0]!.code,
  }));
  const inOrder = (list: object[]) => list.map((row) => JSON.stringify(row)).toSorted();
  expect(inOrder(listed)).toEqual(inOrder(rows));
  const outlined = all.flatMap(({ extension }) => extension ?? []);
  const outlines = await sql<{ count: number }>`select count(*)::int as count from boundary`.execute(gateway.db);
  expect(outlined.length).toBe(outlines.rows[0]!.count);
  for (const { valueAttachment } of outlined) {
    expect(valueAttachment).toMatchObject({
      contentType: "application/geo+json",
      title: expect.stringContaining("geoBoundaries"),
    });
    expect(JSON.parse(Buffer.from(valueAttachment!.data!, "base64").toString())).toMatchObject({
      type: "MultiPolygon",
    });
  }
  const profiles = new Set(all.flatMap(({ meta }) => meta!.profile!.map((url) => url.split("IHE.mCSD.")[1])));
  expect(profiles).toEqual(new Set(["JurisdictionLocation", "FacilityLocation", "LocationDistance"]));
});

test("each Location has the Organization that manages it, and partners are Organizations", async () => {
  const organizations = await everything<Organization>("Organization?_count=150");
  const ids = new Set(organizations.map(({ id }) => `Organization/${id}`));
  for (const { managingOrganization } of await everything<Location>("Location?_count=1000"))
    expect(ids.has(managingOrganization!.reference!)).toBe(true);
  for (const { partOf } of organizations) if (partOf) expect(ids.has(partOf.reference!)).toBe(true);
  const rows = await gateway.sql<{ name: string; active: boolean }>`
    select name, active from implementing_partner order by implementing_partner_id`;
  expect(
    organizations.filter(({ id }) => id!.startsWith("partner-")).map(({ name, active }) => ({ name, active })),
  ).toEqual(rows);
  const one = organizations.at(-1)!;
  expect(await read(`Organization/${one.id}`)).toEqual(one);
});

test("a facility has its identifiers of all systems, its position and place, and is found by its identifiers", async () => {
  const rows = await gateway.sql<Record<string, string> & { latitude: number; longitude: number }>`
    select facility_uuid as uuid, facility_name as name, hmis_code as code, latitude, longitude, district.name as district, province.name as province, 'district-' || district_id as above
    from facility join district using (district_id) join province on province.province_id = facility.province_id where latitude is not null and hmis_code is not null limit 1`;
  const { uuid, name, code, latitude, longitude, district, province, above } = rows[0]!;
  await gateway.sql`insert into facility_identifier (facility_uuid, system, value, valid_until, is_unique) values (${uuid}, 'ihris', 'ih|1,2', '2025-12-31', true), (${uuid}, 'dhis2', 'Zbcde123456', null, true)`;
  const location = await read<Location>(`Location/${uuid}`);
  expect(location).toMatchObject({
    name,
    status: "active",
    position: { latitude, longitude },
    address: { district, state: province, country: "ZM" },
    partOf: { reference: `Location/${above}` },
  });
  expect(location.identifier).toEqual(
    expect.arrayContaining([
      { use: "official", system: "urn:zm:platform:facility", value: uuid },
      { use: "official", system: "urn:zm:hmis", value: code },
      { use: "official", system: "urn:zm:dhis2", value: "Zbcde123456" },
      { use: "old", system: "urn:zm:ihris", value: "ih|1,2", period: { end: "2025-12-31" } },
    ]),
  );
  for (const token of [
    `urn:zm:hmis|${code}`,
    `urn:zm:platform:facility|${uuid}`,
    "urn:zm:dhis2|Zbcde123456",
    "Zbcde123456",
    "urn:zm:ihris|ih|1\\,2",
    `urn:zm:dhis2|none,urn:zm:hmis|${code}`,
  ])
    for (const type of ["Location", "Organization"])
      expect([token, await idsOf(`${type}?identifier=${encodeURIComponent(token)}`)]).toEqual([token, [uuid]]);
  for (const token of ["urn:zm:dhis2|nobody", `urn:zm:ihris|${code}`, "|Zbcde123456", "urn:zm:platform:province|99999"])
    expect([token, await idsOf(`Location?identifier=${encodeURIComponent(token)}`)]).toEqual([token, []]);
  expect(await idsOf("Location?identifier=urn:zm:dhis2|&_count=1000")).toContain(uuid);
  expect(await idsOf("Location?identifier=urn:zm:platform:district|3")).toEqual(["district-3"]);
});

test("names are found by their beginning, by any part, and exactly", async () => {
  const rows = await gateway.sql<{ name: string }>`
    select name from district where name ~ '^[A-Z][a-z]+$' order by name limit 1`;
  const { name } = rows[0]!;
  const matching = async (query: string) =>
    (await everything<Location>(`Location?${query}&_count=1000`)).map((location) => location.name!);
  const all = await matching("");
  const lower = (text: string) => text.toLowerCase().replaceAll(/['’]/g, "");
  expect(await matching(`name=${name.slice(0, 3).toUpperCase()}`)).toEqual(
    all.filter((each) => lower(each).startsWith(lower(name.slice(0, 3)))),
  );
  expect(await matching("name:contains=RURAL")).toEqual(all.filter((each) => lower(each).includes("rural")));
  expect(await matching(`name:exact=${name}`)).toEqual(all.filter((each) => each === name));
  expect(await matching(`name:exact=${name.toLowerCase()}`)).toEqual([]);
  expect(await matching("name=%25%25")).toEqual([]);
  expect(await matching(`name:exact=nothing,${name}`)).toEqual(await matching(`name:exact=${name}`));
  expect(await matching("name:contains=rural,URBAN")).toEqual(all.filter((each) => /rural|urban/.test(lower(each))));
});

test("near finds the facilities that a slow recount finds", async () => {
  const rows = await gateway.sql<{ uuid: string; latitude: number; longitude: number }>`
    select facility_uuid as uuid, latitude, longitude from facility where latitude is not null order by facility_uuid`;
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const distance = (a: { latitude: number; longitude: number }, b: { latitude: number; longitude: number }) => {
    const [one, other] = [radians(a.latitude), radians(b.latitude)];
    return (
      6371.0088 *
      Math.acos(
        Math.min(
          1,
          Math.sin(one) * Math.sin(other) +
            Math.cos(one) * Math.cos(other) * Math.cos(radians(a.longitude - b.longitude)),
        ),
      )
    );
  };
  let some = 0;
  for (const [place, kilometres, radius] of [
    [rows[0]!, 100, "100|km"],
    [rows[7]!, 250, "250000|m"],
    [rows[20]!, 50, ""],
    [{ latitude: 60, longitude: 10 }, 300, "300|km"],
  ] as const) {
    const near = rows.filter((row) => distance(row, place) <= kilometres).map(({ uuid }) => uuid);
    some += near.length;
    expect(
      (await everything<Location>(`Location?near=${place.latitude}|${place.longitude}|${radius}&_count=100`)).map(
        ({ id }) => id,
      ),
    ).toEqual(near);
  }
  expect(some).toBeGreaterThan(3);
});

test("_lastUpdated finds the facilities and places that were changed or closed since a moment", async () => {
  const rows = await gateway.sql<{ uuid: string; district: number; now: string; day: string }>`
    select min(facility_uuid) as uuid, min(district_id) as district, to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now, current_date::text as day
    from facility where closed_on is null and facility_uuid not in (select facility_uuid from assessment)`;
  const { uuid, district, now, day } = rows[0]!;
  expect(
    (await admin.call("POST", `/api/v1/facility/${uuid}/close`, { closedOn: day, reason: "Of the test" })).status,
  ).toBe(200);
  expect((await admin.call("PATCH", `/api/v1/registry/place/district/${district}`, { name: "Renamed" })).status).toBe(
    200,
  );
  const since = await everything<Location>(`Location?_lastUpdated=gt${now}&_count=100`);
  expect(
    since.filter(({ id }) => id === uuid || id === `district-${district}`).map(({ name, status }) => [name, status]),
  ).toEqual([
    ["Renamed", "active"],
    [expect.any(String), "inactive"],
  ]);
  for (const { meta } of since) expect(meta!.lastUpdated! >= now).toBe(true);
  const before = await everything<Location>(`Location?_lastUpdated=le${now}&_count=1000`);
  const all = await everything<Location>("Location?_count=1000");
  expect([...before, ...since].map(({ id }) => id).toSorted()).toEqual(
    all
      .filter(({ meta }) => meta?.lastUpdated)
      .map(({ id }) => id)
      .toSorted(),
  );
  expect(await idsOf(`Location?status=inactive&_lastUpdated=ge${day}`)).toContain(uuid);
  expect(await idsOf(`Location?_lastUpdated=ge${day}&_lastUpdated=lt${now}&_id=${uuid}`)).toEqual([]);
  expect((await read<Organization>(`Organization/${uuid}`)).active).toBe(false);
});

test("parameters are combined: ids, parents and types; _include adds the Organization of each Location", async () => {
  const [first, second] = await found<Location>("Location?type=facility&_count=2");
  expect(await idsOf(`Location?_id=${first!.id},${second!.id},district-1,none&type=facility`)).toEqual([
    first!.id,
    second!.id,
  ]);
  expect(await idsOf(`Location?organization=Organization/${first!.id}`)).toEqual([first!.id]);
  const districts = await idsOf("Location?partof=Location/province-1&_count=1000");
  const rows = await gateway.sql<{ id: string }>`
    select 'district-' || district_id as id from district where province_id = 1 order by district_id`;
  expect(districts).toEqual(rows.map(({ id }) => id));
  const bundle = await read<Bundle>("Location?type=jurisdiction&_count=3&_include=Location:organization");
  expect(bundle.entry!.map(({ fullUrl, search }) => [fullUrl!.split("/fhir/")[1], search!.mode])).toEqual(
    ["country", "province-1", "province-2"]
      .flatMap((id) => [[`Location/${id}`, "match"]])
      .concat(["country", "province-1", "province-2"].map((id) => [`Organization/${id}`, "include"])),
  );
  for (const query of ["_count=0", "_summary=count"]) {
    const { total, entry, link } = await read<Bundle>(`Organization?type=other&${query}`);
    expect([total! > 0, entry, link!.length]).toEqual([true, undefined, 1]);
  }
});

test("a facility whose uuid is not valid as a FHIR id is found by another id", async () => {
  const odd = "{1_ä} province-1/x";
  expect(
    (await admin.call("POST", "/api/v1/facility", { facilityUuid: odd, facilityName: "Odd uuid", districtId: 1 }))
      .status,
  ).toBe(200);
  const [location] = await found<Location>("Location?name=odd uuid");
  expect(location!.identifier![0]!.value).toBe(odd);
  expect(await read(`Location/${location!.id}`)).toEqual(location);
});

test("failures are OperationOutcomes: anonymous callers, wrong parameters, unknown and merged resources, and writing", async () => {
  const failure = async (path: string, status: number, person = plain) =>
    (await read<OperationOutcome>(path, status, person)).issue[0]!;
  for (const path of ["Location", "metadata", "Organization/country"]) {
    const answer = await fetch(gateway.url + fhir(path));
    const outcome = (await answer.json()) as OperationOutcome;
    expect([answer.status, faultsOf(outcome), outcome.issue[0]!.code]).toEqual([401, [], "login"]);
  }
  const wrong = [
    "_lastUpdated=yesterday",
    "_lastUpdated=2026-13-01",
    "_lastUpdated=ne2026-01-01",
    "near=1|2|3|parsec",
    "near=91|0",
    "near=x",
    "_count=-1",
    "_count=x",
    "identifier=",
    "cursor=forged",
    "status=open",
    "name:missing=true",
    "_include:iterate=Location:organization",
    "_total=some",
    "_summary=most",
    "_pretty=very",
  ];
  for (const query of wrong)
    expect([query, (await failure(`Location?${query}`, 400)).expression![0]!.split(".")[0]]).toEqual([
      query,
      query.split("=")[0],
    ]);
  expect((await failure("Location/none-of-these", 404)).code).toBe("not-found");
  expect((await failure("Location/partner-1", 404)).code).toBe("not-found");
  expect((await failure("Location/.ff", 404)).code).toBe("not-found");
  expect((await failure("Patient", 404)).code).toBe("not-found");
  const post = await admin.call(
    "POST",
    fhir("Location"),
    { resourceType: "Location" },
    { "content-type": "application/fhir+json" },
  );
  expect([post.status, faultsOf(bodyOf<OperationOutcome>(post)), post.headers.get("allow")]).toEqual([
    405,
    [],
    "GET, HEAD",
  ]);
  const [from, into] = await Promise.all(
    ["Twice", "Once"].map(
      async (facilityName) =>
        bodyOf<{ facilityUuid: string }>(await admin.call("POST", "/api/v1/facility", { facilityName, districtId: 1 }))
          .facilityUuid,
    ),
  );
  expect((await admin.call("POST", `/api/v1/facility/${from}/merge`, { into })).status).toBe(200);
  expect(await failure(`Location/${from}`, 410)).toMatchObject({
    code: "deleted",
    diagnostics: expect.stringContaining(into!),
  });
});

test("the history of a type has what changed since an instant, and deletions of merged facilities", async () => {
  const add = async (facilityName: string) =>
    bodyOf<{ facilityUuid: string }>(await admin.call("POST", "/api/v1/facility", { facilityName, districtId: 1 }))
      .facilityUuid;
  const rows = await gateway.sql<{ now: string }>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`;
  const [from, into, other] = [await add("Merged away"), await add("Stays"), await add("Other")];
  expect((await admin.call("POST", `/api/v1/facility/${from}/merge`, { into })).status).toBe(200);
  await settled(gateway.db);
  for (const type of ["Location", "Organization"]) {
    const address = `${type}/_history?_since=${encodeURIComponent(rows[0]!.now)}`;
    const whole = await read<Bundle>(address);
    expect([whole.type, whole.total]).toEqual(["history", 3]);
    const entries = whole.entry!.map(({ request, resource }) => [request!.method, request!.url, resource?.id]);
    expect(entries.toSorted()).toEqual(
      [
        ["DELETE", `${type}/${from}`, undefined],
        ["PUT", `${type}/${into}`, into],
        ["PUT", `${type}/${other}`, other],
      ].toSorted(),
    );
    const first = await read<Bundle>(`${address}&_count=1`);
    const next = new URL(first.link!.find(({ relation }) => relation === "next")!.url);
    const second = await read<Bundle>(next.href.slice(next.href.indexOf(`${type}/`)));
    expect([first.entry!.length, second.entry!.length]).toEqual([2, 1]);
  }
  for (const wrong of ["2026-06-30", "yesterday", "2026-02-30T00:00:00Z"])
    expect((await plain.get(fhir(`Location/_history?_since=${wrong}`))).status).toBe(400);
});

test("the identifiers and the uuid of a merged facility lead to the one that stays", async () => {
  const add = async (facilityName: string) =>
    bodyOf<{ facilityUuid: string }>(await admin.call("POST", "/api/v1/facility", { facilityName, districtId: 1 }))
      .facilityUuid;
  const [first, second, last] = [await add("First of three"), await add("Second of three"), await add("Last of three")];
  await admin.call("PUT", `/api/v1/facility/identifiers/${first}`, {
    identifiers: [
      { system: "hmis", value: "77000001" },
      { system: "elmis", value: "EL-MERGED" },
    ],
  });
  for (const [from, into] of [
    [first, second],
    [second, last],
  ] as const)
    expect((await admin.call("POST", `/api/v1/facility/${from}/merge`, { into })).status).toBe(200);
  const token = (system: string, value: string) => encodeURIComponent(`${system}|${value}`);
  for (const type of ["Location", "Organization"])
    for (const identifier of [
      token("urn:zm:hmis", "77000001"),
      token("urn:zm:elmis", "EL-MERGED"),
      "EL-MERGED",
      token("urn:zm:platform:facility", first),
      first,
      token("urn:zm:platform:facility", second),
    ])
      expect([type, identifier, await idsOf(`${type}?identifier=${identifier}`)]).toEqual([type, identifier, [last]]);
  expect(
    (await read<Location>(`Location/${last}`)).identifier!.map(({ use, system, value }) => [use, system, value]),
  ).toEqual([
    ["official", "urn:zm:platform:facility", last],
    ["old", "urn:zm:platform:facility", first],
    ["old", "urn:zm:platform:facility", second],
    ["official", "urn:zm:hmis", "77000001"],
    ["official", "urn:zm:elmis", "EL-MERGED"],
  ]);
});

test("type, status and active accept lists and systems, as other tokens do, and a Location is found by each of its types", async () => {
  const total = async (query: string) => (await read<Bundle>(`${query}&_count=0`)).total!;
  const types = "https://profiles.ihe.net/ITI/mCSD/CodeSystem/IHE.mCSD.Organization.Location.Types";
  const roles = "http://terminology.hl7.org/CodeSystem/v3-RoleCode";
  const rows = await gateway.sql<{ all: number; hospitals: number; places: number; open: number }>`
    select count(*)::int as all, (count(*) filter (where facility_type ~* 'hospital'))::int as hospitals, (count(*) filter (where closed_on is null))::int as open,
      ((select count(*) from district) + (select count(*) from province) + 1)::int as places from facility`;
  const { all, hospitals, places, open } = rows[0]!;
  expect([hospitals > 0, hospitals < all, open < all]).toEqual([true, true, true]);
  const counts = {
    [`type=${types}|facility`]: all,
    [`type=${roles}|HOSP`]: hospitals,
    "type=HOSP": hospitals,
    "type=PC": all - hospitals,
    "type=HOSP,PC": all,
    "type=jurisdiction,HOSP": places + hospitals,
    "type=facility,HOSP": all,
    [`type=${roles}|facility`]: 0,
    "type=unheard": 0,
  };
  for (const [query, count] of Object.entries(counts))
    expect([query, await total(`Location?${query}`)]).toEqual([query, count]);
  for (const location of await found<Location>("Location?type=HOSP&_count=1000"))
    expect(location.type!.flatMap(({ coding }) => coding!.map(({ code }) => code))).toContain("HOSP");
  expect(await total("Organization?type=HOSP")).toBe(0);
  expect(await total("Location?type=facility&status=http://hl7.org/fhir/location-status|active")).toBe(open);
  expect([
    await total("Location?type=facility&status=active,inactive"),
    await total("Location?type=facility&status=inactive,suspended"),
    await total("Location?status=suspended"),
  ]).toEqual([all, all - open, 0]);
  expect([
    await total("Organization?type=facility&active=true,false"),
    await total("Organization?type=facility&active=false"),
  ]).toEqual([all, all - open]);
});

test("_include of endpoints, which mCSD clients send, adds nothing; an Organization adds its Location only by _revinclude", async () => {
  const modes = async (path: string) => [
    ...new Set((await read<Bundle>(path)).entry!.map(({ search }) => search!.mode)),
  ];
  expect(await modes("Organization?_count=2&_include=Organization:endpoint")).toEqual(["match"]);
  expect(await modes("Organization?_count=2&_include=Organization:endpoint&_revinclude=Location:organization")).toEqual(
    ["match", "include"],
  );
  expect(await modes("Organization?_count=2&_include=Location:organization")).toEqual(["match", "outcome"]);
});

test("unknown parameters are ignored with a warning, and refused with handling=strict", async () => {
  const strict = { prefer: "return=minimal, handling=strict" };
  const all = (await read<Bundle>("Location?_count=0")).total;
  for (const [query, name] of [
    ["nosuch=1", "nosuch"],
    ["_sort=name", "_sort"],
    ["_has:Group:member:_id=1", "_has:Group:member:_id"],
    ["organization.name=x", "organization.name"],
    ["_include=Location:partof", "_include=Location:partof"],
  ] as const) {
    const { total, entry, link } = await read<Bundle>(`Location?_count=2&${query}`);
    const outcome = entry!.at(-1)!;
    expect([
      query,
      total,
      outcome.search!.mode,
      (outcome.resource as OperationOutcome).issue.map(({ severity, diagnostics }) => [severity, diagnostics]),
    ]).toEqual([query, all, "outcome", [["warning", `${name} is not known: it was left out`]]]);
    // The links of the answer leave out the ignored parameter.
    expect(link!.map(({ url }) => new URL(url).searchParams.has(query.split("=")[0]!))).toEqual([false, false]);
    const refused = await plain.get(fhir(`Location?_count=2&${query}`), strict);
    expect([
      query,
      refused.status,
      bodyOf<OperationOutcome>(refused).issue[0]!.expression,
      faultsOf(bodyOf<OperationOutcome>(refused)),
    ]).toEqual([query, 400, [query.split("=")[0]], []]);
  }
  expect((await plain.get(fhir("Location?_count=2&name=chi"), strict)).status).toBe(200);
});

test("_pretty, _elements, _summary, _total and _count work as FHIR defines them", async () => {
  const pretty = await plain.get(fhir("Location?_count=1&_pretty=true"));
  expect(pretty.text).toBe(JSON.stringify(pretty.body, null, 2));
  expect((await plain.get(fhir("Location/country?_pretty=true"))).text).toContain('\n  "resourceType": "Location"');
  const tag = [
    {
      system: "http://terminology.hl7.org/CodeSystem/v3-ObservationValue",
      code: "SUBSETTED",
      display: expect.any(String),
    },
  ];
  const keys = (resource: object) => Object.keys(resource).toSorted();
  const [facility] = await found<Location>("Location?type=facility&_count=1");
  for (const [query, wanted] of [
    ["_elements=name,position,Location.status", ["name", "position", "status"]],
    ["_summary=true", ["identifier", "managingOrganization", "mode", "name", "physicalType", "status", "type"]],
    ["_summary=text", []],
  ] as const)
    for (const one of [
      (await found<Location>(`Location?_id=${facility!.id}&${query}`))[0]!,
      await read<Location>(`Location/${facility!.id}?${query}`),
    ]) {
      expect([query, keys(one)]).toEqual([
        query,
        [...wanted.filter((name) => name in facility!), "id", "meta", "resourceType"].toSorted(),
      ]);
      expect(one.meta).toMatchObject({ ...facility!.meta, tag });
    }
  for (const query of ["_summary=false", "_summary=data"])
    expect(await found<Location>(`Location?_id=${facility!.id}&${query}`)).toEqual([facility]);
  const [organization] = await found<Organization>(`Organization?_id=${facility!.id}&_summary=true`);
  expect(keys(organization!)).toEqual(["active", "id", "identifier", "meta", "name", "partOf", "resourceType", "type"]);
  const { total } = await read<Bundle>("Location");
  expect([
    (await read<Bundle>("Location?_total=none&_count=1")).total,
    (await read<Bundle>("Location?_total=estimate&_count=1")).total,
  ]).toEqual([undefined, total]);
  // A _count above the maximum gives a page of the maximum size.
  const most = await read<Bundle>("Location?_count=50000");
  expect(most.entry!.length).toBe(Math.min(1000, total!));
});

test("a search by POST of a form gives the same entries and links as the search by GET", async () => {
  const post = async (path: string, text: string, type = "application/x-www-form-urlencoded") => {
    const answer = await plain.call("POST", fhir(path), text, { "content-type": type });
    expect([answer.headers.get("content-type"), faultsOf(bodyOf<Bundle>(answer))]).toEqual([fhirType, []]);
    return answer;
  };
  const entries = (bundle: Bundle) => [bundle.total, bundle.link, bundle.entry];
  for (const [type, query] of [
    ["Location", "name=chi&_count=7&_include=Location:organization"],
    ["Location", "near=-15.41%7C28.28%7C80%7Ckm"],
    ["Organization", "_lastUpdated=ge2000-01-01&_lastUpdated=lt2100-01-01&_count=3"],
    ["Organization", ""],
  ] as const) {
    const byAddress = await read<Bundle>(`${type}${query === "" ? "" : `?${query}`}`);
    const [first, ...rest] = query.split("&");
    for (const answer of [await post(`${type}/_search`, query), await post(`${type}/_search?${first}`, rest.join("&"))])
      expect([answer.status, entries(bodyOf<Bundle>(answer))]).toEqual([200, entries(byAddress)]);
  }
  const wrong = await post("Location/_search", "status=open");
  expect([wrong.status, bodyOf<OperationOutcome>(wrong).issue[0]!.expression]).toEqual([400, ["status"]]);
  expect((await post("Location/_search", "{}", "application/json")).status).toBe(415);
});

test("formats other than JSON return 406, and earlier versions of a resource 501", async () => {
  const readAs = async (path: string, accept: string) => {
    const answer = await plain.get(fhir(path), { accept });
    expect([accept, answer.headers.get("content-type"), faultsOf(bodyOf<OperationOutcome>(answer))]).toEqual([
      accept,
      fhirType,
      [],
    ]);
    return answer;
  };
  for (const accept of [
    "application/fhir+xml",
    "text/html, application/xml;q=0.9",
    "application/fhir+json;q=0, application/fhir+xml",
  ])
    for (const path of ["metadata", "Location?_count=1", "Location/country", "Organization/none"]) {
      const { status, body } = await readAs(path, accept);
      expect([path, status, (body as OperationOutcome).issue[0]!.code]).toEqual([path, 406, "not-supported"]);
    }
  for (const accept of [
    "*/*",
    "application/*",
    "application/json",
    "text/html, */*;q=0.1",
    "application/fhir+json; fhirVersion=4.0",
  ])
    expect((await readAs("Location/country", accept)).status).toBe(200);
  for (const format of ["json", "application/json", "application/fhir+json", "application/fhir%2Bjson", "text/json"])
    for (const path of [
      `Location?_format=${format}&_count=1`,
      `Location/country?_format=${format}`,
      `metadata?_format=${format}`,
    ])
      expect([path, (await readAs(path, "application/fhir+xml")).status]).toEqual([path, 200]);
  for (const path of [
    "Location?_format=xml",
    "Location/country?_format=application/fhir%2Bxml",
    "metadata?_format=html",
  ])
    expect([path, (await readAs(path, "application/fhir+json")).status]).toEqual([path, 406]);
  for (const path of ["_history", "Location/country/_history", "Organization/country/_history/1"]) {
    const { issue } = await read<OperationOutcome>(path, 501);
    expect([path, issue[0]!.code]).toEqual([path, "not-supported"]);
  }
  const { rest } = await read<CapabilityStatement>("metadata");
  for (const { interaction, versioning } of rest![0]!.resource!)
    expect([interaction!.map(({ code }) => code), versioning]).toEqual([
      ["read", "search-type", "history-type"],
      "no-version",
    ]);
});
