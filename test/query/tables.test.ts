import { type IncomingMessage, request } from "node:http";

import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

import { bearerAt, bodyOf, errorsOf, type Nodes, stranger } from "../support/gateway.ts";
import { changedBy, saveQuery } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * Saved queries for tools that refresh a table from an address: parameters, nested lists, Basic authentication and
 * cross-origin calls.
 */

let token: string;
const gateway = await gatewayOfFile("demo", { corsOrigins: ["https://analysis.example"] });
const admin = await gateway.as("admin");
beforeAll(async () => {
  const { rows } = await sql<{ day: string }>`select (current_date + 60)::text as day`.execute(gateway.db);
  const viewer = await gateway.as("viewer");
  token = bodyOf(
    await viewer.call("POST", "/api/v1/token", {
      name: "Excel",
      privileges: ["viewAssessments"],
      expiryDate: rows[0]!.day,
    }),
  ).token;
});

const save = async (query: string, more: object = {}) =>
  (await changedBy(saveQuery(admin, { name: `Q${Math.random()}`, query, shared: true, ...more }))).path;
const linesOf = ({ text }: { text: string }) => text.replace("\uFEFF", "").trim().split("\r\n");

test("the variables of a saved query are typed parameters of its address", async () => {
  const path = await save(
    `query ($name: String, $n: Int = 3, $modes: [FunctionalityStatusMode!], $on: Boolean = true) {
      districts(first: $n, search: $name) { nodes { name @include(if: $on) districtId } }
      facilities(first: 1, filter: { latestAssessment: { mode: $modes } }) { totalCount }
    }`,
    { variables: { n: 2 } },
  );
  const { data } = await admin.graphql(
    "query ($uuid: String!) { savedQuery(uuid: $uuid) { parameters { name type required value choices } } }",
    { uuid: path.split("/").at(-1) },
  );
  expect(data.savedQuery).toEqual({
    parameters: [
      { name: "name", type: "String", required: false, value: null, choices: null },
      { name: "n", type: "Int", required: false, value: "2", choices: null },
      { name: "modes", type: "[FunctionalityStatusMode!]", required: false, value: null, choices: null },
      { name: "on", type: "Boolean", required: false, value: "true", choices: null },
    ],
  });
  const rowsOf = async (query: string) =>
    bodyOf(await admin.get(path + query)).data.districts.nodes as { name?: string }[];
  expect(await rowsOf("")).toHaveLength(2);
  expect(await rowsOf("?n=4")).toHaveLength(4);
  expect((await rowsOf("?name=monz&n=")).map(({ name }) => name)).toEqual(["Monze"]);
  expect(Object.keys((await rowsOf("?on=false"))[0]!)).toEqual(["districtId"]);
  const countOf = async (modes: string) =>
    bodyOf(await admin.get(`${path}?modes=${modes}`)).data.facilities.totalCount as number;
  expect(await countOf("EFirst,ELast")).toBe((await countOf("EFirst")) + (await countOf("ELast")));
  expect(await countOf("EFirst&modes=ELast")).toBe(await countOf("EFirst,ELast"));
  const cases = [
    ["?n=four", "n", "must be a whole number"],
    ["?on=perhaps", "on", "must be true or false"],
    ["?modes=EFirst,None", "modes", /^must be one of .*EFirst.*, or several/],
    ["?nosuch=1", "nosuch", "is not a known key"],
    ["?n=1&n=2", "n", "is given twice"],
  ] as const;
  for (const [query, where, message] of cases)
    for (const form of ["", ".csv", ".ndjson"]) {
      const answer = await admin.get(path + form + query);
      expect([query, form, answer.status]).toEqual([query, form, 422]);
      expect(errorsOf(answer)).toEqual([
        { path: where, message: typeof message === "string" ? message : expect.stringMatching(message) },
      ]);
    }
});

test("nested lists become rows: outer values are repeated, and an empty list gives one row", async () => {
  const query =
    "{ provinces(first: 3) { nodes { name districts(first: 8) { totalCount nodes { name facilities(first: 2, mode: NotOperational) { nodes { facilityName serviceAreas { serviceArea } } } } } } } }";
  const path = await save(query);
  type District = {
    name: string;
    facilities: Nodes<{ facilityName: string; serviceAreas: { serviceArea: string }[] }>;
  };
  type Province = { name: string; districts: Nodes<District> & { totalCount: number } };
  const { data } = await admin.graphql<{ provinces: Nodes<Province> }>(query);
  const wanted: unknown[][] = data.provinces.nodes.flatMap((province) =>
    province.districts.nodes.flatMap((district) =>
      (district.facilities.nodes.length > 0 ? district.facilities.nodes : [null]).map((facility) => [
        ...[province.name, province.districts.totalCount, district.name, facility?.facilityName ?? null],
        facility ? facility.serviceAreas.map((area) => area.serviceArea).join("; ") : null,
      ]),
    ),
  );
  const header = [
    "name",
    "districts.totalCount",
    "districts.name",
    "districts.facilities.facilityName",
    "districts.facilities.serviceAreas.serviceArea",
  ];
  expect(wanted.some((row) => row[3] === null) && wanted.some((row) => row[3] !== null)).toBe(true);
  const ndjson = (await admin.get(`${path}.ndjson`)).text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(ndjson.map((row) => Object.keys(row))).toEqual(wanted.map(() => header));
  expect(ndjson.map((row) => Object.values(row))).toEqual(wanted);
  const csv = linesOf(await admin.get(`${path}.csv`));
  expect(csv[0]).toBe(header.join(","));
  expect(csv).toHaveLength(wanted.length + 1);
  const { data: counts } = await admin.graphql("{ provinces { totalCount } }");
  const provinces = (await admin.get(`${path}.ndjson?pages=all`)).text
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { name: string }).name);
  expect(new Set(provinces).size).toBe(counts.provinces.totalCount);
  const posted = await admin.call("POST", "/graphql", { query }, { accept: "application/x-ndjson" });
  expect(posted.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  expect(posted.text).toBe((await admin.get(`${path}.ndjson`)).text);
});

