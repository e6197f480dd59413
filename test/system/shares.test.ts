import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { connect, type Database } from "../../db/engine/connect.ts";
import { usualShares } from "../../gateway/reading/shares.rules.ts";
import { type Answer, bodyOf, type Person, stranger, type TestGateway, testGateway } from "../support/gateway.ts";

/**
 * One person sends as many queries as allowed: heavy queries get a limited share, and light queries do not wait for
 * them.
 */

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
  // The demonstration is small, so its groups count as heavy here, and no answers are kept.
  gateway = await testGateway("empty", {
    db,
    heavy,
    keptAnswerBytes: 0,
    shares: { ...usualShares, waitSeconds: 1, heavyCost: 100 },
  });
  [plain, viewer] = await Promise.all([gateway.as("plain"), gateway.as("viewer")]);
});
afterAll(async () => {
  await gateway.stop();
  await heavy.destroy();
  await db.destroy();
  await country.stop();
});

/** The numbers of heavy statements that run and that wait. */
async function use(): Promise<{ running: number; waiting: number }> {
  const figures = (await stranger(gateway.url).get("/metrics")).text;
  const figure = (name: string) => Number(new RegExp(`^platform_heavy_${name} (\\d+)`, "m").exec(figures)![1]);
  return { running: figure("running"), waiting: figure("waiting") };
}

/**
 * Runs an act while nobody can read assessments and TDBs: statements that read them keep running until the act ends.
 */
async function whileHeld(act: () => Promise<void>): Promise<void> {
  await country.db.transaction().execute(async (transaction) => {
    await sql`lock table assessment, tdb in access exclusive mode`.execute(transaction);
    await act();
  });
}

const visits = "{ assessmentGroups(by: [DISTRICT, LIBRARY_VERSION]) { assessments } }";
const ask = (person: Person, query: string) => person.call("POST", "/graphql", { query });
const states = "{ facilityGroups(by: [PROVINCE, MONTH]) { facilities } }";

test("three heavy statements of a person run, further ones wait and then get 429; other queries are answered meanwhile", async () => {
  let running: Promise<Answer>[] = [];
  await whileHeld(async () => {
    running = [1, 2, 3].map(() => ask(plain, visits));
    await expect.poll(use).toEqual({ running: 3, waiting: 0 });
    const waiting = [1, 2].map(() => ask(plain, visits));
    const aliases = ask(
      plain,
      `{ ${[1, 2, 3].map((n) => `a${n}: assessmentGroups(by: [LIBRARY_VERSION]) { assessments }`).join(" ")} }`,
    );
    await expect.poll(use).toEqual({ running: 3, waiting: 5 });
    // Another person's heavy query runs. Light queries of both do not wait: they have two connections.
    expect((await viewer.graphql(states)).data.facilityGroups.length).toBeGreaterThan(10);
    for (const person of [plain, viewer, plain, viewer])
      expect((await person.graphql("{ provinces { totalCount } }")).data.provinces.totalCount).toBe(10);
    for (const answer of [...(await Promise.all(waiting)), await aliases]) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "10"]);
      expect(answer.text).toMatch(
        /waited 1 seconds for its turn: you have 3 such questions under way \(at most 3 run at a time\), all people 3 \(at most 4\)\. Wait for them to end, or ask for less/,
      );
      expect(answer.text).toContain('"TOO_MANY"');
    }
  });
  for (const answer of await Promise.all(running))
    expect([answer.status, bodyOf<{ errors?: object }>(answer).errors]).toEqual([200, undefined]);
  expect(await use()).toEqual({ running: 0, waiting: 0 });
});

test("heavy queries that wait are answered when their turn comes", async () => {
  let pending: Promise<Answer>[] = [];
  await whileHeld(async () => {
    pending = Array.from({ length: 6 }, () => ask(viewer, visits));
    await expect.poll(use).toEqual({ running: 3, waiting: 3 });
  });
  expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
});

test("with few processors, a person's next heavy query is delayed after an answer; another person's is not", async () => {
  const small = await testGateway("empty", {
    db,
    heavy,
    keptAnswerBytes: 0,
    shares: { ...usualShares, questionsPerPerson: 1, rest: 1e6, mostRestMs: 6000, waitSeconds: 60, heavyCost: 100 },
  });
  const turns = async () =>
    (await stranger(small.url).get("/metrics")).text.match(/^platform_heavy_(running|waiting) \d+/gm);
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

test("with few processors, one heavy query of a person runs at a time, the same person's CSV of TDBs runs beside it, and people take turns", async () => {
  const small = await testGateway("empty", {
    db,
    heavy,
    keptAnswerBytes: 0,
    shares: { ...usualShares, atOnce: 2, questionsPerPerson: 1, waitSeconds: 60, heavyCost: 100 },
  });
  const runs = async () => {
    const figures = (await stranger(small.url).get("/metrics")).text;
    return ["running", "waiting"].map((name) =>
      Number(new RegExp(`^platform_heavy_${name} (\\d+)`, "m").exec(figures)![1]),
    );
  };
  const [greedy, other] = await Promise.all([small.as("uploader"), small.as("plain")]);
  const exportTdbs = () => greedy.get("/api/v1/tdb/meta/list/all/csv/2026-01-01/2026-12-31");
  const ended: string[] = [];
  const pending: Promise<unknown>[] = [];
  const begin = (name: string, answer: Promise<Answer>) =>
    void pending.push(answer.then(({ status }) => ended.push(`${name} ${status}`)));
  await whileHeld(async () => {
    begin("greedy", ask(greedy, visits));
    await expect.poll(runs).toEqual([1, 0]);
    for (let waiting = 1; waiting <= 3; waiting += 1) {
      begin("greedy", ask(greedy, visits));
      await expect.poll(runs).toEqual([1, waiting]);
    }
    begin("export", exportTdbs());
    await expect.poll(runs).toEqual([2, 3]);
    begin("other", ask(other, visits));
    await expect.poll(runs).toEqual([2, 4]);
  });
  await Promise.all(pending);
  expect(ended.toSorted()).toEqual(["export 200", "greedy 200", "greedy 200", "greedy 200", "greedy 200", "other 200"]);
  // The other person did not wait for all queries that the greedy one had sent before.
  expect(ended.indexOf("other 200")).toBeLessThan(ended.lastIndexOf("greedy 200"));
  // In the other order: an export that runs does not delay its person's query, but that query delays the next one.
  const answers: Promise<Answer>[] = [];
  await whileHeld(async () => {
    answers.push(exportTdbs());
    await expect.poll(runs).toEqual([1, 0]);
    answers.push(ask(greedy, visits));
    await expect.poll(runs).toEqual([2, 0]);
    answers.push(ask(greedy, visits));
    await expect.poll(runs).toEqual([2, 1]);
  });
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  await small.stop();
});

test("exports count as heavy, as CSV and as NDJSON, and succeed when the table can be read again", async () => {
  const pending: Promise<Answer>[] = [];
  await whileHeld(async () => {
    for (const format of ["csv", "ndjson"])
      pending.push(viewer.get(`/api/v1/assessment/${format}/2026-01-01/2026-12-31`));
    await expect.poll(use).toEqual({ running: 2, waiting: 0 });
  });
  const answers = await Promise.all(pending);
  expect(answers.map(({ status, headers }) => [status, headers.get("content-type")?.split(";")[0]])).toEqual([
    [200, "text/csv"],
    [200, "application/x-ndjson"],
  ]);
  for (const { text } of answers) expect(text.split("\n").length).toBeGreaterThan(100);
  await expect.poll(use).toEqual({ running: 0, waiting: 0 });
});
