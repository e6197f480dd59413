import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { screenAs } from "../support/browser.ts";
import { bodyOf, testGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * Queries by hash (persisted documents): GET with an ETag, hashes that the gateway does not know, and the former
 * client's queries.
 */

const built = fileURLToPath(new URL("../../dist/client", import.meta.url));
/** The queries of an earlier release's client, which this gateway must still accept. */
const former = new URL("former-documents.json", import.meta.url);

const gateway = await gatewayOfFile();
const documents = new Map(
  Object.entries(JSON.parse(await readFile(join(built, ".vite/documents.json"), "utf8")) as Record<string, string>),
);

const hashOf = (name: string) => [...documents].find(([, text]) => text.includes(` ${name}`))![0];
const address = (name: string, variables: object = {}) =>
  `/graphql?${new URLSearchParams({ documentId: hashOf(name), variables: JSON.stringify(variables) })}`;

test("an answer by hash equals the answer by text, and its ETag gives 304 to the same person only", async () => {
  const [plain, admin] = [await gateway.as("plain"), await gateway.as("admin")];
  const url = address("EarlySessionQuery");
  const first = await plain.get(url);
  expect(first.status).toBe(200);
  expect(first.headers.get("cache-control")).toBe("no-store");
  expect(bodyOf(first).data).toEqual((await plain.graphql(documents.get(hashOf("EarlySessionQuery"))!)).data);
  const tag = first.headers.get("etag")!;
  const again = await plain.get(url, { "if-none-match": tag });
  expect([again.status, again.text]).toEqual([304, ""]);
  const others = await admin.get(url, { "if-none-match": tag });
  expect([others.status, bodyOf(others).data.viewer.user.userName]).toEqual([200, "admin"]);
});

test("an error has no ETag and is sent each time", async () => {
  const plain = await gateway.as("plain");
  const url = address("AuditScreenQuery", {});
  const refused = await plain.get(url);
  expect(bodyOf(refused).errors[0].extensions.code).toBe("FORBIDDEN");
  expect(refused.headers.get("etag")).toBeNull();
  const again = await plain.get(url, { "if-none-match": "*" });
  expect(bodyOf(again).errors[0].extensions.code).toBe("FORBIDDEN");
});

test.each([
  ["an unknown hash by GET", "GET", "/graphql?documentId=sha256:0", undefined, 404, "PERSISTED_QUERY_NOT_FOUND"],
  ["an unknown hash by POST", "POST", "/graphql", { documentId: "sha256:0" }, 404, "PERSISTED_QUERY_NOT_FOUND"],
  // Apollo and urql then send texts.
  [
    "a hash of Apollo's by POST",
    "POST",
    "/graphql",
    { variables: {}, extensions: { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } } },
    200,
    "PERSISTED_QUERY_NOT_SUPPORTED",
  ],
  [
    "a hash of Apollo's by GET",
    "GET",
    `/graphql?extensions=${encodeURIComponent('{"persistedQuery":{"version":1,"sha256Hash":"0"}}')}`,
    undefined,
    200,
    "PERSISTED_QUERY_NOT_SUPPORTED",
  ],
])("%s is answered with its error code", async (_, method, path, body, status, code) => {
  const answer = await (await gateway.as("plain")).call(method, path, body);
  expect([answer.status, bodyOf(answer).errors[0].extensions.code]).toEqual([status, code]);
});

test.each([
  ["a mutation by GET", () => address("AccessTokensSection_create"), /POST/],
  ["variables that are not JSON", () => `/graphql?documentId=${hashOf("EarlySessionQuery")}&variables=x`, /not JSON/],
  ["variables that are a list", () => `/graphql?documentId=${hashOf("EarlySessionQuery")}&variables=[]`, /object/],
])("%s is refused", async (_, path, words) => {
  const answer = await (await gateway.as("admin")).get(path());
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(answer.text).toMatch(words);
});

test("each query of the former client is still valid", async () => {
  const texts = JSON.parse(await readFile(former, "utf8")) as string[];
  const admin = await gateway.as("admin");
  const faults: string[] = [];
  for (const query of texts) {
    // Without its variables the query does not run, but it is validated against the schema first.
    const answer = await admin.graphql(query, {});
    const invalid = answer.errors?.find(
      ({ extensions }: { extensions?: { code?: string } }) => extensions?.code === "GRAPHQL_VALIDATION_FAILED",
    );
    if (invalid) faults.push(`${query.slice(0, 60)}: ${invalid.message}`);
  }
  expect(texts.length).toBeGreaterThan(50);
  expect(faults).toEqual([]);
});

test("a client whose hashes the gateway does not know asks by each hash once, then by text, and works", async () => {
  const clientDir = await mkdtemp(join(tmpdir(), "platform-client-"));
  await cp(built, clientDir, { recursive: true });
  await writeFile(join(clientDir, ".vite/documents.json"), "{}");
  const other = await testGateway("demo", { clientDir });
  const browser = await openBrowser();
  try {
    const screen = await screenAs(browser, other, "assessor");
    await screen.open("/provinces");
    await screen.page.getByRole("link", { name: "Lusaka", exact: false }).first().waitFor();
    // The charts of another year: a query that was refused by hash is asked again, with other variables.
    await screen.open(`/provinces?chartYear=${new Date().getUTCFullYear() - 1}`);
    const calls = screen.calls();
    const hashesAsked = calls.flatMap((call) => /^\/graphql \?.*\bdocumentId=([^&]+)/.exec(call)?.[1] ?? []);
    expect(hashesAsked).toContain(hashOf("ProvincesScreenQuery"));
    expect(hashesAsked.toSorted()).toEqual([...new Set(hashesAsked)].toSorted());
    const textsOf = (name: string) => calls.filter((call) => call.includes(`"query":"query ${name}`)).length;
    expect([textsOf("ProvincesScreenQuery"), textsOf("PeriodTabQuery")]).toEqual([1, 2]);
    screen.expectClean(/404/);
    await screen.close();
  } finally {
    await browser.close();
    await other.stop();
    await rm(clientDir, { recursive: true, force: true });
  }
});
