import { expect, test } from "vitest";

import { connect } from "../../db/engine/connect.ts";
import { bodyOf, type TestGateway, testGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Queries that GraphQL refuses before they run, with the figure, the limit and what would pass. */

const gateway = await gatewayOfFile();
const viewer = await gateway.as("viewer");

const graphqlJson = { accept: "application/graphql-response+json" };
const ids = (count: number) => Array.from({ length: count }, () => "UHJvdmluY2U6MQ==");
const nest = (levels: number): string =>
  levels === 0 ? "id" : `districts { nodes { province { ${nest(levels - 1)} } } }`;

const refusals: [string, object | object[], RegExp][] = [
  [
    "too many nodes",
    { query: "{ provinces { nodes { facilities { nodes { assessments { nodes { id } } } } } } }" },
    /asks for up to 1,010,100 nodes; the limit is 20,000\. `first: 1` on \w+ would pass/,
  ],
  [
    "too many nodes in several lists",
    {
      query:
        "{ provinces { nodes { a: facilities { nodes { assessments { nodes { id } } } } b: facilities { nodes { assessments { nodes { id } } } } } } }",
    },
    /the limit is 20,000\. `first: 21` on each of its 5 lists would pass/,
  ],
  [
    "too many nodes by variables",
    {
      query:
        "query ($n: Int) { provinces(first: $n) { nodes { districts(first: $n) { nodes { facilities(first: $n) { totalCount nodes { id } } } } } } }",
      variables: { n: 40 },
    },
    /65,640 nodes; the limit is 20,000\. `first: \d+` on \w+ would pass/,
  ],
  [
    "too high a cost",
    {
      query: `{ facilities { nodes { assessments { nodes { ${Array.from({ length: 12 }, (_, n) => `n${n}: id`).join(" ")} } } } } }`,
    },
    /costs up to 1\d\d,\d{3}; the limit is 100,000\. `first: \d+` on \w+ would pass/,
  ],
  [
    "too deep a query",
    { query: `{ provinces { nodes { ${nest(6)} } } }` },
    /is 21 levels deep; the limit is 15\. Take 6/,
  ],
  ["30,000 nested fields", { query: "{a".repeat(30_000) }, /30,000 levels deep; the limit is 15/],
  ["50,000 nested lists", { query: `{ nodes(ids: ${"[".repeat(50_000)}) }` }, /50,002 levels deep/],
  [
    "too many aliases",
    { query: `{ ${Array.from({ length: 1000 }, (_, n) => `a${n}: provinces { totalCount }`).join(" ")} }` },
    /has 1,000 aliases; the limit is 100\. Send it as 10 queries/,
  ],
  [
    "too many directives",
    { query: `{ system { today ${"@skip(if: false)".repeat(1000)} } }` },
    /has 1,000 directives; the limit is 100\. Ask with 100/,
  ],
  [
    "too many tokens",
    { query: `{ nodes(ids: [${'"" '.repeat(20_000)}]) { id } }` },
    /has 20,012 names, values and signs \(tokens\); the limit is 10,000\. Send several smaller queries, and long lists of values as variables/,
  ],
  ["too many fields", { query: `{ ${"system { today } ".repeat(600)} }` }, /has 1,200 fields; the limit is 500/],
  [
    "fragments of fragments",
    {
      query: `{ ...F0 } ${Array.from({ length: 30 }, (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`).join(" ")} fragment F30 on Query { __typename }`,
    },
    /has 1,073,741,824 fields; the limit is 500/,
  ],
  [
    "a chain of fragments",
    {
      query: `{ ...F0 } ${Array.from({ length: 1000 }, (_, n) => `fragment F${n} on Query { ...F${n + 1} }`).join(" ")} fragment F1000 on Query { __typename }`,
    },
    /has 1,002 operations and fragments; the limit is 500/,
  ],
  [
    "too long a query",
    { query: `{ provinces { totalCount } } ${"#".repeat(70_000)}` },
    /is 70,029 bytes long; the limit is 65,536\. Send several smaller queries/,
  ],
  [
    "5,000 ids",
    { query: "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", variables: { ids: ids(5000) } },
    /5,000 ids were asked for; at most 100 can be given at once\. Ask in 50 queries/,
  ],
  [
    "cyclic fragments",
    { query: "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }" },
    /A → B → A\. Take one of these spreads out/,
  ],
  ["an empty list", [], /^Send one operation as a JSON object/],
  [
    "wrong variables",
    { query: "query ($id: Int!) { province(provinceId: $id) { name } }", variables: { id: "one" } },
    /"\$id" got invalid value "one"; Int cannot represent/,
  ],
  [
    "missing variables",
    { query: "query ($id: Int!) { province(provinceId: $id) { name } }" },
    /Variable "\$id" of required type "Int!" was not provided/,
  ],
  [
    "no operation name",
    { query: "query A { system { today } } query B { system { today } }" },
    /2 operations \(A, B\): say with operationName/,
  ],
  [
    "an unknown operation",
    { query: "query A { system { today } }", operationName: "C" },
    /no operation "C" in the document\. It has: A/,
  ],
  ["no operation", { query: "fragment A on Query { __typename }" }, /no operation: begin it with/],
  ["a batch", [{ query: "{ __typename }" }, { query: "{ __typename }" }], /Send one operation in a request/],
];

test.each(refusals)("refuses %s with a message, and answers the next query", async (_, body, message) => {
  const answer = await viewer.call("POST", "/graphql", body, graphqlJson);
  expect(answer.status, answer.text.slice(0, 300)).toBe(400);
  const { errors, data } = bodyOf<{ errors: { message: string }[]; data?: unknown }>(answer);
  expect(errors[0]!.message).toMatch(message);
  expect(data).toBeUndefined();
  expect((await viewer.graphql("{ system { today } }")).data.system.today).toMatch(/^\d{4}/);
});

test("a query that follows the advice passes", async () => {
  const query = "{ provinces { nodes { facilities { nodes { assessments { totalCount nodes { id } } } } } } }";
  const { errors } = await viewer.graphql(query);
  const [, first, list] = /`(first: \d+)` on (\w+) would pass/.exec(errors![0].message)!;
  const advised = await viewer.graphql(query.replace(list!, `${list}(${first})`));
  expect(advised.errors).toBeUndefined();
  expect(advised.data.provinces.nodes.length).toBeGreaterThan(0);
});

test("a mutation by GET is refused with 405, a query by GET is answered", async () => {
  const mutation = await viewer.get(
    `/graphql?query=${encodeURIComponent("mutation { signOut { errors { path } } }")}`,
    graphqlJson,
  );
  expect([mutation.status, mutation.headers.get("allow")]).toEqual([405, "POST"]);
  expect(mutation.text).toContain("A mutation is sent by POST");
  expect((await viewer.get(`/graphql?query=${encodeURIComponent("{ system { today } }")}`, graphqlJson)).status).toBe(
    200,
  );
});

test("variables in the address that are not JSON, and a body of another media type, are refused with a message", async () => {
  const address = `/graphql?query=${encodeURIComponent("query ($id: Int!) { province(provinceId: $id) { name } }")}&variables=`;
  const broken = await viewer.get(`${address}{nope`, graphqlJson);
  expect([broken.status, broken.body]).toEqual([
    400,
    {
      errors: [
        { message: "In the address, variables and extensions must be JSON.", extensions: { code: "MALFORMED" } },
      ],
    },
  ]);
  expect((await viewer.get(`${address}${encodeURIComponent('{"id":1}')}`, graphqlJson)).status).toBe(200);
  const text = await viewer.call("POST", "/graphql", '{"query":"{__typename}"}', { "content-type": "text/plain" });
  expect([text.status, bodyOf<{ detail: string }>(text).detail]).toEqual([
    415,
    "The body must be sent as application/json.",
  ]);
});

test("callers that accept application/json get refusals with status 200, as GraphQL over HTTP specifies", async () => {
  const answer = await viewer.call(
    "POST",
    "/graphql",
    { query: `{ provinces { nodes { ${nest(6)} } } }` },
    { accept: "application/json" },
  );
  expect([answer.status, bodyOf<{ errors: object[] }>(answer).errors.length]).toEqual([200, 1]);
});

test("an answer reports its cost, also one with errors", async () => {
  const query = "{ provinces(first: 3) { totalCount nodes { name districts(first: 2) { nodes { name } } } } }";
  const answer = await viewer.call("POST", "/graphql", { query });
  expect(bodyOf<{ extensions: { cost: object } }>(answer).extensions.cost).toEqual({
    // 3 provinces with 2 districts each. Each list costs 10, each row 1 and each value 1.
    ...{ nodes: 9, cost: 10 + 1 + 3 * (1 + 1 + 10 + 2 * (1 + 1)), depth: 5, aliases: 0, fields: 7 },
    limits: {
      nodes: 20_000,
      cost: 100_000,
      depth: 15,
      aliases: 100,
      fields: 500,
      directives: 100,
      tokens: 10_000,
      bytes: 65_536,
    },
  });
  const failed = await viewer.call("POST", "/graphql", { query: "{ tdbs { totalCount } }" });
  expect(bodyOf<{ extensions: { cost: { cost: number } } }>(failed).extensions.cost.cost).toBe(11);
});

test("a statement that takes too long is an error with advice, and the connection pool stays usable", async () => {
  const db = connect(gateway.database.connection, "Africa/Lusaka", () => {}, 3, 1);
  const slow = await testGateway("empty", { db }, [
    /"path":"\/(graphql|api\/v1\/facility\/district\/1)".*"status":504/,
  ]);
  try {
    const query = { query: "{ facilities { totalCount } }" };
    await gateway.db.transaction().execute(async (transaction) => {
      await transaction.schema.alterTable("facility").addColumn("held", "integer").execute();
      const answers = await Promise.all(
        [1, 2, 3].map(() => viewerOf(slow).then((person) => person.call("POST", "/graphql", query))),
      );
      for (const { body } of answers) {
        const { errors } = body as { errors: { message: string; extensions: { code: string } }[] };
        expect(errors[0]!.extensions.code).toBe("TOO_SLOW");
        expect(errors[0]!.message).toMatch(/Narrow it: fewer rows, a shorter period/);
      }
      expect((await (await viewerOf(slow)).get("/api/v1/facility/district/1")).status).toBe(504);
      await transaction.schema.alterTable("facility").dropColumn("held").execute();
    });
    expect((await (await viewerOf(slow)).graphql(query.query)).data.facilities.totalCount).toBeGreaterThan(0);
  } finally {
    await db.destroy();
    await slow.stop();
  }
});

const viewerOf = (slow: TestGateway) => slow.as("viewer");
