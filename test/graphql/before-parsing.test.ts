import { expect, test } from "vitest";

import { type Answer, bodyOf, type Person, stranger } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * The checks before a query is parsed (caller, length, tokens), the cache of parsed documents, and the size of error
 * answers.
 */

const gateway = await gatewayOfFile();
const viewer = await gateway.as("viewer");

const graphqlJson = { accept: "application/graphql-response+json" };
const ask = (person: Person, query: string) => person.call("POST", "/graphql", { query }, graphqlJson);
const firstError = ({ body }: Answer) =>
  (body as { errors: { message: string; extensions: { code: string } }[] }).errors[0]!;
const bomb = (n: number, directives = 24_800) =>
  `{ system { today ${"@a".repeat(directives - 8)}${"@b".repeat(1 + (n % 7))} @c${n} } }`;

test("an anonymous caller's session query and sign-in are answered", async () => {
  const person = stranger(gateway.url);
  expect(
    (await person.graphql("{ viewer { user { uuid userName } } system { appName today } __typename }")).data,
  ).toMatchObject({ viewer: null, __typename: "Query" });
  const signIn =
    "mutation ($login: String!, $password: String!) { signIn(input: { login: $login, password: $password }) { status errors { message } } }";
  expect((await person.graphql(signIn, { login: "viewer", password: "demo-password" })).data.signIn).toEqual({
    status: "SIGNED_IN",
    errors: [],
  });
});

test("an anonymous caller's large body or long query is refused, with its size and the limit", async () => {
  const body = await ask(stranger(gateway.url), bomb(0));
  expect([body.status, bodyOf<{ detail: string }>(body).detail]).toEqual([
    401,
    expect.stringMatching(/^The body has [45]\d,\d{3} bytes; the limit is 16,384 for callers who are not signed in/),
  ]);
  const query = await ask(stranger(gateway.url), `{ system { today } } ${"#".repeat(3000)}`);
  expect([query.status, firstError(query)]).toMatchObject([401, { extensions: { code: "UNAUTHENTICATED" } }]);
  expect(firstError(query).message).toBe(
    "The query is 3,021 bytes long; the limit is 2,048 for callers who are not signed in. Sign in or send a token: the limit is then 65,536.",
  );
});

test("introspection, name suggestions and the explorer are for signed-in callers only, by session or token", async () => {
  const query = "{ __schema { queryType { name } } }";
  const signedOut = stranger(gateway.url);
  const refused = await ask(signedOut, query);
  expect([refused.status, firstError(refused)]).toMatchObject([
    401,
    {
      message: expect.stringMatching(/introspection.*Sign in or send a token/),
      extensions: { code: "UNAUTHENTICATED" },
    },
  ]);
  expect(firstError(await ask(signedOut, "{ provincess { totalCount } }")).message).toBe(
    'Cannot query field "provincess" on type "Query".',
  );
  expect(firstError(await ask(viewer, "{ provincess { totalCount } }")).message).toMatch(/Did you mean "provinces"/);
  const made = await viewer.call("POST", "/api/v1/token", {
    name: "Reads the schema",
    privileges: ["viewAssessments"],
    expiryDate: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
  });
  const { token } = bodyOf<{ token: string }>(made);
  for (const answer of [
    await ask(viewer, query),
    await signedOut.call("POST", "/graphql", { query }, { authorization: `Bearer ${token}` }),
  ])
    expect([answer.status, answer.body]).toMatchObject([200, { data: { __schema: { queryType: { name: "Query" } } } }]);
  const html = { accept: "text/html" };
  const [closed, open] = [await signedOut.get("/graphql", html), await viewer.get("/graphql", html)];
  expect([closed.status, closed.text]).toEqual([401, expect.stringContaining("Please sign in to the platform first.")]);
  expect([open.status, open.text]).toEqual([200, expect.stringContaining('id="explorer"')]);
  expect((await signedOut.get("/explorer.html", html)).status).toBe(404);
});

/** Bytes of the heap in use, as /metrics reports them. */
const usedMemory = async (): Promise<number> => {
  const figures = (await stranger(gateway.url).get("/metrics")).text;
  return Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(figures)![1]);
};
const documentBytes = async (): Promise<[number, number]> => {
  const figures = (await stranger(gateway.url).get("/metrics")).text;
  return ["documents", "document_bytes"].map((name) =>
    Number(new RegExp(`^platform_graphql_${name} (\\S+)`, "m").exec(figures)![1]),
  ) as [number, number];
};

test("100 different parse bombs, anonymous and signed in, add no cached document and less than 200 MB of heap", async () => {
  await documentBytes();
  const before = await usedMemory();
  const [documents] = await documentBytes();
  for (let n = 0; n < 100; n += 1) {
    const [from, size] =
      n % 2
        ? ([viewer, n % 4 === 1 ? 24_800 : 5000] as const)
        : ([stranger(gateway.url), n % 4 === 0 ? 24_800 : 500] as const);
    expect([400, 401]).toContain((await ask(from, bomb(n, size))).status);
  }
  expect((await documentBytes())[0]).toBe(documents);
  // Parsing one bomb took about 40 MB, so 100 would take 4 GB.
  expect(await usedMemory()).toBeLessThan(before + 200e6);
});

