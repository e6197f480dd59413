import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";

import { worklistKinds } from "../../db/situation/state.rules.ts";
import { headings, siteCell, type SiteState } from "../../gateway/facility/siteColumns.rules.ts";
import { openWorkbook } from "../../gateway/registry/reading/workbook.ts";
import { bodyOf, type Person } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cookiesOf } from "../support/tdbx.ts";

/**
 * Exports of facilities, assessments and TDBs as CSV, NDJSON and GeoJSON: the same rows, rights and filters as the
 * lists, and an audit event for each export.
 */

type Row = Record<string, unknown>;
const siteColumns = [
  ...(["smartCareFunctional", "powerWorking", "libraryVersion", "functionalityStatusMode", "lastVisitDate"] as const),
  ...(["lastTdbCreationDate", "daysSinceLastTdb", "overdue", "contactName", "contactRole", "contactPhone"] as const),
];
let ids: { provinceId: number; partnerId: number; facilityUuid: string };
const days = "2000-01-01/9998-12-31";

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  const rows = await gateway.sql<typeof ids>`
    select province_id, implementing_partner_id as partner_id, facility_uuid from facility where implementing_partner_id is not null
      and facility_uuid in (select facility_uuid from tdb) and facility_uuid in (select facility_uuid from assessment) order by facility_uuid limit 1`;
  ids = rows[0]!;
});

/** A value as CSV has it. A formula begins with = + - or @: it, and so a phone number, gets an apostrophe. */
const textOf = (value: string | number | boolean | null) =>
  value === null ? "" : String(value).replace(/^(?=[=+@-])/, "'");

const csv = async (path: string) => {
  const answer = await admin.get(`/api/v1${path}`);
  expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 200, "text/csv; charset=utf-8"]);
  return parse(answer.text, { bom: true, columns: true }) as Record<string, string>[];
};
const lines = async (path: string) => {
  const answer = await admin.get(`/api/v1${path}`);
  expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
    path,
    200,
    "application/x-ndjson; charset=utf-8",
  ]);
  return answer.text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
};
const list = async (path: string) => bodyOf<Row[]>(await admin.get(`/api/v1${path}`));

test("the CSV and the NDJSON of facilities have the rows of the list, in its order, with and without filters", async () => {
  const { provinceId, partnerId } = ids;
  const filters: [string, string][] = [
    ["", "/facility"],
    [`?provinceId=${provinceId}`, `/facility/province/${provinceId}`],
    [`?implementingPartnerId=${partnerId}&mode=EFirst`, `/facility/mode/EFirst/ip/${partnerId}`],
    ["?search=clinic", "/facility/search/args/clinic"],
  ];
  for (const [query, path] of filters) {
    const listed = (await list(path)).map(({ uuid, facilityName }) => [uuid, facilityName]);
    expect(listed.length).toBeGreaterThan(0);
    expect(
      (await csv(`/facility/csv${query}`)).map(({ facilityUuid, facilityName }) => [facilityUuid, facilityName]),
    ).toEqual(listed);
    expect(
      (await lines(`/facility/ndjson${query}`)).map(({ facilityUuid, facilityName }) => [facilityUuid, facilityName]),
    ).toEqual(listed);
  }
});

test("facilities, silent sites, work lists and the ledger tell the same of a site as REST and GraphQL; contacts are for who may see assessments", async () => {
  const plain = await gateway.as("plain");
  const rowsFor = async (person: Person, path: string) =>
    parse((await person.get(`/api/v1${path}`)).text, { bom: true, columns: true }) as Record<string, string>[];
  for (const person of [admin, plain]) {
    const sites = new Map((await rowsFor(person, "/facility/csv")).map((row) => [row["facilityUuid"]!, row]));
    const states = new Map<string, SiteState>();
    const { data } = await person.graphql<{ facilities: { nodes: { facilityUuid: string; state: SiteState }[] } }>(
      `{ facilities(first: 100) { nodes { facilityUuid state { functionalityStatusMode smartCareFunctional powerWorking libraryVersion
        lastVisitDate lastTdbCreationDate daysSinceLastTdb overdue contactName contactRole contactPhone } } } }`,
    );
    for (const { facilityUuid, state } of data.facilities.nodes) {
      states.set(facilityUuid, state);
      for (const name of siteColumns)
        expect([facilityUuid, name, sites.get(facilityUuid)![name]]).toEqual([facilityUuid, name, textOf(state[name])]);
      expect((await person.get(`/api/v1/facility/state/${encodeURIComponent(facilityUuid)}`)).body).toMatchObject(
        state,
      );
    }
    const people = await Promise.all(
      ["/tdb/silent/csv?show=all", ...worklistKinds.map((kind) => `/worklist/${kind}/csv?show=all`)].map((path) =>
        rowsFor(person, path),
      ),
    );
    const compared = new Set<string>();
    for (const row of people.flat()) {
      const [site, state] = [sites.get(row["Facility UUID"]!)!, states.get(row["Facility UUID"]!)];
      for (const name of ["facilityName", "district", "province", "implementingPartner"] as const)
        expect(row[headings[name]]).toBe(site[name]);
      for (const name of state ? siteColumns : []) {
        if (row[headings[name]] === undefined) continue;
        expect([name, row[headings[name]]]).toEqual([name, textOf(siteCell(name, state!))]);
        compared.add(name);
      }
    }
    expect([...compared].toSorted()).toEqual(siteColumns.toSorted());
    for (const row of await rowsFor(person, "/ledger/csv?start=LAST_90_DAYS"))
      for (const name of ["facilityName", "district", "province", "implementingPartner"])
        expect([name, row[name]]).toEqual([name, sites.get(row["facilityUuid"]!)![name]]);
    const isVisitor = person === admin;
    expect([...states.values()].some(({ contactPhone }) => contactPhone !== null)).toBe(isVisitor);
    expect([...sites.values()].some((row) => row["openActions"] !== "")).toBe(isVisitor);
  }
});

