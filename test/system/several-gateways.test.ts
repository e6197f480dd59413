import { createHash, randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";

import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { findFeedName } from "../../db/change/change.ts";
import { connect } from "../../db/engine/connect.ts";
import { knownMigrations, migrate } from "../../db/migrate.ts";
import { noteRecounts } from "../../db/derived/recount.ts";
import { usualLimits } from "../../gateway/input/upload.ts";
import { type SampleFacility, sampleFacility } from "../support/assessment-data.ts";
import { bodyOf, type Person, stranger, testGateway, type TestGateway } from "../support/gateway.ts";
import { type GatewayProcess, startProcess } from "../support/process.ts";
import { cookiesOf, formOf, sendForm, tdbxOf } from "../support/tdbx.ts";

/**
 * Two gateways on one database and one folder of files: one in this process, one in its own, as an operator starts it.
 * Each call goes to either of them, as behind a load balancer without sticky sessions.
 */

let here: TestGateway;
let there: GatewayProcess;
let facilities: SampleFacility[];
/** The random numbers repeat from run to run, so that a failure can be reproduced. */
let seed = 20_261_121;
const random = (): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};
const either = (): string => (random() < 0.5 ? here.url : there.url);

beforeAll(async () => {
  here = await testGateway("demo", { trustProxy: 1, uploads: { ...usualLimits, perUser: 12 } });
  there = await startProcess({
    DATABASE_URL: here.database.url,
    DATA_DIR: here.dataDir,
    DEMO: "0",
    TRUST_PROXY: "1",
    UPLOADS_PER_USER: "12",
  });
  facilities = await Promise.all([0, 1, 2].map((skip) => sampleFacility(here.db, skip)));
});
afterAll(async () => {
  there?.child.kill("SIGKILL");
  await here?.stop();
});

let addresses = 0;
/** Signs in at either gateway, from a new address. */
async function signIn(login: string, password = "demo-password"): Promise<Person> {
  const person = stranger(either);
  addresses += 1;
  const answer = await person.call(
    "POST",
    "/api/v1/auth",
    { login, password },
    { "x-forwarded-for": `10.5.0.${addresses}` },
  );
  if (answer.status !== 200) throw new Error(`${login}: ${answer.status} ${answer.text}`);
  return person;
}
const at = (url: string, { cookies }: Person): Person => {
  const person = stranger(url);
  for (const [name, value] of cookies) person.cookies.set(name, value);
  return person;
};
const both = () => [here.url, there.url];
const statusesOf = (person: Person, path: string) =>
  Promise.all(both().map(async (url) => (await at(url, person).get(path)).status));

test("gateways that start together on an empty database migrate it once", async () => {
  const database = `test_${randomBytes(6).toString("hex")}`;
  await sql`create database ${sql.ref(database)} template template0`.execute(here.db);
  const handles = [1, 2, 3, 4].map(() =>
    connect({ ...here.database.connection, database }, "Africa/Lusaka", () => {}, 2),
  );
  const ran = await Promise.all(
    handles.map(async (db) => {
      const names = await migrate(db);
      await noteRecounts(db);
      return { names, feed: await findFeedName(db) };
    }),
  );
  expect(ran.flatMap(({ names }) => names)).toEqual(knownMigrations);
  expect(new Set(ran.map(({ feed }) => feed)).size).toBe(1);
  await Promise.all(handles.map((db) => db.destroy()));
  await sql`drop database ${sql.ref(database)}`.execute(here.db);
});

test("a session is valid at both gateways, and signing out at one ends it at both at once", async () => {
  const person = await signIn("viewer");
  for (let turn = 0; turn < 20; turn += 1) {
    expect((await person.get("/api/v1/assessment/list/facility/" + facilities[0]!.facilityUuid)).status).toBe(200);
    expect((await person.graphql("{ viewer { user { userName } } }")).data.viewer.user.userName).toBe("viewer");
  }
  const kept = at(here.url, person);
  expect((await at(there.url, person).get("/api/v1/auth/logout")).status).toBe(200);
  expect(await statusesOf(kept, "/api/v1/privilege")).toEqual([401, 401]);
});

test("failed sign-ins are counted over both gateways: a login is locked, and an address is blocked, at both", async () => {
  const guess = (login: string, from: string, url = either()) =>
    stranger(url).call("POST", "/api/v1/auth", { login, password: "a-wrong-one" }, { "x-forwarded-for": from });
  const statuses: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) statuses.push((await guess("manager", `10.6.0.${turn}`)).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 424, 424]);
  for (const url of both())
    expect(
      (await stranger(url).call("POST", "/api/v1/auth", { login: "manager", password: "demo-password" })).status,
    ).toBe(424);

  const answers = await Promise.all(Array.from({ length: 30 }, (_, turn) => guess(`nobody-${turn}`, "10.7.0.1")));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  expect(await Promise.all(both().map(async (url) => (await guess("somebody", "10.7.0.1", url)).status))).toEqual([
    429, 429,
  ]);
});