test("valid documents are cached up to a limit in bytes, invalid ones are not cached", async () => {
  const wide = (n: number) =>
    `{ ${Array.from({ length: 95 }, (_, at) => `a${at}: province(provinceId: 1) { ${"name ".repeat(4)} }`).join(" ")} } # ${n}`;
  expect((await ask(viewer, wide(0))).status).toBe(200);
  const [first] = await documentBytes();
  expect((await ask(viewer, wide(0).replace("name", "none"))).status).toBe(400);
  expect((await documentBytes())[0]).toBe(first);
  for (let n = 1; n <= 100; n += 1) await ask(viewer, wide(n));
  const [documents, bytes] = await documentBytes();
  expect(bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
  expect(documents).toBeLessThan(first + 100);
  expect(documents).toBeGreaterThan(10);
});

test.each([
  ["a long name", `{ ${"x".repeat(60_000)} }`],
  ["many names", `{ ${Array.from({ length: 400 }, (_, n) => `none${n}${"y".repeat(100)}`).join(" ")} }`],
  ["control characters", `{ a(b: "${"\\u0001".repeat(5000)}") { \u0001\u0001 } }`],
  [
    "a long fragment that spreads itself",
    `{ ...${"f".repeat(20_000)} } fragment ${"f".repeat(20_000)} on Query { ...${"f".repeat(20_000)} }`,
  ],
])("an error answer to %s has at most 8 kB", async (_, query) => {
  for (const headers of [graphqlJson, {}]) {
    const answer = await viewer.call("POST", "/graphql", { query }, headers);
    expect(firstError(answer).message).not.toBe("");
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(8192);
  }
});

test("error answers to wrong variables, an unknown operation and unknown input fields have at most 8 kB", async () => {
  const bodies = [
    {
      query: "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }",
      variables: { ids: Array.from({ length: 500 }, () => ({ long: "z".repeat(200) })) },
    },
    { query: "{ system { today } }", operationName: "o".repeat(50_000) },
  ];
  for (const body of bodies) {
    const answer = await viewer.call("POST", "/graphql", body, graphqlJson);
    expect([answer.status, Buffer.byteLength(answer.text) <= 8192]).toEqual([400, true]);
  }
  const unknownFields = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`strange${n}`, n]));
  const rest = await (await gateway.as("admin")).call("POST", "/api/v1/user", unknownFields);
  expect([rest.status, Buffer.byteLength(rest.text) <= 8192]).toEqual([422, true]);
});

test("JSON that is nested thousands of levels deep is refused with 400, wherever it is sent", async () => {
  const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
  const shallow = `${'{"a":'.repeat(60)}1${"}".repeat(60)}`;
  const query = "query ($filter: FacilityFilter) { facilities(filter: $filter) { totalCount } }";
  const send = (method: string, path: string, text?: string, type = "application/json") =>
    fetch(`${gateway.url}${path}`, {
      method,
      ...(text === undefined ? {} : { body: text }),
      headers: {
        cookie: [...viewer.cookies].map((pair) => pair.join("=")).join("; "),
        ...(text ? { "content-type": type } : {}),
      },
    });
  const part = (name: string, value: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const asked = (value: string) => `{"query":${JSON.stringify(query)},"variables":{"filter":${value}}}`;
  const save =
    "mutation ($input: CreateSavedQueryInput!) { createSavedQuery(input: $input) { errors { path message } } }";
  const answers = await Promise.all([
    send("POST", "/graphql", asked(deep)),
    send("POST", "/graphql", `{"query":"{ system { today } }","extensions":${deep}}`),
    send(
      "GET",
      `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(`${'{"a":'.repeat(200)}1${"}".repeat(200)}`)}`,
    ),
    send(
      "POST",
      "/graphql",
      `${part("operations", asked(deep))}${part("map", "{}")}--x--\r\n`,
      "multipart/form-data; boundary=x",
    ),
    send("PATCH", "/api/v1/user", deep),
    send(
      "POST",
      "/graphql",
      JSON.stringify({
        query: save,
        variables: { input: { name: "Deep", query: "{ system { today } }", variables: deep } },
      }),
    ),
  ]);
  const found = await Promise.all(
    answers.map(async (answer) => [answer.status, /nested deeper than 64 levels/.test(await answer.text())]),
  );
  expect(found.slice(0, 5)).toEqual([400, 400, 400, 400, 400].map((status) => [status, true]));
  expect(found[5]![1]).toBe(true);
  expect((await send("POST", "/graphql", asked(shallow))).status).toBe(400);
  expect(await (await send("PATCH", "/api/v1/user", shallow)).text()).toMatch(/is not a known key/);
});
