import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

import { examples, examplesText } from "../../gateway/rest/description/examples.ts";
import { bodyOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { settled } from "../support/settled.ts";
import { tdbxOf } from "../support/tdbx.ts";

/** The examples in the API description, each run in a shell exactly as written. */

let token: string;

const gateway = await gatewayOfFile();
const folder = await mkdtemp(join(tmpdir(), "platform-curl-"));
beforeAll(async () => {
  const admin = await gateway.as("admin");
  const rows = await gateway.sql<{ facilityUuid: string; expiryDate: string }>`
    select facility_uuid, (current_date + 1)::text as expiry_date from facility limit 1`;
  const { facilityUuid, expiryDate } = rows[0]!;
  const privileges = ["viewAssessments", "uploadTdbs"];
  const made = await admin.call("POST", "/api/v1/token", { name: "Examples", privileges, expiryDate });
  ({ token } = bodyOf<{ token: string }>(made));
  await writeFile(join(folder, "clinic.tdbx"), tdbxOf(facilityUuid));
  await writeFile(join(folder, "large.tdbx"), tdbxOf(facilityUuid, {}, 300_000));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The titles of the examples that were run. */
const titlesRun = new Set<string>();
/** The command of an example that is about to be run. */
const commandOf = (title: string): string => {
  titlesRun.add(title);
  return examples.find((example) => example.title === title)!.command;
};
const run = async (title: string, address = gateway.url) => {
  const given = commandOf(title).replace(/^export ADDRESS=.*$/m, "");
  const env = { PATH: process.env["PATH"], ADDRESS: address, TOKEN: token };
  return (await promisify(execFile)("sh", ["-euc", given], { cwd: folder, env, maxBuffer: 1e8 })).stdout;
};
const file = (name: string) => readFile(join(folder, name), "utf8");

test("the API description contains the examples", async () => {
  const person = await gateway.as("plain");
  const { info } = bodyOf<{ info: { description: string } }>(await person.get("/api/v1/openapi.json"));
  expect(info.description).toContain(examplesText);
});

test("signs in by token, and pages through a list", async () => {
  expect(JSON.parse(await run("Sign in by token"))).toMatchObject({
    viewAssessments: true,
    uploadTdbs: true,
    administrator: false,
  });
  const answer = await run("Page through a list");
  expect(answer).toMatch(/^link: <\/api\/v1\/facility\?limit=100&cursor=[\w-]+>; rel="next"\r$/im);
  expect(answer).toMatch(/^ratelimit: "token";r=\d+;t=\d+\r$/im);
});

test("the first sync and the daily sync store the changes and the last cursor", async () => {
  // The test's database is a copy, so the first request renumbers its feed in a new transaction.
  await (await gateway.as("admin")).get("/api/v1/changes?limit=1");
  await settled(gateway.db);
  await run("First and daily sync");
  const pagesOf = async () =>
    (await file("changes.ndjson"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { changes: { key: string }[]; cursor: string; hasMore: boolean });
  const pages = await pagesOf();
  expect(pages.length).toBeGreaterThan(2);
  expect((await file("cursor")).trim()).toBe(pages.at(-1)!.cursor);
  await run("First and daily sync");
  expect((await pagesOf()).at(-1)).toMatchObject({ hasMore: false });
  expect((await file("cursor")).trim()).toBe((await pagesOf()).at(-1)!.cursor);
});

test("a first sync that fails reports it, keeps the pages it has, and continues from there", async () => {
  const complete = (await file("changes.ndjson")).trim().split("\n");
  await rm(join(folder, "cursor"));
  await rm(join(folder, "changes.ndjson"));
  let requests = 0;
  let isBroken = true;
  const failing = createServer((request, response) => {
    requests += 1;
    if (isBroken && requests > 2) {
      response.writeHead(503, { "retry-after": "1" }).end();
      return;
    }
    void fetch(gateway.url + request.url!, { headers: { authorization: request.headers.authorization! } })
      .then((answer) => answer.text())
      .then((text) => response.end(text));
  });
  await once(failing.listen(0, "127.0.0.1"), "listening");
  try {
    const address = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`;
    await expect(run("First and daily sync", address)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The copy is not complete"),
    });
    expect((await file("changes.ndjson")).trim().split("\n")).toEqual(complete.slice(0, 2));
    isBroken = false;
    await run("First and daily sync", address);
  } finally {
    failing.close();
  }
  const keysOf = (lines: string[]) =>
    lines.flatMap((line) =>
      (JSON.parse(line) as { changes: { key: string; kind: string }[] }).changes.map(
        ({ kind, key }) => `${kind} ${key}`,
      ),
    );
  expect(new Set(keysOf((await file("changes.ndjson")).trim().split("\n")))).toEqual(new Set(keysOf(complete)));
});

test("a copy stays up to date by itself, also after an interruption", async () => {
  await run("First and daily sync");
  const command = commandOf("Stay in step");
  const env = { PATH: process.env["PATH"], ADDRESS: gateway.url, TOKEN: token };
  const start = () => spawn("sh", ["-euc", command], { cwd: folder, env, detached: true, stdio: "ignore" });
  // Kills the shell and the waiting curl.
  const stop = (child: ReturnType<typeof start>) => process.kill(-child.pid!, "SIGKILL");
  const rows = await gateway.sql<{ facilityUuid: string }>`select facility_uuid from facility limit 1`;
  for (const name of ["First while it waits", "Then after it was stopped"]) {
    const child = start();
    try {
      await gateway.sql`update facility set facility_name = ${name} where facility_uuid = ${rows[0]!.facilityUuid}`;
      await expect.poll(() => file("changes.ndjson")).toContain(name);
    } finally {
      stop(child);
    }
  }
  await writeFile(join(folder, "cursor"), "forged");
  await expect(run("Stay in step")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("refuses (422)"),
  });
});

test("exports everything as files", async () => {
  await run("Everything as a file");
  expect(await file("facilities.csv")).toContain("facilityUuid,facilityName");
  expect(JSON.parse(await file("facilities.geojson"))).toMatchObject({
    type: "FeatureCollection",
    features: expect.arrayContaining([expect.objectContaining({ type: "Feature" })]),
  });
  expect(JSON.parse((await file("assessments.ndjson")).split("\n")[0]!)).toHaveProperty("assessmentUuid");
});

test("sends a transport database in one request, and a large one by tus", async () => {
  const [receipt] = JSON.parse(await run("Send a transport database")) as { accepted: boolean; fileName: string }[];
  expect(receipt).toMatchObject({ accepted: true, duplicate: false, fileName: "clinic.tdbx" });
  const finished = JSON.parse(await run("Send a large one over a poor line (tus 1.0)")) as object;
  expect(finished).toMatchObject({ accepted: true, fileName: "large.tdbx" });
});

test("the tests above run each example of the API description", async () => {
  const { info } = bodyOf<{ info: { description: string } }>(
    await (await gateway.as("plain")).get("/api/v1/openapi.json"),
  );
  const described = [...info.description.matchAll(/^### (.+)\n\n[^`]*?(?:`[^`]+`[^`]*?)*```sh$/gm)].map(
    ([, title]) => title!,
  );
  expect(described.length).toBeGreaterThan(0);
  expect([...titlesRun].toSorted()).toEqual(described.toSorted());
});
