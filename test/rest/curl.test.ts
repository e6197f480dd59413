import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { examples, examplesText } from "../../gateway/rest/description/examples.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { settled } from "../support/settled.ts";
import { tdbxOf } from "../support/tdbx.ts";

/** The examples of the description of the calls, each run in a shell as it stands there. */

let gateway: TestGateway;
let folder: string;
let token: string;

beforeAll(async () => {
  gateway = await testGateway();
  folder = await mkdtemp(join(tmpdir(), "platform-curl-"));
  const admin = await gateway.as("admin");
  const { rows } = await sql<{ facilityUuid: string; expiryDate: string }>`
    select facility_uuid, (current_date + 1)::text as expiry_date from facility limit 1`.execute(gateway.db);
  const { facilityUuid, expiryDate } = rows[0]!;
  const privileges = ["viewAssessments", "uploadTdbs"];
  const made = await admin.call("POST", "/api/v1/token", { name: "Examples", privileges, expiryDate });
  ({ token } = made.body as { token: string });
  await writeFile(join(folder, "clinic.tdbx"), tdbxOf(facilityUuid));
  await writeFile(join(folder, "large.tdbx"), tdbxOf(facilityUuid, {}, 300_000));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = async (title: string) => {
  const { command } = examples.find((example) => example.title === title)!;
  const given = command.replace(/^export ADDRESS=.*$/m, "");
  const env = { PATH: process.env["PATH"], ADDRESS: gateway.url, TOKEN: token };
  return (await promisify(execFile)("sh", ["-euc", given], { cwd: folder, env, maxBuffer: 1e8 })).stdout;
};
const file = (name: string) => readFile(join(folder, name), "utf8");

test("the page of the description shows the examples", async () => {
  const person = await gateway.as("plain");
  const { info } = (await person.get("/api/v1/openapi.json")).body as { info: { description: string } };
  expect(info.description).toContain(examplesText);
});

test("sign-in by token, and a list in pages", async () => {
  expect(JSON.parse(await run("Sign in by token"))).toMatchObject({ viewAssessments: true, uploadTdbs: true, administrator: false });
  const answer = await run("Page through a list");
  expect(answer).toMatch(/^link: <\/api\/v1\/facility\?limit=100&cursor=[\w-]+>; rel="next"\r$/im);
  expect(answer).toMatch(/^ratelimit: "token";r=\d+;t=\d+\r$/im);
});

test("first sync, then only what has changed", async () => {
  // This database is a copy: at the first question its feed is numbered anew, in a transaction of that moment.
  await (await gateway.as("admin")).get("/api/v1/changes?limit=1");
  await settled(gateway.db);
  await run("First sync");
  const pages = (await file("changes.ndjson")).trim().split("\n").map((line) => JSON.parse(line) as { changes: unknown[]; cursor: string });
  expect(pages.length).toBeGreaterThan(1);
  expect(await file("cursor")).toBe(pages.at(-1)!.cursor);
  expect(JSON.parse(await run("Daily sync"))).toHaveProperty("hasMore", false);
});

test("everything as a file", async () => {
  await run("Everything as a file");
  expect(await file("facilities.csv")).toContain("facilityUuid,facilityName");
  expect(JSON.parse((await file("assessments.ndjson")).split("\n")[0]!)).toHaveProperty("assessmentUuid");
});

test("a transport database at once, and a large one by tus", async () => {
  const [receipt] = JSON.parse(await run("Send a transport database")) as { accepted: boolean; fileName: string }[];
  expect(receipt).toMatchObject({ accepted: true, duplicate: false, fileName: "clinic.tdbx" });
  const finished = JSON.parse(await run("Send a large one over a poor line (tus 1.0)")) as object;
  expect(finished).toMatchObject({ accepted: true, fileName: "large.tdbx" });
});

test("every example was run", () => {
  expect(examples.map(({ title }) => title)).toEqual([
    ...["Sign in by token", "Page through a list", "First sync", "Daily sync", "Everything as a file", "Send a transport database"],
    "Send a large one over a poor line (tus 1.0)",
  ]);
});
