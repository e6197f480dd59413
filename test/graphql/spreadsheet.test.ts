import { describe, expect, test } from "vitest";

import { parse } from "csv-parse/sync";

import { bodyOf, type Nodes, type Person } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** GraphQL answers as CSV: the answer's one list, a page of it or all pages. */

const gateway = await gatewayOfFile("demo", {}, [
  /relation \\"assessment\\" does not exist/,
  /"msg":"Something went wrong on the server/,
]);
const viewer = await gateway.as("viewer");
const plain = await gateway.as("plain");

const csv = { accept: "text/csv" };
const ask = (
  person: Person,
  query: string,
  { variables, path = "/graphql" }: { variables?: object; path?: string } = {},
) => person.call("POST", path, { query, variables }, csv);
const rowsOf = (text: string) => parse(text, { bom: true, columns: true }) as Record<string, string>[];
const problem = (answer: { body: unknown }) =>
  bodyOf<{ status: number; detail: string; errors?: { path: string; message: string }[] }>(answer);

describe("a page", () => {
  test("has a column for each value, dotted names for nested objects, a BOM and CRLF line ends", async () => {
    const query =
      "query Sites { facilities(first: 4) { totalCount pageInfo { endCursor } nodes { facilityName code: hmisCode district { name province { name } } latitude serviceAreas { serviceArea } } } }";
    const answer = await viewer.call("POST", "/graphql", { query, operationName: "Sites" }, csv);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="Sites.csv"');
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const bytes = await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(query)}`, {
      headers: { ...csv, cookie: [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    }).then((response) => response.arrayBuffer());
    expect([...new Uint8Array(bytes).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(answer.text).toContain("\r\n");

    type Site = {
      facilityName: string;
      code: string | null;
      district: { name: string; province: { name: string } };
      latitude: number | null;
      serviceAreas: { serviceArea: string }[];
    };
    const { data } = await viewer.graphql<{ facilities: Nodes<Site> }>(query);
    expect(rowsOf(answer.text)).toEqual(
      data.facilities.nodes.map(({ facilityName, code, district, latitude, serviceAreas }) => ({
        facilityName,
        code: code ?? "",
        "district.name": district.name,
        "district.province.name": district.province.name,
        latitude: latitude === null ? "" : String(latitude),
        "serviceAreas.serviceArea": serviceAreas.map(({ serviceArea }) => serviceArea).join("; "),
      })),
    );
  });

  test("accepts edges, fragments, plain lists and values beside the list", async () => {
    const edges = await ask(
      viewer,
      "{ system { timeZone } province(provinceId: 1) { name districts(first: 2) { edges { cursor node { ...D } } } } } fragment D on District { districtId ... on District { name } }",
    );
    expect(edges.text.split("\r\n")[0]).toBe("system.timeZone,province.name,districtId,name");
    expect(rowsOf(edges.text)[1]).toMatchObject({
      "system.timeZone": "Africa/Lusaka",
      "province.name": expect.stringMatching(/\w/),
    });
    const list = await ask(
      plain,
      "query ($year: Int!, $no: Boolean!) { deploymentMode(year: $year) { quarter calMonth efirst @skip(if: $no) elast } }",
      { variables: { year: 2026, no: true } },
    );
    expect(list.text.split("\r\n")[0]).toBe("quarter,calMonth,elast");
    expect(rowsOf(list.text)).toHaveLength(12);
    const things = await ask(
      plain,
      '{ nodes(ids: ["UHJvdmluY2U6MQ==", "RGlzdHJpY3Q6MQ=="]) { id ... on Province { provinceId } ... on District { districtId } } }',
    );
    expect(rowsOf(things.text).map(({ provinceId, districtId }) => [provinceId, districtId])).toEqual([
      ["1", ""],
      ["", "1"],
    ]);
    const counts = await ask(viewer, "{ provinces { nodes { name facilities(mode: EFirst) { totalCount } } } }");
    expect(Object.keys(rowsOf(counts.text)[0]!)).toEqual(["name", "facilities.totalCount"]);
  });

  test("neutralises formulas and keeps numbers", async () => {
    await gateway.db
      .updateTable("facility")
      .set({ facilityName: '=HYPERLINK("http://x")', latitude: -15.5 })
      .where("facilityUuid", "=", gateway.db.selectFrom("facility").select("facilityUuid").limit(1))
      .execute();
    const { text } = await ask(viewer, '{ facilities(search: "HYPERLINK") { nodes { facilityName latitude } } }');
    expect(text).toBe('facilityName,latitude\r\n"\'=HYPERLINK(""http://x"")",-15.5\r\n');
  });
});

describe("all pages", () => {
  const query =
    "query ($province: Int) { facilities(provinceId: $province, first: 7) { totalCount nodes { facilityUuid } } }";

  test("return each row once, and are recorded as an export in the audit log", async () => {
    const [one, all] = [await ask(viewer, query), await ask(viewer, query, { path: "/graphql?pages=all" })];
    expect(rowsOf(one.text)).toHaveLength(7);
    const { totalCount } = (await viewer.graphql("{ facilities { totalCount } }")).data.facilities;
    const uuids = rowsOf(all.text).map(({ facilityUuid }) => facilityUuid);
    expect([uuids.length, new Set(uuids).size]).toEqual([totalCount, totalCount]);
    const event = await gateway.db
      .selectFrom("auditEvent")
      .select(["action", "details"])
      .where("action", "=", "graphql.export")
      .orderBy("auditEventId", "desc")
      .executeTakeFirstOrThrow();
    expect(event.details).toMatchObject({ list: "facilities", pages: "all", query });
  });

  test("start at the query's cursor, written in the query or given as a variable", async () => {
    const first = (await viewer.graphql("{ facilities(first: 20) { totalCount pageInfo { endCursor } } }")).data
      .facilities;
    for (const [text, variables] of [
      [`{ facilities(first: 50, after: "${first.pageInfo.endCursor}") { nodes { facilityUuid } } }`, {}],
      [
        "query ($c: String) { facilities(after: $c, first: 50) { nodes { facilityUuid } } }",
        { c: first.pageInfo.endCursor },
      ],
    ] as const)
      expect(rowsOf((await ask(viewer, text, { variables, path: "/graphql?pages=all" })).text)).toHaveLength(
        first.totalCount - 20,
      );
  });

  test("break the connection off if a later page fails", async () => {
    const controller = new AbortController();
    const response = await fetch(`${gateway.url}/graphql?pages=all`, {
      method: "POST",
      signal: controller.signal,
      headers: {
        ...csv,
        "content-type": "application/json",
        cookie: [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      },
      body: JSON.stringify({
        query: `{ assessments(first: 100) { nodes { assessmentUuid otherIssues facility { facilityName } ${Array.from({ length: 60 }, (_, n) => `n${n}: assessmentUuid`).join(" ")} } } }`,
      }),
    });
    expect(response.status).toBe(200);
    const reader = response.body!.getReader();
    await reader.read();
    await gateway.db.schema.alterTable("assessment").renameTo("assessmentAway").execute();
    try {
      const readAll = async () => {
        while (!(await reader.read()).done);
      };
      await expect(readAll()).rejects.toThrow(/terminated|aborted|other side closed/);
    } finally {
      await gateway.db.schema.alterTable("assessmentAway").renameTo("assessment").execute();
    }
  });
});

describe("refusals", () => {
  test.each<[string, string, number, RegExp]>([
    ["an answer without a list", "{ system { today } }", 422, /this one has none\. Ask for a list such as/],
    [
      "two lists",
      "{ provinces { nodes { name } } districts { nodes { name } } }",
      422,
      /has 2: provinces, districts\. Ask for one of them/,
    ],
    [
      "two lists within rows",
      "{ provinces { nodes { name districts { nodes { name } } facilities { nodes { facilityName } } } } }",
      422,
      /side by side: districts and facilities do\. Ask for one of them/,
    ],
    [
      "a list of objects beside a list",
      "{ facilities { nodes { serviceAreas { serviceArea serviceAreaId } assessments { nodes { id } } } } }",
      422,
      /side by side: serviceAreas and assessments do/,
    ],
    ["nodes and edges", "{ provinces { nodes { name } edges { node { name } } } }", 422, /nodes or for edges/],
    ["a mutation", "mutation { signOut { errors { path } } }", 422, /only a query can be opened/],
    ["an unknown field", "{ facilities { nodes { colour } } }", 422, /Cannot query field "colour"/],
    [
      "too many nodes",
      "{ provinces { nodes { districts { nodes { facilities { nodes { assessments { nodes { id } } } } } } } } }",
      422,
      /the limit is 20,000/,
    ],
    [
      "a missing variable",
      "query ($n: Int!) { facilities(first: $n) { nodes { facilityName } } }",
      400,
      /"\$n" of required type "Int!" was not provided/,
    ],
    ["more rows than a page has", "{ facilities(first: 101) { nodes { facilityName } } }", 422, /may be at most 100/],
    ["a list that the caller may not see", "{ tdbs { nodes { fileName } } }", 403, /rights/],
    [
      "a record that does not exist",
      "{ province(provinceId: 999) { districts { nodes { name } } } }",
      404,
      /no such province/,
    ],
  ])("%s is refused with a problem that says why", async (_, query, status, message) => {
    const answer = await ask(viewer, query);
    expect([answer.status, answer.headers.get("content-type")], answer.text).toEqual([
      status,
      "application/problem+json; charset=utf-8",
    ]);
    expect(problem(answer).detail).toMatch(message);
  });

  test("pages backwards, an unknown value of pages, an anonymous caller and an unknown key of the body are refused", async () => {
    const backwards = await ask(viewer, "{ facilities(last: 5) { nodes { facilityName } } }", {
      path: "/graphql?pages=all",
    });
    expect([backwards.status, problem(backwards).errors![0]!.message]).toEqual([
      422,
      expect.stringContaining("leave out last"),
    ]);
    expect((await ask(viewer, "{ facilities { nodes { id } } }", { path: "/graphql?pages=some" })).status).toBe(422);
    expect((await fetch(`${gateway.url}/graphql?query={provinces{nodes{name}}}`, { headers: csv })).status).toBe(401);
    expect(
      (await viewer.call("POST", "/graphql", { query: "{ provinces { nodes { id } } }", colour: 1 }, csv)).status,
    ).toBe(422);
  });

  test("a caller that prefers JSON gets JSON, without a refusal", async () => {
    const answer = await viewer.call(
      "POST",
      "/graphql",
      { query: "{ system { today } }" },
      { accept: "application/json, text/csv;q=0.5" },
    );
    expect(bodyOf<{ data: object }>(answer).data).toBeDefined();
  });
});
