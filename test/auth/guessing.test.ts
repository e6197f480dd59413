import type { AddressInfo } from "node:net";

import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

import { createServer } from "../../gateway/http/server.ts";
import { type Person, stranger } from "../support/gateway.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

/**
 * Hundreds of guesses from many addresses (behind a trusted proxy), half for an existing name, half for an unknown one.
 */

let database: TestDatabase;
let server: Awaited<ReturnType<typeof createServer>>;
let url: string;

beforeAll(async () => {
  database = await testDatabase("demo");
  server = await createServer({
    db: database.db,
    dataDir: inject("demoFiles"),
    timeZone: "Africa/Lusaka",
    trustProxy: 1,
  });
  await server.listen({ port: 0, host: "127.0.0.1" });
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

const known = "assessor";
const unknown = "nobody-at-all";

/** Signs in; every ten calls for a name come from another address. */
async function guess(login: string, turn: number, password = `guess-number-${turn}`) {
  const from = `10.${login === known ? 1 : 2}.0.${Math.floor(turn / 10) + 1}`;
  const { status, text, headers } = await stranger(url).call(
    "POST",
    "/api/v1/auth",
    { login, password },
    { "x-forwarded-for": from },
  );
  return { status, text, cookies: headers.getSetCookie() };
}

test("a known and an unknown name are locked out with the same answers", async () => {
  const answers = { [known]: [], [unknown]: [] } as Record<string, Awaited<ReturnType<typeof guess>>[]>;
  // The first guesses one by one, so that the answers have the order of the guesses; then several at a time.
  for (let turn = 0; turn < 120;) {
    const turns = Array.from({ length: turn < 20 ? 1 : 10 }, (_, index) => turn + index);
    for (const login of [known, unknown])
      answers[login]!.push(...(await Promise.all(turns.map((each) => guess(login, each)))));
    turn += turns.length;
  }
  expect(answers[unknown]).toEqual(answers[known]);
  const statuses = answers[known]!.map(({ status }) => status);
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
  expect(new Set(statuses.slice(5))).toEqual(new Set([424]));
  expect(answers[known]!.every(({ cookies }) => !cookies.some((cookie) => cookie.startsWith("session=")))).toBe(true);
  // Not even with the right password, from a new address.
  expect((await guess(known, 600, "demo-password")).status).toBe(424);
});

test("attempts that killed gateways left open do not block a sign-in with the right password", async () => {
  const left = { points: 0, expire: Date.now() + 900_000, trying: 5, triedAt: new Date() };
  await database.db
    .insertInto("signInLimit")
    .values({ key: "name:manager", ...left })
    .execute();
  expect((await guess("manager", 700, "demo-password")).status).toBe(200);
});

test("a right password is answered while guesses from other addresses are still waiting", async () => {
  let answered = 0;
  const guesses = Array.from({ length: 60 }, async (_, index) => {
    const from = `10.3.0.${(index % 4) + 1}`;
    const answer = await stranger(url).call(
      "POST",
      "/api/v1/auth",
      { login: `guessed-${index}`, password: "wrong-password" },
      { "x-forwarded-for": from },
    );
    answered += 1;
    return answer.status;
  });
  // By then all guesses have arrived. In the order of arrival the right password would be answered last.
  await expect.poll(() => answered).toBeGreaterThan(9);
  const { status } = await stranger(url).call(
    "POST",
    "/api/v1/auth",
    { login: "viewer", password: "demo-password" },
    { "x-forwarded-for": "10.4.0.1" },
  );
  expect(status).toBe(200);
  expect(answered).toBeLessThan(guesses.length);
  expect(await Promise.all(guesses)).toEqual(guesses.map(() => 401));
});

test("under guesses from many networks, a person who signed in before from theirs, or with this browser, is next", async () => {
  const viewer = (from: string, person = stranger(url)) =>
    person.call("POST", "/api/v1/auth", { login: "viewer", password: "demo-password" }, { "x-forwarded-for": from });
  const browser = stranger(url);
  expect((await viewer("2001:db8:7:7::1", browser)).status).toBe(200);
  let answered = 0;
  const guesses = Array.from({ length: 80 }, async (_, index) => {
    const answer = await stranger(url).call(
      "POST",
      "/api/v1/auth",
      { login: `flood-${index}`, password: "wrong-password" },
      { "x-forwarded-for": `198.51.100.${index}` },
    );
    answered += 1;
    return answer.status;
  });
  await expect.poll(() => answered).toBeGreaterThan(4);
  // Another address of the same network, and the same browser elsewhere. Without this rule they would be the last.
  expect((await viewer("2001:db8:7:7::2")).status).toBe(200);
  expect((await viewer("10.5.0.1", browser)).status).toBe(200);
  expect(answered).toBeLessThan(40);
  expect(await Promise.all(guesses)).toEqual(guesses.map(() => 401));
});

test("a browser in which a person signed in is not refused for others of its network, until the password changes", async () => {
  const from = { "x-forwarded-for": "10.6.0.1" };
  const signIn = (person: Person, login: string, password: string) =>
    person.call("POST", "/api/v1/auth", { login, password }, from);
  const browser = stranger(url);
  expect((await signIn(browser, "uploader", "demo-password")).status).toBe(200);
  await browser.get("/api/v1/auth/logout");
  expect([...browser.cookies.keys()]).toEqual(["device"]);
  for (let turn = 0; turn < 20; turn += 1) await signIn(stranger(url), `neighbour-${turn}`, "wrong-password");
  expect((await signIn(stranger(url), "uploader", "demo-password")).status).toBe(429);
  // The cookie is this person's, and counts for nobody else.
  expect((await signIn(browser, "plain", "demo-password")).status).toBe(429);
  expect((await signIn(browser, "uploader", "demo-password")).status).toBe(200);
  // It allows no more guesses of the own password, and gives no right.
  await browser.get("/api/v1/auth/logout");
  expect((await browser.get("/api/v1/user/me")).status).toBe(401);
  const statuses: number[] = [];
  for (let turn = 0; turn < 6; turn += 1) statuses.push((await signIn(browser, "uploader", "wrong-password")).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 424]);
  await sql`delete from sign_in_limit where key like 'name:%' or key like 'account:%'`.execute(database.db);
  await sql`update app_user set password_hash = (select password_hash from app_user where user_name = 'newcomer') where user_name = 'uploader'`.execute(
    database.db,
  );
  expect((await signIn(browser, "uploader", "demo-password")).status).toBe(429);
});

test("one network is blocked after 20 failures, for all names", async () => {
  const statuses: number[] = [];
  for (let turn = 0; turn < 200; turn += 1) {
    const login = turn % 2 ? `viewer` : `nobody-${turn}`;
    const answer = await stranger(url).call(
      "POST",
      "/api/v1/auth",
      { login, password: "wrong-password" },
      { "x-forwarded-for": "10.9.9.9" },
    );
    statuses.push(answer.status);
  }
  expect(statuses.slice(0, 20).every((status) => status === 401 || status === 424)).toBe(true);
  expect(new Set(statuses.slice(20))).toEqual(new Set([429]));
  // An IPv6 network counts as one caller. Only the proxy's own entry is believed, never those that the caller sent.
  const others: number[] = [];
  for (let turn = 0; turn < 24; turn += 1) {
    const from = `203.0.113.${turn}, 2001:db8:1:2::${turn.toString(16)}`;
    const answer = await stranger(url).call(
      "POST",
      "/api/v1/auth",
      { login: `nobody-${turn}`, password: "wrong-password" },
      { "x-forwarded-for": from },
    );
    others.push(answer.status);
  }
  expect(others).toEqual([...Array.from({ length: 20 }, () => 401), 429, 429, 429, 429]);
  // Attempts that are refused without a check are not in the audit, but count in the metric of the alert.
  expect((await stranger(url).get("/metrics")).text).toContain(
    '\nplatform_audit_events_total{action="session.sign-in",outcome="refused"} 187\n',
  );
});