test("every CSV file is to be had as a workbook with the same cells", async () => {
  const { facilityUuid } = ids;
  const assessed = await list(`/assessment/list/facility/${facilityUuid}?limit=1`);
  const paths = [
    "/action/csv",
    `/assessment/csv/assessment/${assessed[0]!["uuid"] as string}`,
    `/assessment/csv/${days}?facilityUuid=${facilityUuid}`,
    "/audit/csv",
    "/facility/csv",
    "/ledger/csv?start=LAST_90_DAYS",
    "/tdb/silent/csv?show=all",
    `/tdb/meta/list/all/csv/${days}?facilityUuid=${facilityUuid}`,
    "/user/csv",
    "/worklist/stopped/csv",
  ];
  const { paths: described } = bodyOf<{ paths: Record<string, { get?: { responses: Record<string, Row> } }> }>(
    await admin.get("/api/v1/openapi.json"),
  );
  // The others need a comparison or a saved query, which their own tests have.
  const ways = Object.entries(described)
    .filter(([, { get }]) => get && JSON.stringify(get.responses["200"]).includes("text/csv"))
    .map(([path]) => path);
  expect(ways).toHaveLength(paths.length + 2);
  for (const path of paths) {
    const file = await admin.get(`/api/v1${path}`);
    expect([path, file.status]).toEqual([path, 200]);
    const cells = parse(file.text, { bom: true }) as string[][];
    const answer = await fetch(`${gateway.url}/api/v1${path}${path.includes("?") ? "&" : "?"}format=xlsx`, {
      headers: { cookie: cookiesOf(admin) },
    });
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get("content-disposition")).toMatch(/\.xlsx"$/);
    const book = await openWorkbook(Buffer.from(await answer.arrayBuffer()));
    const read: string[][] = [];
    await book.rows(book.sheets[0]!, ({ cells: row }) => read.push(row));
    const width = cells[0]!.length;
    const plain = (row: string[]) =>
      Array.from({ length: width }, (_, place) => (row[place] ?? "").replace(/^'(?=[=+@-])/, ""));
    // The audit has one event more by now: the export before.
    const rows = path === "/audit/csv" ? [read[0]!, ...read.slice(2)] : read;
    expect(rows.map(plain), path).toEqual(cells.map(plain));
  }
  for (const path of ["/facility/csv?format=ods", "/user/csv?format=xlsx&format=csv"])
    expect((await admin.get(`/api/v1${path}`)).status, path).toBe(422);
});

type Feature = { type: string; id: string; geometry: { type: string; coordinates: number[] } | null; properties: Row };
const features = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await admin.call("GET", `/api/v1${path}`, undefined, headers);
  expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 200, "application/geo+json"]);
  const collection = JSON.parse(answer.text) as { type: string; features: Feature[] };
  expect(Object.keys(collection)).toEqual(["type", "features"]);
  expect(collection.type).toBe("FeatureCollection");
  return { features: collection.features, next: /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1] };
};

