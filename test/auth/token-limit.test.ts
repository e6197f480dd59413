import type { AddressInfo } from "node:net";

import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { connect, type Database } from "../../db/engine/connect.ts";
import { createServer } from "../../gateway/http/server.ts";
import { type Person, testGateway, type TestGateway } from "../support/gateway.ts";

/** The rate limit of an access token counts its calls to all gateways, by REST and GraphQL. */

const tokenLimit = { times: 6, seconds: 600 };
let first: TestGateway;
let second: { url: string; close: () => Promise<void> };
let admin: Person;

async function another(): Promise<typeof second> {
  const db: Database = connect(first.database.connection, "Africa/Lusaka", () => {}, 2);
  const server = await createServer({ db, dataDir: first.dataDir, timeZone: "Africa/Lusaka", tokenLimit });
  await server.listen({ port: 0, host: "127.0.0.1" });
  const close = async () => {
    await server.close();
    await db.destroy();
  };
  return { url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`, close };
}

beforeAll(async () => {
  first = await testGateway("demo", { tokenLimit });
  second = await another();
  admin = await first.as("admin");
});
afterAll(async () => {
  await second.close();
  await first.stop();
});

async function newToken(): Promise<string> {
  const { rows } = await sql<{ expiryDate: string }>`select (current_date + 1)::text as expiry_date`.execute(first.db);
  const { body } = await admin.call("POST", "/api/v1/token", {
    name: "Often",
    privileges: ["viewAssessments"],
    ...rows[0],
  });
  return (body as { token: string }).token;
}
const call = (url: string, token: string, path = "/api/v1/province") =>
  fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
const ask = (url: string, token: string) =>
  fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query: "{ provinces { totalCount } }" }),
  });
const left = (answer: Response) => Number(/^"token";r=(\d+);t=\d+$/.exec(answer.headers.get("ratelimit") ?? "")?.[1]);

test("calls to both gateways by REST and GraphQL are counted together; further calls get 429 with Retry-After", async () => {
  const token = await newToken();
  const answers = [
    await call(first.url, token),
    await call(second.url, token),
    await ask(first.url, token),
    await ask(second.url, token),
    await call(first.url, token, "/api/v1/province/99999"),
    await call(second.url, token),
  ];
  expect(answers.map(left)).toEqual([5, 4, 3, 2, 1, 0]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404, 200]);
  expect(answers[0]!.headers.get("ratelimit-policy")).toBe('"token";q=6;w=600');
  for (const refused of [
    await call(first.url, token),
    await ask(second.url, token),
    await call(second.url, token),
    await call(first.url, token),
  ]) {
    expect([refused.status, left(refused)]).toEqual([429, 0]);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(500);
    expect(wait).toBeLessThanOrEqual(600);
    const { detail } = (await refused.json()) as { detail: string };
    expect(detail).toContain("6 times in 600 seconds");
  }
  // Another token of the same person, and the person's own session, are not limited.
  expect(left(await call(first.url, await newToken()))).toBe(5);
  const answer = await admin.get("/api/v1/province");
  expect([answer.status, answer.headers.has("ratelimit")]).toEqual([200, false]);
});

test("concurrent calls are counted one by one", async () => {
  const token = await newToken();
  const answers = await Promise.all(
    Array.from({ length: tokenLimit.times + 4 }, (_, index) => call([first.url, second.url][index % 2]!, token)),
  );
  const answered = answers.filter(({ status }) => status === 200);
  expect(answered.map(left).toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  expect(answers.filter(({ status }) => status === 429).map(left)).toEqual([0, 0, 0, 0]);
});

test("the token may call again when the time window is over", async () => {
  const token = await newToken();
  for (let calls = 0; calls < tokenLimit.times; calls += 1) await call(first.url, token);
  expect((await call(second.url, token)).status).toBe(429);
  await sql`update token_limit set expire = 0`.execute(first.db);
  // A gateway that has not refused the token itself, and so reads the database.
  const third = await another();
  const answer = await call(third.url, token);
  await third.close();
  expect([answer.status, left(answer)]).toEqual([200, 5]);
});
