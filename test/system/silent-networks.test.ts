import { connect as connectSocket } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { connect, type Database, poolOf, poolUse } from "../../db/engine/connect.ts";
import { bearerAt, type Person, stranger, type TestGateway, testGateway } from "../support/gateway.ts";
import { type SilentNetwork, silentNetwork } from "./silentNetwork.ts";

/** Requests, and the gateway, while the connection to PostgreSQL is silent or broken, and after it works again. */

let country: TestGateway;
let network: SilentNetwork;
let db: Database;
let gateway: TestGateway;
let viewer: Person;

beforeAll(async () => {
  country = await testGateway();
  const { host, port, user, database } = country.database.connection;
  network = await silentNetwork(`${host}/.s.PGSQL.${port}`);
  db = connect({ host: "127.0.0.1", port: network.port, user, database }, "Africa/Lusaka", () => {});
  gateway = await testGateway(
    "empty",
    {
      db,
      watching: { everyMs: 50, patienceMs: 300, silenceMs: 1000 },
      uploads: { perMachine: 16, idleSeconds: 1, mostMinutes: 1, perUser: 2, atOnce: 2 },
    },
    [/"path":"\/(readyz|api\/v1\/province)","status":503/],
  );
  viewer = await gateway.as("viewer");
});
afterAll(async () => {
  await gateway.stop();
  await db.destroy();
  await network.close();
  await country.stop();
});

const health = async () => (await stranger(gateway.url).get("/healthz")).status;
const readiness = async () => (await stranger(gateway.url).get("/readyz")).body;
const provinces = async () => (await viewer.get("/api/v1/province")).status;

/** Waits until everything works again: requests, and every connection of the pool. */
async function healed(): Promise<void> {
  await expect.poll(provinces).toBe(200);
  await expect.poll(() => poolUse(db).busy).toBe(0);
  expect(await Promise.all(Array.from({ length: 12 }, provinces))).toEqual(Array.from({ length: 12 }, () => 200));
  await expect.poll(readiness).toMatchObject({ status: "ready" });
}

test("requests that wait for a silent database are ended with 503; once the network works again, requests are answered", async () => {
  expect([await health(), await readiness()]).toMatchObject([200, { status: "ready", database: "ok" }]);
  network.swallow(true);
  const waiting = Array.from({ length: 12 }, provinces);
  await expect.poll(readiness).toMatchObject({
    status: "not ready",
    database: "failed",
    migrations: "failed",
    reasons: { database: expect.stringMatching(/./), migrations: "the database is away" },
  });
  expect(await health()).toBe(200);
  // Each of them is answered with 503 while the network is still silent.
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]));
  network.swallow(false);
  await healed();
});

test("dead connections are given up, as after a failover to another address", async () => {
  expect(new Set(await Promise.all(Array.from({ length: 12 }, provinces)))).toEqual(new Set([200]));
  network.strand();
  await healed();
});

test("connections that were ended are opened again", async () => {
  expect(new Set(await Promise.all(Array.from({ length: 12 }, provinces)))).toEqual(new Set([200]));
  network.reset();
  await healed();
});

test("while all connections are in use, requests by session or token are answered with 429, and health stays 200", async () => {
  const { body } = await viewer.call("POST", "/api/v1/token", {
    name: "Crowd",
    privileges: ["viewAssessments"],
    expiryDate: "2027-01-01",
  });
  const program = bearerAt(gateway.url, (body as { token: string }).token);
  expect((await program.get("/api/v1/province")).status).toBe(200);
  await expect.poll(() => poolUse(db).busy).toBe(0);
  const held = await Promise.all(Array.from({ length: poolUse(db).most }, () => poolOf(db).connect()));
  const answers = await Promise.all([viewer, program].map((person) => person.get("/api/v1/province")));
  expect(answers.map(({ status, body: problem }) => [status, (problem as { detail: string }).detail])).toEqual(
    answers.map(() => [429, expect.stringContaining("no connection to its database became free")]),
  );
  expect(await health()).toBe(200);
  for (const client of held) client.release();
  await healed();
});

test("a body that stops, or drips a byte now and then, is answered with 408 after its time, by GraphQL and REST", async () => {
  const send = (head: string, drip: boolean) =>
    new Promise<string>((resolve, reject) => {
      const socket = connectSocket(Number(new URL(gateway.url).port), "127.0.0.1");
      let text = "";
      let dripping: NodeJS.Timeout | undefined;
      const end = () => {
        clearInterval(dripping);
        resolve(text);
      };
      socket
        .on("data", (bytes) => (text += String(bytes)))
        .on("close", end)
        .on("error", reject);
      socket.write(
        `${head} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{"query": "`,
      );
      if (drip) dripping = setInterval(() => socket.writable && socket.write(" "), 300);
    });
  const answers = await Promise.all(
    ["POST /graphql", "POST /api/v1/auth", "PATCH /api/v1/user"].flatMap((head) => [
      send(head, false),
      send(head, true),
    ]),
  );
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1\.1 (408|401) /);
    expect(answer).toMatch(/content-type: application\/problem\+json/);
  }
  expect(answers.filter((answer) => answer.includes("The body has not arrived within 1 seconds."))).toHaveLength(4);
});
