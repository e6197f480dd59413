import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { searchKeyOf } from "../../db/facility/facilitySearch.ts";
import { bodyOf, type Nodes, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { statementsOf } from "../support/statements.ts";

let ids: { provinceId: number; districtId: number; implementingPartnerId: number; facilityUuid: string };

const gateway = await gatewayOfFile();
const plain = await gateway.as("plain");
beforeAll(async () => {
  const rows = await gateway.sql<typeof ids>`
    select f.province_id, f.district_id, f.implementing_partner_id, f.facility_uuid from facility f
    where f.implementing_partner_id is not null and f.functionality_status_mode = 'EFirst' and f.hmis_code is not null
    order by facility_uuid limit 1`;
  ids = rows[0]!;
});

const list = async (path: string) => bodyOf<{ id: number; name: string }[]>(await plain.get(path));

describe("lists by REST", () => {
  test("provinces and districts are complete and sorted by name", async () => {
    const provinces = await list("/api/v1/province");
    expect(provinces.map(({ name }) => name)).toEqual([
      ...[
        "Central",
        "Copperbelt",
        "Eastern",
        "Luapula",
        "Lusaka",
        "Muchinga",
        "North Western",
        "Northern",
        "Southern",
        "Western",
      ],
    ]);
    const districts = await list("/api/v1/district");
    expect(districts).toHaveLength(116);
    expect(districts.map(({ name }) => name)).toEqual(districts.map(({ name }) => name).toSorted());
    const parts = await Promise.all(provinces.map(({ id }) => list(`/api/v1/district/province/${id}`)));
    expect(parts.flat().length).toBe(116);
    expect(Object.keys(districts[0]!)).toEqual(["id", "name"]);
  });

  test("are read in pages by limit and cursor through the Link header; the pages together are the same JSON as the unpaged list", async () => {
    const { provinceId, districtId } = ids;
    const facilityName = 'Quote " slash / \\ tab \t line \n bell \u0007 \u001f é 🏥 \u2028 </script>';
    await gateway.db
      .insertInto("facility")
      .values({ facilityUuid: "odd name", facilityName, provinceId, districtId })
      .execute();
    const unpaged = await plain.get("/api/v1/facility");
    expect(unpaged.body).toContainEqual({ uuid: "odd name", facilityName });
    expect(unpaged.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect((await plain.get("/api/v1/facility", { "if-none-match": unpaged.headers.get("etag")! })).status).toBe(304);
    const seen: unknown[] = [];
    let next: string | undefined = "/api/v1/facility?limit=100";
    while (next) {
      const answer = await plain.get(next);
      seen.push(...bodyOf<unknown[]>(answer));
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
    }
    await gateway.db.deleteFrom("facility").where("facilityUuid", "=", "odd name").execute();
    expect(unpaged.text).toBe(JSON.stringify(seen));
    const rows = await gateway.sql<{ id: number }>`
      insert into implementing_partner (name) values ('Without facilities') returning implementing_partner_id as id`;
    expect((await plain.get(`/api/v1/facility/ip/${rows[0]!.id}`)).text).toBe("[]");
  });

  test("the metadata of a facility are found by a facilityUuid that does not have the form of a UUID", async () => {
    const rows = await gateway.sql<{ facilityUuid: string }>`
      select facility_uuid from facility where facility_uuid !~ '^[0-9a-f]{8}-' limit 1`;
    const uuid = rows[0]!.facilityUuid;
    expect((await plain.get(`/api/v1/facilityMetadata/${uuid}`)).status).toBe(200);
  });
});

describe("bad input by REST", () => {
  test.each([
    ["/api/v1/province/99999", 404],
    ["/api/v1/province/0", 404],
    ["/api/v1/province/-1", 404],
    ["/api/v1/district/99999", 404],
    ["/api/v1/district/province/99999", 404],
    ["/api/v1/implementingPartner/99999", 404],
    ["/api/v1/facility/province/99999", 404],
    ["/api/v1/facility/district/99999", 404],
    ["/api/v1/facility/ip/99999", 404],
    ["/api/v1/facility/mode/EFirst/ip/99999", 404],
    ["/api/v1/facilityMetadata/nope", 404],
    ["/api/v1/facilityConnectivity/nope", 404],
    ["/api/v1/facility/settings/nope", 404],
    ["/api/v1/privilege/facility/nope", 404],
    ["/api/v1/privilege/user/nope", 404],
    ["/api/v1/privilege/ip/99999", 404],
    ["/api/v1/no/such/call", 404],
    ["/api/v1/province/abc", 422, "id"],
    ["/api/v1/province/99999999999", 422, "id"],
    ["/api/v1/province/1e0", 422, "id"],
    ["/api/v1/province/0x1", 422, "id"],
    ["/api/v1/province/%20", 422, "id"],
    ["/api/v1/facility/mode/Efirst", 422, "mode"],
    ["/api/v1/facility/mode/EFirst?year=1999&quarter=1", 422, "year"],
    ["/api/v1/facility/mode/EFirst?year=2026&quarter=5", 422, "quarter"],
    ["/api/v1/facility/mode/EFirst?year=2026&month=13", 422, "month"],
    ["/api/v1/facility/mode/EFirst?quarter=1", 422, "year"],
    ["/api/v1/facility/mode/EFirst?year=2026&quarter=1&month=2", 422, "month"],
    ["/api/v1/facility?limit=0", 422, "limit"],
    ["/api/v1/facility?limit=1001", 422, "limit"],
    ["/api/v1/facility?cursor=forged", 422, "cursor"],
    ["/api/v1/facility?colour=red", 422, "colour"],
    ["/api/v1/facility/search/args/ab", 422, "text"],
    [`/api/v1/facility/search/args/${"a".repeat(129)}`, 422, "text"],
    ["/api/v1/facility/search/args/abc%00", 422, "text"],
    ["/api/v1/implementingPartner/active/maybe", 422, "active"],
    ["/api/v1/facility/search/args/%E0%A4%A", 400],
  ])("%s returns %i", async (path, status, parameter = "") => {
    const answer = await plain.get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
    const problem = bodyOf<{ status: number; title: string; detail: string; errors?: { path: string }[] }>(answer);
    expect(problem.status).toBe(status);
    expect(problem.detail).toBeTruthy();
    if (parameter) expect(problem.errors!.map(({ path: named }) => named)).toContain(parameter);
  });
});

describe("every answer", () => {
  test("has a strict Content-Security-Policy and the usual security headers", async () => {
    for (const path of ["/", "/api/v1/province", "/graphql", "/api/v1/docs/", "/healthz", "/nowhere"]) {
      const { headers } = await plain.get(path);
      const policy = headers.get("content-security-policy")!;
      expect(policy).toContain("default-src 'self'");
      expect(policy).not.toMatch(/unsafe-|https?:|\*/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("has no stack trace and no SQL if it is a failure", async () => {
    const broken = await testGateway("demo", {}, [/province|"status":500/]);
    try {
      const person = await broken.as("plain");
      await sql`alter table province rename to renamed`.execute(broken.db);
      const answers = [
        await plain.get("/api/v1/facility?cursor=WyJhIiwxXQ"),
        await person.get("/api/v1/province"),
        await person.call("POST", "/graphql", { query: "{ provinces { nodes { name } } }" }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([422, 500, 500]);
      for (const { text } of answers) expect(text).not.toMatch(/select|relation|\bat \/|node_modules/i);
    } finally {
      await broken.stop();
    }
  });
});

describe("search", () => {
  let db: TestGateway["db"];
  let searcher: TestGateway;
  let person: Person;
  beforeAll(async () => {
    searcher = await testGateway();
    db = searcher.db;
    person = await searcher.as("plain");
    await sql`insert into facility (facility_uuid, facility_name, hmis_code, old_hmis_code, district_id, province_id)
      select v.uuid, v.name, v.code, v.old_code, d.district_id, d.province_id from (select * from district order by district_id limit 1) d,
      (values ('s1', 'Ng''ombe Urban Health Centre', '50060211', null), ('s2', 'Nyangombe Rural Health Centre', '70090020', null),
        ('s3', 'Chilonga Mission General Hospital', '55070003', null), ('s4', 'Ndeke Clinic (Kitwe)', '10010002', '7700'),
        ('s5', 'Élan Vital Post', '10010003', null), ('s6', 'Chilonga OPD', '55070004', null)) as v (uuid, name, code, old_code)`.execute(
      db,
    );
  });
  afterAll(() => searcher.stop());

  const find = async (text: string) =>
    bodyOf<{ uuid: string }[]>(await person.get(`/api/v1/facility/search/args/${encodeURIComponent(text)}`)).map(
      ({ uuid }) => uuid,
    );

  test.each([
    ["chilonga", ["s3", "s6"]],
    ["CHILONGA mission", ["s3"]],
    ["mission chilonga", ["s3"]],
    ["10010002", ["s4"]],
    ["7700", ["s4"]],
    ["ng'ombe", ["s1", "s2"]],
    ["ngombe", ["s1", "s2"]],
    ["NG’OMBE", ["s1", "s2"]],
    ["elan vit", ["s5"]],
    ["clinic (kitwe", ["s4"]],
    ["chilnga mission", ["s3"]],
    ["ngmobe", ["s1"]],
    ["chilogna", ["s3", "s6"]],
    ["'''", []],
    ["%%%", []],
    ["zzzzqqqq", []],
  ])("%s finds %j, best first", async (text, expected) => {
    const found = await find(text);
    expect(found.slice(0, expected.length || 1)).toEqual(expected);
  });

  test("searchKeyOf normalises a text of ASCII characters as search_key of the database does", async () => {
    const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
    const texts = [
      ...characters.map((each) => `${each}aB${each}${each}c D${each}9 ${each}`),
      characters.join(""),
      characters.toReversed().join(""),
    ];
    const { rows } = await sql<{ key: string }>`
      select search_key(text) as key from unnest(${texts}::text[]) with ordinality as given (text, place) order by place`.execute(
      db,
    );
    expect(await Promise.all(texts.map((text) => searchKeyOf(db, text)))).toEqual(rows.map(({ key }) => key));
  });
});

describe("GraphQL", () => {
  test.each([
    ["{ province(provinceId: 99999) { name } }", "NOT_FOUND"],
    ["{ district(districtId: 99999) { name } }", "NOT_FOUND"],
    ["{ implementingPartner(implementingPartnerId: 99999) { active } }", "NOT_FOUND"],
    [`{ facility(facilityUuid: "nope") { facilityName } }`, "NOT_FOUND"],
  ])("%s returns null with a typed error", async (query, code) => {
    const { data, errors } = await plain.graphql(query);
    expect(Object.values(data)).toEqual([null]);
    expect(errors![0].extensions.code).toBe(code);
  });

  test.each([
    ["{ facilities(first: 101) { totalCount } }", "first"],
    ["{ facilities(first: -1) { totalCount } }", "first"],
    [`{ facilities(after: "forged") { totalCount } }`, "after"],
    [`{ facilities(last: 1, before: "forged") { totalCount } }`, "before"],
    [`{ facilities(search: "ab") { totalCount } }`, "search"],
    ["{ facilities(mode: EFirst, year: 1999) { totalCount } }", "year"],
    ["{ facilities(year: 2026) { totalCount } }", "mode"],
  ])("%s is refused with an error that names %s", async (query, path) => {
    const { errors } = await plain.graphql(query);
    expect(errors![0].extensions.code).toBe("INVALID");
    expect(errors![0].extensions.errors?.[0].path).toBe(path);
  });

  test("refuses queries that are too deep or too expensive, more than 100 nodes, and batches, before any statement of theirs runs", async () => {
    // These identify the caller.
    const signedIn = await statementsOf(() => plain.graphql("{ __typename }"));
    expect((await statementsOf(() => plain.graphql("{ provinces { totalCount } }"))).length).toBeGreaterThan(
      signedIn.length,
    );
    const statements = await statementsOf(async () => {
      const deep =
        "{ provinces { nodes { districts { nodes { facilities { nodes { district { province { districts { nodes { facilities { nodes { id } } } } } } } } } } } } }";
      for (const query of [
        deep,
        `{ ${Array.from({ length: 600 }, (_, n) => `a${n}: provinces { totalCount }`).join(" ")} }`,
      ]) {
        const { errors } = await plain.graphql(query);
        expect(errors![0].message).toMatch(/the limit is \d+/);
      }
      const many = await plain.graphql("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", {
        ids: Array(101).fill("UHJvdmluY2U6MQ=="),
      });
      expect(many.errors![0].message).toContain("at most 100");
      const batch = await plain.call("POST", "/graphql", [{ query: "{ __typename }" }, { query: "{ __typename }" }]);
      expect(batch.status).toBeGreaterThanOrEqual(400);
    });
    expect(statements.filter((text) => !signedIn.includes(text))).toEqual([]);
  });
});

describe("privileges", () => {
  test("are an object of booleans, also those for a facility and for a partner", async () => {
    const manager = await gateway.as("manager");
    const own = (await manager.get("/api/v1/privilege")).body;
    expect(own).toEqual({
      ...{ administrator: false, editAssessments: false, viewAssessments: false, uploadTdbs: false },
      ...{ accessDownloads: false, manageUsers: true, editSelf: true },
    });
    const rows = await gateway.sql<{ facilityUuid: string; partner: string | null }>`
      select distinct on (partner.name) facility_uuid, partner.name as partner
      from facility left join implementing_partner as partner using (implementing_partner_id)`;
    expect(rows.length).toBeGreaterThan(2);
    for (const { facilityUuid, partner } of rows)
      expect([partner, (await manager.get(`/api/v1/privilege/facility/${facilityUuid}`)).body]).toEqual([
        partner,
        { ...(own as object), manageUsers: partner === "Partner A" },
      ]);
    const partners = bodyOf<
      {
        implementingPartnerId: number;
        implementingPartner: string;
      }[]
    >(await manager.get("/api/v1/implementingPartner/active/true"));
    for (const { implementingPartnerId: id, implementingPartner } of partners) {
      const there = bodyOf<{ manageUsers: boolean }>(await manager.get(`/api/v1/privilege/ip/${id}`));
      expect(there.manageUsers, implementingPartner).toBe(implementingPartner === "Partner A");
    }
  });
});

test("the OpenAPI description is served, with a page that refers to no other host", async () => {
  const document = bodyOf<{ openapi: string; paths: object }>(await plain.get("/api/v1/openapi.json"));
  expect(document.openapi).toBe("3.1.0");
  expect(Object.keys(document.paths)).toContain("/api/v1/facilityMetadata/{facilityUuid}");
  const page = await plain.get("/api/v1/docs/");
  expect([page.status, /https?:\/\//.test(page.text)]).toEqual([200, false]);
});

test("a search returns the total number of its results on each page, and within each province that province's number, also 0", async () => {
  const rows = await gateway.sql<{ provinceId: number; count: number }>`
    select province_id, count(*)::integer as count from facility where closed_on is null and search_text like '%chi%' group by province_id`;
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  const pageOf = async (part: string) => {
    const { data, errors } = await plain.graphql(
      `{ facilities(search: "chi", ${part}) { totalCount edges { cursor } nodes { facilityName } } }`,
    );
    expect(errors, part).toBeUndefined();
    return data.facilities;
  };
  expect(all).toBeGreaterThan(30);
  const { edges } = await pageOf("first: 20");
  const parts = [
    "first: 20",
    "first: 3, offset: 10",
    `first: 3, offset: ${all}`,
    `first: 5, after: "${edges[9].cursor}"`,
    `last: 5, before: "${edges[9].cursor}"`,
    "last: 4",
    "first: 20, last: 2",
  ];
  for (const part of parts) expect((await pageOf(part)).totalCount, part).toBe(all);
  expect(
    (await plain.graphql('{ facilities(search: "zzzzzz", first: 5) { totalCount nodes { facilityName } } }')).data
      .facilities,
  ).toEqual({ totalCount: 0, nodes: [] });
  await gateway.db.insertInto("province").values({ name: "Without facilities" }).execute();
  const { data } = await plain.graphql<{
    provinces: Nodes<{ provinceId: number; facilities: { totalCount: number } }>;
  }>(
    '{ provinces(first: 20) { nodes { provinceId facilities(first: 2, search: "chi") { totalCount nodes { facilityName } } } } }',
  );
  const found = data.provinces.nodes.map(({ provinceId, facilities }) => [provinceId, facilities.totalCount] as const);
  const counts = new Map(rows.map(({ provinceId, count }) => [provinceId, count]));
  expect(found).toHaveLength(11);
  expect(found).toEqual(found.map(([id]) => [id, counts.get(id) ?? 0]));
  expect(found.filter(([, count]) => count === 0).length).toBeGreaterThan(0);
});