test("a list of facilities is available as GeoJSON: at its own address, by the format parameter and by the Accept header", async () => {
  const { provinceId, partnerId } = ids;
  const lists: [file: string, path: string, query: string][] = [
    ["", "/facility", ""],
    [`?provinceId=${provinceId}`, `/facility/province/${provinceId}`, ""],
    [`?implementingPartnerId=${partnerId}&mode=EFirst`, `/facility/mode/EFirst/ip/${partnerId}`, ""],
    ["?position=no", "/facility", "?position=no"],
    ["?search=clinic", "/facility/search/args/clinic", ""],
  ];
  for (const [file, path, query] of lists) {
    const listed = (await list(path + query)).map(({ uuid }) => uuid);
    const uuidsOf = async (address: string, headers?: Record<string, string>) =>
      (await features(address, headers)).features.map(({ id }) => id);
    expect([path, await uuidsOf(`/facility/geojson${file}`)]).toEqual([path, listed]);
    expect([path, await uuidsOf(`${path}${query}${query ? "&" : "?"}format=geojson`)]).toEqual([path, listed]);
    expect([path, await uuidsOf(path + query, { accept: "application/geo+json" })]).toEqual([path, listed]);
  }
  // The Accept header of a browser does not select GeoJSON, and the format parameter takes precedence over Accept.
  for (const [query, accept] of [
    ["", "text/html, */*"],
    ["", "application/geo+json;q=0.5, application/json"],
    ["?format=json", "application/geo+json"],
  ] as const) {
    const answer = await admin.call("GET", `/api/v1/facility${query}`, undefined, { accept });
    expect([
      answer.headers.get("content-type"),
      answer.headers.get("vary")?.toLowerCase().split(/, */).includes("accept"),
    ]).toEqual(["application/json; charset=utf-8", true]);
  }
  expect((await admin.get("/api/v1/facility?format=kml")).body).toMatchObject({ errors: [{ path: "format" }] });
});

test("a GeoJSON feature has the facility's position, longitude first; a facility without a position has no geometry", async () => {
  await gateway.sql`update facility set latitude = null, longitude = null where facility_uuid = (select max(facility_uuid) from facility)`;
  const { features: all } = await features("/facility/geojson");
  for (const feature of all) {
    expect(Object.keys(feature)).toEqual(["type", "id", "geometry", "properties"]);
    const { latitude, longitude } = feature.properties;
    expect(feature.geometry).toEqual(latitude === null ? null : { type: "Point", coordinates: [longitude, latitude] });
  }
  expect(new Set(all.map(({ geometry }) => geometry === null))).toEqual(new Set([true, false]));
  const one = all[Math.floor(all.length / 2)]!;
  const { functionalityStatusMode, ...metadata } = one.properties;
  expect(metadata).toEqual((await admin.get(`/api/v1/facilityMetadata/${one.id}`)).body);
  expect(functionalityStatusMode).not.toBeUndefined();
});

test("GeoJSON can be read in pages, and an empty list is an empty collection", async () => {
  const unpaged = (await features("/facility/geojson")).features;
  const paged: Feature[] = [];
  let pages = 0;
  for (let next: string | undefined = "/facility?limit=100&format=geojson"; next; pages += 1) {
    const page = await features(next);
    paged.push(...page.features);
    next = page.next?.replace("/api/v1", "");
  }
  expect(paged).toEqual(unpaged);
  expect(pages).toBe(Math.ceil(unpaged.length / 100));
  expect((await features("/facility/geojson?search=nosuchfacilityanywhere")).features).toEqual([]);
});

test("an NDJSON line has the values of the facility's REST calls; a CSV row has names instead of ids, and formulas are neutralised", async () => {
  const { facilityUuid } = ids;
  const answerOf = async (call: string) => bodyOf<Row>(await admin.get(`/api/v1/${call}/${facilityUuid}`));
  await gateway.sql`update facility set facility_owner = '=1+1', connectivity_present = true, connectivity_details = '@x' where facility_uuid = ${facilityUuid}`;
  const line = (await lines("/facility/ndjson")).find((one) => one["facilityUuid"] === facilityUuid)!;
  const { settings, connectivity, functionalityStatusMode, state, openActions: _actions, ...metadata } = line;
  expect(metadata).toEqual(await answerOf("facilityMetadata"));
  expect(settings).toEqual(await answerOf("facility/settings"));
  expect(connectivity).toEqual(await answerOf("facilityConnectivity"));
  const { facilityUuid: _own, ...known } = await answerOf("facility/state");
  expect(known).toMatchObject(state as object);
  const row = (await csv("/facility/csv")).find((one) => one["facilityUuid"] === facilityUuid)!;
  const areas = await list("/serviceArea");
  const named = (settings as { serviceAreas: number[] }).serviceAreas.map(
    (id) => areas.find(({ serviceAreaId }) => serviceAreaId === id)!["serviceArea"],
  );
  expect(row).toMatchObject({
    ...{
      facilityOwner: "'=1+1",
      connectivityDetails: "'@x",
      connectivityPresent: "true",
      serviceAreas: named.join("; "),
    },
    ...{
      functionalityStatusMode: functionalityStatusMode ?? "",
      province: metadata["province"],
      ...Object.fromEntries(
        Object.entries(state as Record<string, string | number | boolean | null>).map(([name, value]) => [
          name,
          textOf(value),
        ]),
      ),
      latitude: JSON.stringify(metadata["latitude"]).replace("null", ""),
    },
  });
});