test("a change of rights, an account or a token at one gateway takes effect at both at once", async () => {
  const [admin, plain] = [await signIn("admin"), await signIn("plain")];
  const { userUuid } = await here.db
    .selectFrom("appUser")
    .select("userUuid")
    .where("userName", "=", "plain")
    .executeTakeFirstOrThrow();
  const expiryDate = new Date(Date.now() + 10 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const made = await at(here.url, admin).call("POST", "/api/v1/token", {
    name: "sync",
    expiryDate,
    privileges: ["viewAssessments"],
  });
  const { token, uuid } = bodyOf<{ token: string; uuid: string }>(made);
  const path = `/api/v1/assessment/list/facility/${facilities[0]!.facilityUuid}`;
  for (const [turn, viewAssessments] of [true, false, true].entries()) {
    const change = await at(both()[turn % 2]!, admin).call("PATCH", "/api/v1/user", {
      uuid: userUuid,
      privileges: { viewAssessments },
    });
    expect(change.status, change.text).toBe(200);
    const expected = viewAssessments ? 200 : 403;
    expect(await statusesOf(plain, path)).toEqual([expected, expected]);
  }
  await at(there.url, admin).call("POST", `/api/v1/user/${userUuid}/deactivate`);
  expect(await statusesOf(plain, "/api/v1/privilege")).toEqual([401, 401]);

  const withToken = () =>
    Promise.all(
      both().map(async (url) => (await stranger(url).get(path, { authorization: `Bearer ${token}` })).status),
    );
  expect(await withToken()).toEqual([200, 200]);
  await at(there.url, admin).call("DELETE", `/api/v1/token/${uuid}`);
  expect(await withToken()).toEqual([401, 401]);
});

test("a file sent to both gateways at once is stored once, and both return its receipt", async () => {
  const uploader = await signIn("uploader");
  const before = (await readdir(join(here.dataDir, "files/tdb"))).length;
  const contents = facilities.map(({ facilityUuid }) => tdbxOf(facilityUuid, {}, 200_000));
  const sent = contents.flatMap((content) => [...both(), ...both()].map((url) => ({ url, content })));
  const answers = await Promise.all(
    sent.map(({ url, content }) => sendForm(url, "/api/v1/tdb", uploader, formOf([{ name: "same.tdbx", content }]))),
  );
  const receipts = answers.map(({ body }) => (body as { uuid: string; sha256: string; duplicate: boolean }[])[0]!);
  expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(3);
  expect(new Set(receipts.map(({ uuid }) => uuid)).size).toBe(3);
  expect((await readdir(join(here.dataDir, "files/tdb"))).length).toBe(before + 3);
  for (const { uuid, sha256 } of receipts) {
    const file = await fetch(`${either()}/api/v1/tdb/file/${uuid}`, { headers: { cookie: cookiesOf(uploader) } });
    expect(
      createHash("sha256")
        .update(Buffer.from(await file.arrayBuffer()))
        .digest("hex"),
    ).toBe(sha256);
  }
});

test("uploads of a person are counted over both gateways: one too many is refused until another one, or its gateway, ends", async () => {
  const uploader = await signIn("uploader");
  const send = (url: string) =>
    sendForm(url, "/api/v1/tdb", uploader, formOf([{ name: "a.tdbx", content: tdbxOf(facilities[0]!.facilityUuid) }]));
  const begin = (url: string) => {
    const headers = {
      cookie: cookiesOf(uploader),
      "content-type": "multipart/form-data; boundary=b",
      "content-length": 1_000_000,
    };
    const request = httpRequest(`${url}/api/v1/tdb`, { method: "POST", headers }).on("error", () => {});
    request.write('--b\r\nContent-Disposition: form-data; name="files"; filename="half.tdbx"\r\n\r\nPK');
    return request;
  };
  const begun = Array.from({ length: 12 }, (_, turn) => begin(both()[turn % 2]!));
  const underWay = async () => {
    const texts = await Promise.all(both().map(async (url) => (await fetch(`${url}/metrics`)).text()));
    return texts.map((text) => Number(/^platform_uploads_under_way (\d+)$/m.exec(text)![1]));
  };
  await expect.poll(underWay).toEqual([6, 6]);
  for (const url of both()) expect((await send(url)).status).toBe(429);
  begun[0]!.destroy();
  await expect.poll(async () => (await send(there.url)).status).toBe(200);
  begun.push(begin(here.url));
  await expect.poll(underWay).toEqual([6, 6]);
  expect((await send(here.url)).status).toBe(429);
  there.child.kill("SIGKILL");
  await expect.poll(async () => (await send(here.url)).status).toBe(200);
  for (const request of begun) request.destroy();
});