test("a nested list is complete or refused, and lists side by side are refused by name", async () => {
  const cut = await admin.get(
    `${await save("{ implementingPartners { nodes { implementingPartner facilities { nodes { facilityName } } } } }")}.csv`,
  );
  expect(cut.status).toBe(422);
  expect(errorsOf(cut)[0]!.message).toMatch(/facilities is whole, and one of these lists has more than 100 rows/);
  const few = await admin.get(
    `${await save("{ implementingPartners { nodes { implementingPartner facilities(first: 1) { nodes { facilityName } } } } }")}.csv`,
  );
  expect(few.status).toBe(200);
  const beside = await admin.get(
    `${await save("{ provinces { nodes { districts { nodes { name } } facilities(first: 1) { nodes { facilityName } } } } }")}.csv`,
  );
  expect(errorsOf(beside)[0]!.message).toMatch(/side by side: districts and facilities do/);
});

/** The status and the challenge for a request without the headers of a browser. */
const challengeOf = async (headers: Record<string, string> = {}, path = "/api/v1/province") => {
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    request(gateway.url + path, { headers }, resolve)
      .once("error", reject)
      .end(),
  );
  answer.resume();
  return [answer.statusCode, answer.headers["www-authenticate"]];
};
const challenge = expect.stringMatching(/^Basic realm=".+", charset="UTF-8", Bearer$/);

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

test("Basic authentication accepts a user name with a token, with the token's rights, limits and audit, and never the password", async () => {
  const path = await save("{ provinces { nodes { name } } }");
  const program = stranger(gateway.url);
  const csv = await program.get(`${path}.csv`, basic("viewer", token));
  expect([csv.status, csv.headers.get("ratelimit") !== null]).toEqual([200, true]);
  expect((await program.get("/api/v1/facility?limit=1", basic("VIEWER", token))).status).toBe(200);
  expect((await program.get("/api/v1/audit", basic("viewer", token))).status).toBe(403);
  for (const wrong of [
    basic("viewer", "demo-password"),
    basic("admin", token),
    basic("", token),
    basic("viewer", `${token}x`),
    { authorization: "Basic !" },
  ]) {
    expect(await challengeOf(wrong, `${path}.csv`)).toEqual([401, challenge]);
  }
  // Writing and GraphQL accept the token only as a bearer token.
  expect(
    (await program.call("POST", "/api/v1/query/check", { query: "{ __typename }" }, basic("viewer", token))).status,
  ).toBe(401);
  expect((await program.call("POST", "/graphql", { query: "{ __typename }" }, basic("viewer", token))).status).toBe(
    401,
  );
  expect((await bearerAt(gateway.url, token).get(`${path}.csv`)).status).toBe(200);
  const uses = await gateway.db
    .selectFrom("auditEvent")
    .select(["outcome"])
    .where("action", "=", "token.use")
    .execute();
  expect(uses.map(({ outcome }) => outcome)).toEqual(expect.arrayContaining(["done", "denied"]));
});

test("programs and opened addresses get a Basic challenge, requests by a page do not", async () => {
  expect(await challengeOf()).toEqual([401, challenge]);
  expect(await challengeOf({ "sec-fetch-mode": "navigate" })).toEqual([401, challenge]);
  const pages: Record<string, string>[] = [
    { "sec-fetch-mode": "cors" },
    { cookie: "session=gone" },
    { "x-person": "0192f0c4-7d3e" },
  ];
  for (const headers of pages) expect(await challengeOf(headers)).toEqual([401, undefined]);
  expect(await challengeOf({}, "/api/v1/auth")).toEqual([401, undefined]);
});

test("pages of a listed origin may call with a token but not with a cookie; other origins may not call", async () => {
  const origin = "https://analysis.example";
  const preflight = (from: string) =>
    stranger(gateway.url).call("OPTIONS", "/api/v1/facility", undefined, {
      origin: from,
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    });
  const allowed = await preflight(origin);
  expect([
    allowed.status,
    allowed.headers.get("access-control-allow-origin"),
    allowed.headers.get("access-control-allow-credentials"),
  ]).toEqual([204, origin, null]);
  expect(allowed.headers.get("access-control-allow-headers")).toMatch(/Authorization/);
  const read = await bearerAt(gateway.url, token).get("/api/v1/facility?limit=1", { origin });
  expect([read.status, read.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
  expect(read.headers.get("access-control-expose-headers")).toMatch(/\bLink\b/);
  const byCookie = await admin.get("/api/v1/facility?limit=1", { origin });
  expect([byCookie.status, byCookie.headers.get("access-control-allow-credentials")]).toEqual([401, null]);
  for (const other of ["https://evil.example", "http://analysis.example", "null"]) {
    expect((await preflight(other)).headers.get("access-control-allow-origin")).toBeNull();
    expect(
      (await bearerAt(gateway.url, token).get("/api/v1/province", { origin: other })).headers.get(
        "access-control-allow-origin",
      ),
    ).toBeNull();
  }
});