test("the NDJSON of assessments has the assessments of the CSV, in the form of the REST call for one assessment", async () => {
  for (const query of ["", `?provinceId=${ids.provinceId}`, `?facilityUuid=${ids.facilityUuid}`]) {
    const ndjson = await lines(`/assessment/ndjson/${days}${query}`);
    const rows = await csv(`/assessment/csv/${days}${query}`);
    expect(ndjson.map(({ assessmentUuid }) => assessmentUuid)).toEqual(
      rows.map(({ assessmentUuid }) => assessmentUuid),
    );
    expect(ndjson.length).toBeGreaterThan(0);
    const one = ndjson[Math.floor(ndjson.length / 2)]!;
    expect((await admin.get(`/api/v1/assessment/${one["assessmentUuid"] as string}`)).body).toEqual(one);
  }
});

test("the exports of TDBs have the rows of the list, also when filtered by facility, place, partner or sender", async () => {
  const { facilityUuid, provinceId, partnerId } = ids;
  const all = await list(`/tdb/meta/list/all/${days}`);
  const one = all.find((row) => row["facilityUuid"] === facilityUuid)!;
  const rows = await gateway.sql<{ districtId: number; userUuid: string }>`
    select district_id, user_uuid from tdb join facility using (facility_uuid) where tdb_uuid = ${one["uuid"]}`;
  const { districtId, userUuid } = rows[0]!;
  const sent = await gateway.sql<{ uuid: string }>`select tdb_uuid as uuid from tdb where user_uuid = ${userUuid}`;
  const isSame =
    (...names: string[]) =>
    (row: Row) =>
      names.every((name) => row[name] === one[name]);
  const filters: [query: string, isWanted: (row: Row) => boolean][] = [
    [`facilityUuid=${facilityUuid}`, isSame("facilityUuid")],
    [`provinceId=${provinceId}`, isSame("province")],
    [`districtId=${districtId}`, isSame("province", "district")],
    [`implementingPartnerId=${partnerId}`, isSame("implementingPartner")],
    [`userUuid=${userUuid}`, ({ uuid }) => sent.some((tdb) => tdb.uuid === uuid)],
    [
      `sender=${encodeURIComponent(`${one["userFirstName"] as string} ${one["userSurname"] as string}`.toUpperCase())}`,
      isSame("userFirstName", "userSurname"),
    ],
  ];
  expect(await lines(`/tdb/meta/list/all/ndjson/${days}`)).toEqual(all);
  for (const [query, isWanted] of filters) {
    const wanted = all.filter(isWanted);
    expect([query, wanted.length > 0, wanted.length < all.length]).toEqual([query, true, true]);
    expect([query, await lines(`/tdb/meta/list/all/ndjson/${days}?${query}`)]).toEqual([query, wanted]);
    expect([query, (await csv(`/tdb/meta/list/all/csv/${days}?${query}`)).map(({ UUID }) => UUID)]).toEqual([
      query,
      wanted.map(({ uuid }) => uuid),
    ]);
  }
});

test("exports need the rights of the lists and refuse wrong values; an export is audited with its filter", async () => {
  const files = [
    `/assessment/csv/${days}`,
    `/assessment/ndjson/${days}`,
    `/tdb/meta/list/all/csv/${days}`,
    `/tdb/meta/list/all/ndjson/${days}`,
  ];
  const plain = await gateway.as("plain");
  for (const path of files) expect([path, (await plain.get(`/api/v1${path}`)).status]).toEqual([path, 403]);
  for (const path of [...files, "/facility/csv", "/facility/ndjson", "/facility/geojson"]) {
    expect([path, (await fetch(`${gateway.url}/api/v1${path}`)).status]).toEqual([path, 401]);
    expect([path, (await admin.get(`/api/v1${path}?provinceId=99999`)).status]).toEqual([path, 404]);
    for (const query of ["provinceId=x", "nothing=1"])
      expect([path, (await admin.get(`/api/v1${path}?${query}`)).status]).toEqual([path, 422]);
  }
  expect((await plain.get("/api/v1/facility/csv?search=ab")).status).toBe(422);
  expect((await plain.get(`/api/v1/facility/csv?provinceId=${ids.provinceId}`)).status).toBe(200);
  const rows = await gateway.sql<{ userName: string; details: Row }>`
    select user_name, details from audit_event join app_user using (user_uuid) where action = 'facility.export'
    order by audit_event_id desc limit 1`;
  expect(rows).toEqual([{ userName: "plain", details: { provinceId: ids.provinceId } }]);
});
