import { request } from "node:http";

import { sql } from "kysely";
import { expect, test } from "vitest";

import { siteColumnNames, siteKindNames } from "../../db/facility/facilityFields.rules.ts";
import { type Site, siteAt, type SiteList } from "../../gateway/site/siteList.rules.ts";
import { sampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf, stranger, testGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { settled } from "../support/settled.ts";

const gateway = await gatewayOfFile();
const plain = await gateway.as("plain");
const admin = await gateway.as("admin");

const read = async (query = "", person = plain) => bodyOf<SiteList>(await person.get(`/api/v1/site${query}`));
const sitesOf = (list: SiteList): Site[] => list.facilityUuid.map((_, place) => siteAt(list, place));
const nearly = (degrees: number | null) => (degrees === null ? null : Math.round(degrees * 1e5) / 1e5);

test("the list of a scope has the same values for each site as the site's own REST calls", async () => {
  const rows = await gateway.sql<{ provinceId: number; districtId: number; implementingPartnerId: number }>`
    select province_id, district_id, implementing_partner_id from facility where implementing_partner_id is not null order by facility_uuid limit 1`;
  const { provinceId, districtId, implementingPartnerId } = rows[0]!;
  const scopes: [string, string][] = [
    ["", "/facility"],
    [`?provinceId=${provinceId}`, `/facility/province/${provinceId}`],
    [`?districtId=${districtId}`, `/facility/district/${districtId}`],
    [`?implementingPartnerId=${implementingPartnerId}`, `/facility/ip/${implementingPartnerId}`],
  ];
  for (const [query, path] of scopes) {
    const list = await read(query);
    const named = bodyOf<{ uuid: string; facilityName: string }[]>(await plain.get(`/api/v1${path}`));
    expect(list.total, path).toBe(named.length);
    const pairs = list.facilityUuid.map((uuid, place) => `${uuid} ${list.facilityName[place]}`);
    expect(pairs.toSorted(), path).toEqual(named.map(({ uuid, facilityName }) => `${uuid} ${facilityName}`).toSorted());
  }

  const list = await read(`?districtId=${districtId}`);
  for (const { connectivity, serviceAreas, latitude, longitude, ...site } of sitesOf(list)) {
    const [metadata, connected, settings] = await Promise.all(
      ["facilityMetadata", "facilityConnectivity", "facility/settings"].map(async (path) =>
        bodyOf(await plain.get(`/api/v1/${path}/${site.facilityUuid}`)),
      ),
    );
    expect(metadata).toMatchObject(site);
    expect([latitude, longitude]).toEqual([nearly(metadata.latitude), nearly(metadata.longitude)]);
    expect(connected).toEqual({ facilityUuid: site.facilityUuid, ...connectivity });
    expect(settings.serviceAreas.toSorted((a: number, b: number) => a - b)).toEqual(serviceAreas);
    const district = list.districts.find((one) => one.districtId === site.districtId)!;
    expect([district.district, list.provinces.find((one) => one.provinceId === district.provinceId)?.province]).toEqual(
      [metadata.district, metadata.province],
    );
  }
});

test("REST and GraphQL return the same list", async () => {
  const columns = `facilityUuid facilityName districtId implementingPartnerId kind connectivity serviceAreaSet ${siteColumnNames.join(" ")}`;
  const query = `query ($provinceId: Int) { siteList(provinceId: $provinceId) { cursor total serviceAreaSets ${columns}
    provinces { provinceId province: name } districts { districtId district: name provinceId: province { provinceId } }
    implementingPartners { implementingPartnerId implementingPartner active } serviceAreas { serviceAreaId serviceArea }
    connectivityTypes { id type } connectivityProviders { id provider }
    kinds { ${siteKindNames.join(" ")} } connectivities { present type details mobileCoverage mobileProvider } } }`;
  type List = { [name: string]: unknown; districts: { provinceId: { provinceId: number } }[] };
  const { siteList } = (await plain.graphql<{ siteList: List }>(query, { provinceId: 2 })).data;
  const districts = siteList.districts.map(({ provinceId, ...district }) => ({ ...district, ...provinceId }));
  expect({ ...siteList, districts }).toEqual(await read("?provinceId=2"));
  expect((await plain.get("/api/v1/site?provinceId=4711")).status).toBe(404);
  expect((await plain.graphql(query, { provinceId: 4711 })).errors).toMatchObject([
    { extensions: { code: "NOT_FOUND" } },
  ]);
});

test("the list keeps its ETag, also for a new sign-in or another person, until a site changes; the feed from the list's cursor reports only that change", async () => {
  const sample = await sampleFacility(gateway.db);
  await settled(gateway.db);
  const first = await plain.get("/api/v1/site");
  const { cursor } = bodyOf<SiteList>(first);
  const etag = first.headers.get("etag")!;
  // Neither a visit nor a sign-in changes the list.
  expect((await admin.call("POST", "/api/v1/assessment", visit(sample))).status).toBe(200);
  const [again, other] = [stranger(gateway.url), stranger(gateway.url)];
  for (const [person, login] of [
    [again, "plain"],
    [other, "viewer"],
  ] as const)
    expect((await person.call("POST", "/api/v1/auth", { login, password: "demo-password" })).status).toBe(200);
  await settled(gateway.db);
  for (const person of [plain, again, other]) {
    const { status, headers } = await person.get("/api/v1/site", { "if-none-match": etag });
    expect([status, headers.get("etag")]).toEqual([304, etag]);
  }

  const settings = bodyOf(await admin.get(`/api/v1/facility/settings/${sample.facilityUuid}`));
  const serviceAreas = [...settings.serviceAreas, sample.otherArea].toSorted((a, b) => a - b);
  await admin.call("PATCH", `/api/v1/facility/settings/${sample.facilityUuid}`, { serviceAreas });
  await settled(gateway.db);
  const feed = bodyOf(await plain.get(`/api/v1/changes?since=${cursor}`));
  expect(feed.changes).toMatchObject([{ kind: "facilitySettings", action: "changed", key: sample.facilityUuid }]);
  expect(feed.changes[0].record.serviceAreas.toSorted((a: number, b: number) => a - b)).toEqual(serviceAreas);
  const second = await plain.get("/api/v1/site", { "if-none-match": etag });
  expect([second.status, bodyOf<SiteList>(second).cursor]).toEqual([200, feed.cursor]);
  expect(
    sitesOf(bodyOf<SiteList>(second)).find(({ facilityUuid }) => facilityUuid === sample.facilityUuid),
  ).toMatchObject({ serviceAreas });
  await admin.call("PATCH", `/api/v1/facility/settings/${sample.facilityUuid}`, {
    serviceAreas: settings.serviceAreas,
  });
});

test("the last visits of a district are only for people who may view assessments, and the audit records that they were read", async () => {
  const rows = await gateway.sql<{ districtId: number; assessmentUuid: string }>`
    select district_id, (select assessment_uuid from assessment where facility_uuid = f.facility_uuid order by assessed_at desc, assessment_uuid desc limit 1) as assessment_uuid
    from facility f where facility_uuid in (select facility_uuid from assessment) order by facility_uuid limit 1`;
  const { districtId, assessmentUuid } = rows[0]!;
  const path = `/api/v1/assessment/latest/district/${districtId}`;
  const visits = bodyOf<{ facilityUuid: string; assessmentUuid: string }[]>(await admin.get(path));
  expect(new Set(visits.map(({ facilityUuid }) => facilityUuid)).size).toBe(visits.length);
  expect(visits.find((one) => one.assessmentUuid === assessmentUuid)).toEqual(
    bodyOf(await admin.get(`/api/v1/assessment/${assessmentUuid}`)),
  );
  const statuses = await Promise.all(
    ["viewer", "assessor", "plain", "uploader"].map(
      async (login) => (await (await gateway.as(login)).get(path)).status,
    ),
  );
  expect(statuses).toEqual([200, 200, 403, 403]);
  expect((await admin.get("/api/v1/assessment/latest/district/4711")).status).toBe(404);
  const written = bodyOf<{ userName: string; details: unknown }[]>(
    await admin.get("/api/v1/audit?action=assessment.export&limit=10"),
  );
  expect(written).toContainEqual(
    expect.objectContaining({ userName: "viewer", details: { districtId, latest: true } }),
  );
});

test("a list of 3,311 sites takes less than 250 kB on the wire", async () => {
  const country = await testGateway("demo");
  try {
    await sql`
      insert into facility (facility_uuid, facility_name, hmis_code, old_hmis_code, district_id, province_id, implementing_partner_id, facility_type,
        facility_owner, latitude, longitude, catchment_population, operation_status)
      select gen_random_uuid()::text, (array['Chi', 'Ka', 'Lu', 'Mwa', 'Nso'])[1 + (random() * 4)::int] || md5(random()::text)::char(5) || ' Rural Health Centre',
        (20000000 + n)::text, (random() * 900000)::int::text, district_id, province_id, 1 + n % 3, (array['Health Post', 'Hospital'])[1 + n % 2], 'GRZ',
        -8 - random() * 10, 22 + random() * 11, (random() * 30000)::int, 'Operational'
      from generate_series(1, 3311 - (select count(*)::int from facility where closed_on is null)) as n
      join lateral (select * from district order by district_id offset n % 116 limit 1) as place on true`.execute(
      country.db,
    );
    const { cookies } = await country.as("plain");
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const wire = await new Promise<number>((resolve, reject) => {
      request(`${country.url}/api/v1/site`, { headers: { cookie, "accept-encoding": "gzip" } }, (answer) => {
        let bytes = 0;
        answer.on("data", (data: Buffer) => (bytes += data.length));
        answer.on("end", () => resolve(bytes));
      })
        .on("error", reject)
        .end();
    });
    expect(bodyOf<SiteList>(await (await country.as("plain")).get("/api/v1/site")).total).toBe(3311);
    expect(wire).toBeLessThan(250_000);
    expect(wire).toBeGreaterThan(50_000);
  } finally {
    await country.stop();
  }
});
