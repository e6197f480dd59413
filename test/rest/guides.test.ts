import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

import { type Example, readExample } from "../../client/explorer/examples.ts";
import { rebuildRollups } from "../../db/derived/recount.ts";
import { findToday } from "../../db/system/system.ts";
import { examples as curlExamples, examplesText } from "../../gateway/rest/description/examples.ts";
import { insertLostBackupPower } from "../dash/dash-data.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * The guides: the analysts' questions are the explorer's, which test/graphql/explorer.test.ts asks, and each command
 * runs.
 */

let examples: Example[];
let guide: string;
let folder: string;

const gateway = await gatewayOfFile();
const today = await findToday(gateway.db);
beforeAll(async () => {
  await insertLostBackupPower(gateway.db);
  await rebuildRollups(gateway.db);
  const path = "client/explorer/examples";
  const names = await readdir(path);
  examples = await Promise.all(
    names.map(async (name) => readExample(name, await readFile(join(path, name), "utf8"), today)),
  );
  guide = await readFile("docs/guides/ask.md", "utf8");
  folder = await mkdtemp(join(tmpdir(), "platform-guides-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test("the guide contains five of the explorer's questions, word for word", () => {
  const blocks = [...guide.matchAll(/^### \d+\. (.+)\n\n```graphql\n([^]*?)```/gm)].map(
    ([, title, query]) => `# ${title}\n${query}`,
  );
  expect(blocks).toHaveLength(5);
  for (const text of blocks) expect(examples.map(({ query }) => query)).toContain(text);
});

test("each example that test/rest/curl.test.ts runs is in one of the guides, word for word", async () => {
  const pages = await Promise.all(["pull", "follow", "send"].map((name) => readFile(`docs/guides/${name}.md`, "utf8")));
  const sections = examplesText.split(/\n\n(?=### )/);
  expect(sections).toHaveLength(curlExamples.length);
  for (const section of sections)
    expect(
      pages.filter((page) => page.includes(`${section}\n`)),
      section,
    ).toHaveLength(1);
});

test("the analysts' command runs as written", async () => {
  const [, command] = /## A query from a program\n\n```sh\n([^]*?)```/.exec(guide)!;
  const person = await gateway.as("viewer");
  const { body } = await person.call("POST", "/api/v1/token", {
    name: "Guide",
    privileges: ["viewAssessments"],
    expiryDate: today,
  });
  const token = (body as { token?: string }).token;
  expect(token, JSON.stringify(body)).toBeDefined();
  await promisify(execFile)("sh", ["-euc", command!], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ADDRESS: gateway.url, TOKEN: token },
  });
  const csv = await readFile(join(folder, "provinces.csv"), "utf8");
  expect(csv.split("\r\n")[0]).toBe("\uFEFFprovince.name,facilities,efirst");
  expect(csv.trim().split("\r\n")).toHaveLength(11);
});
