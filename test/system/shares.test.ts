import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { connect, type Database } from "../../db/engine/connect.ts";
import { usualShares } from "../../gateway/reading/shares.rules.ts";
import { type Answer, bodyOf, type Person, stranger, type TestGateway, testGateway } from "../support/gateway.ts";

/** One person asks for all that they may: what reads much has its share, and what reads little does not wait for it. */

let country: TestGateway;
let db: Database;
let heavy: Database;
let gateway: TestGateway;
let plain: Person;
let viewer: Person;

beforeAll(async () => {
  country = await testGateway();
  const { connection } = country.database;
  await sql`analyze`.execute(country.db);
  db = connect(connection, "Africa/Lusaka", () => {}, 2);
  heavy = connect(connection, "Africa/Lusaka", () => {}, 4);
  // The demonstration is small: here its groups are heavy, and asked anew each time.
  gateway = await testGateway("empty", { db, heavy, keptAnswerBytes: 0, shares: { ...usualShares, waitSeconds: 1, heavyCost: 100 } });
  [plain, viewer] = await Promise.all([gateway.as("plain"), gateway.as("viewer")]);
});
afterAll(async () => {
  await gateway.stop();
  await heavy.destroy();
  await db.destroy();
  await country.stop();
});

/** Statements that read much: those under way and those that wait. */
async function use(): Promise<{ running: number; waiting: number }> {
  const figures = (await stranger(gateway.url).get("/metrics")).text;
  const figure = (name: string) => Number(new RegExp(`^platform_heavy_${name} (\\d+)`, "m").exec(figures)![1]);
  return { running: figure("running"), waiting: figure("waiting") };
}

/** While nobody can read assessments: what reads them stays under way for as long as is wanted. */
async function whileHeld(act: () => Promise<void>): Promise<void> {
  await country.db.transaction().execute(async (transaction) => {
    await sql`lock table assessment in access exclusive mode`.execute(transaction);
    await act();
  });
}

const visits = "{ assessmentGroups(by: [DISTRICT, LIBRARY_VERSION]) { assessments } }";
const ask = (person: Person, query: string) => person.call("POST", "/graphql", { query });
const states = "{ facilityGroups(by: [PROVINCE, MONTH]) { facilities } }";

test("three heavy statements of a person run, the next ones wait and are told so by 429; others' questions are answered meanwhile", async () => {
  let running: Promise<Answer>[] = [];
  await whileHeld(async () => {
    running = [1, 2, 3].map(() => ask(plain, visits));
    await expect.poll(use).toEqual({ running: 3, waiting: 0 });
    const waiting = [1, 2].map(() => ask(plain, visits));
    const aliases = ask(plain, `{ ${[1, 2, 3].map((n) => `a${n}: assessmentGroups(by: [LIBRARY_VERSION]) { assessments }`).join(" ")} }`);
    await expect.poll(use).toEqual({ running: 3, waiting: 5 });
    // Another person's heavy question has its turn, and light ones of both do not wait, with two connections for them.
    expect((await viewer.graphql(states)).data.facilityGroups.length).toBeGreaterThan(10);
    for (const person of [plain, viewer, plain, viewer]) expect((await person.graphql("{ provinces { totalCount } }")).data.provinces.totalCount).toBe(10);
    for (const answer of [...(await Promise.all(waiting)), await aliases]) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "10"]);
      expect(answer.text).toMatch(/waited 1 seconds for its turn: you have 3 such questions under way \(at most 3 run at a time\), all people 3 \(at most 4\)\. Wait for them to end, or ask for less/);
      expect(answer.text).toContain('"TOO_MANY"');
    }
  });
  for (const answer of await Promise.all(running)) expect([answer.status, bodyOf<{ errors?: object }>(answer).errors]).toEqual([200, undefined]);
  expect(await use()).toEqual({ running: 0, waiting: 0 });
});

test("what waits long enough is answered in its turn", async () => {
  let asked: Promise<Answer>[] = [];
  await whileHeld(async () => {
    asked = Array.from({ length: 6 }, () => ask(viewer, visits));
    await expect.poll(use).toEqual({ running: 3, waiting: 3 });
  });
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
});

test("after a question its person's next one rests where processors are few; another person's does not", async () => {
  const small = await testGateway("empty", { db, heavy, keptAnswerBytes: 0, shares: { ...usualShares, questionsPerPerson: 1, rest: 1e6, mostRestMs: 6000, waitSeconds: 60, heavyCost: 100 } });
  const turns = async () => (await stranger(small.url).get("/metrics")).text.match(/^platform_heavy_(running|waiting) \d+/gm);
  const nobodyButOneWaits = ["platform_heavy_running 0", "platform_heavy_waiting 1"];
  try {
    const [one, other] = await Promise.all([small.as("plain"), small.as("viewer")]);
    expect((await ask(one, visits)).status).toBe(200);
    const second = ask(one, visits);
    await expect.poll(turns).toEqual(nobodyButOneWaits);
    expect((await ask(other, visits)).status).toBe(200);
    expect((await second).status).toBe(200);
  } finally {
    await small.stop();
  }
});

test("where processors are few one question of a person runs at a time, beside their exports; of several people each has the next turn", async () => {
  const small = await testGateway("empty", { db, heavy, keptAnswerBytes: 0, shares: { ...usualShares, atOnce: 2, questionsPerPerson: 1, waitSeconds: 60, heavyCost: 100 } });
  const runs = async () => {
    const figures = (await stranger(small.url).get("/metrics")).text;
    return ["running", "waiting"].map((name) => Number(new RegExp(`^platform_heavy_${name} (\\d+)`, "m").exec(figures)![1]));
  };
  const [greedy, exporting, other] = await Promise.all([small.as("plain"), small.as("viewer"), small.as("assessor")]);
  const ended: string[] = [];
  const asked: Promise<unknown>[] = [];
  const begin = (name: string, answer: Promise<Answer>) => void asked.push(answer.then(({ status }) => ended.push(`${name} ${status}`)));
  await whileHeld(async () => {
    begin("greedy", ask(greedy, visits));
    await expect.poll(runs).toEqual([1, 0]);
    for (let waiting = 1; waiting <= 3; waiting += 1) {
      begin("greedy", ask(greedy, visits));
      await expect.poll(runs).toEqual([1, waiting]);
    }
    begin("export", exporting.get("/api/v1/assessment/csv/2026-01-01/2026-12-31"));
    await expect.poll(runs).toEqual([2, 3]);
    begin("other", ask(other, visits));
    await expect.poll(runs).toEqual([2, 4]);
  });
  await Promise.all(asked);
  expect(ended.toSorted()).toEqual(["export 200", "greedy 200", "greedy 200", "greedy 200", "greedy 200", "other 200"]);
  // Not after all that the greedy one had asked for before.
  expect(ended.indexOf("other 200")).toBeLessThan(ended.lastIndexOf("greedy 200"));
  await small.stop();
});

test("exports count as heavy, whichever form they have", async () => {
  await whileHeld(async () => {
    const asked = ["/api/v1/assessment/csv/2026-01-01/2026-12-31", "/api/v1/assessment/ndjson/2026-01-01/2026-12-31"].map((path) => viewer.get(path));
    await expect.poll(use).toEqual({ running: 2, waiting: 0 });
    void Promise.all(asked);
  });
  await expect.poll(use).toEqual({ running: 0, waiting: 0 });
});
