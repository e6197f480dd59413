import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { sql } from "kysely";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";

import { findToday } from "../../db/system/system.ts";
import { testDatabase } from "../support/database.ts";
import { bearerAt, bodyOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { settled } from "../support/settled.ts";

/**
 * A client generated from the served API description: the guide's program compiles against its types, and keeps a copy,
 * as the guide's script does.
 */

let token: string;
const guide = await readFile("docs/guides/follow.md", "utf8");
const program = /```ts\n([^]*?)```/.exec(guide)![1]!;
const here = fileURLToPath(new URL(".", import.meta.url));
const run = promisify(execFile);
// A program of the repository's node_modules.
const binary = (name: string) => join(here, "../../node_modules/.bin", name);

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const folder = await mkdtemp(join(here, "made-"));
beforeAll(async () => {
  const made = await admin.call("POST", "/api/v1/token", {
    name: "Client",
    privileges: ["viewAssessments"],
    expiryDate: await findToday(gateway.db),
  });
  ({ token } = bodyOf<{ token: string }>(made));
  await writeFile(join(folder, "openapi.json"), (await admin.get("/api/v1/openapi.json")).text);
  await run(
    process.execPath,
    [join(here, "node_modules/openapi-typescript/bin/cli.js"), "openapi.json", "--output", "platform.d.ts"],
    { cwd: folder },
  );
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const compile = async (text: string) => {
  await writeFile(join(folder, "mirror.mts"), text);
  const options = [
    "--ignoreConfig",
    "--strict",
    "--noUncheckedIndexedAccess",
    "--target",
    "es2023",
    "--module",
    "nodenext",
    "--types",
    "node",
    "--skipLibCheck",
    "--outDir",
    ".",
  ];
  return run(process.execPath, [binary("tsc"), ...options, "mirror.mts", "platform.d.ts"], { cwd: folder }).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
};

test("the generated types contain the calls and the schemas by name", async () => {
  const types = await readFile(join(folder, "platform.d.ts"), "utf8");
  for (const words of [
    "listChanges",
    "listFacilities",
    '"/api/v1/facility/{facilityUuid}/close"',
    "Facility:",
    "Changes:",
    "Problem:",
  ])
    expect(types).toContain(words);
});

test("the guide's program compiles against the types, and mistyped versions do not", async () => {
  expect(await compile(program)).toBe("");
  expect(await compile(program.replace("limit: 1000", 'limit: "all"'))).toContain("is not assignable to type 'number'");
  expect(await compile(program.replace("/api/v1/changes", "/api/v1/chances"))).toContain(
    "'\"/api/v1/chances\"' is not assignable",
  );
  expect(await compile(program.replaceAll("data.cursor", "data.cursed"))).toContain("'cursed' does not exist");
});

type Item = { kind: string; key: string; action: string; record: unknown };

/** All records as the feed sends them now from its beginning, by kind and key. */
async function recordsOfFeed(): Promise<Map<string, unknown>> {
  const records = new Map<string, unknown>();
  for (let since = "", hasMore = true; hasMore;) {
    const answer = await bearerAt(gateway.url, token).get(`/api/v1/changes?limit=1000${since}`);
    const page = bodyOf<{ changes: Item[]; cursor: string; hasMore: boolean }>(answer);
    for (const { kind, key, action, record } of page.changes)
      if (action !== "withdrawn") records.set(`${kind} ${key}`, record);
    since = `&since=${page.cursor}`;
    ({ hasMore } = page);
  }
  return records;
}

test("killed ten times while facilities change, the guide's copies in PostgreSQL and DuckDB equal the feed", async () => {
  expect(await compile(program.replace("limit: 1000", "limit: 50"))).toBe("");
  await admin.get("/api/v1/changes?limit=1");
  await settled(gateway.db);
  const copy = await testDatabase("bare");
  const script = guide
    .match(/```sh\n([^]*?)```/g)![1]!
    .replace(/^```sh\n|```$/g, "")
    .replace("limit=1000", "limit=50");
  const env = { ...process.env, ADDRESS: gateway.url, TOKEN: token, COPY: copy.url };
  const start = (command: string, given: string[]) =>
    spawn(command, given, { cwd: folder, env, stdio: "ignore", detached: true });
  const facilities = await gateway.db.selectFrom("facility").select("facilityUuid").orderBy("facilityUuid").execute();
  const rename = async (index: number) => {
    const { facilityUuid } = facilities[index]!;
    await gateway.sql`update facility set facility_name = ${`Renamed ${index}`} where facility_uuid = ${facilityUuid}`;
  };
  const recordsOfCopy = async () => {
    const { rows } = await sql<Item & { content: unknown }>`select kind, key, content from record`.execute(copy.db);
    return new Map(rows.map(({ kind, key, content }) => [`${kind} ${key}`, content]));
  };
  try {
    for (let turn = 0; turn < 10; turn++) {
      const running = [start(process.execPath, ["mirror.mjs"]), start("sh", ["-euc", script])];
      const ends = running.map(async (child) => child.exitCode ?? (await once(child, "exit")));
      await rename(turn);
      if (turn === 5) {
        const [, , , , , , from, into] = facilities;
        const merged = await admin.call("POST", `/api/v1/facility/${from!.facilityUuid}/merge`, {
          into: into!.facilityUuid,
        });
        expect(merged.status).toBe(200);
      }
      await setTimeout(100 + 150 * turn);
      // The whole group: a shell's children are killed with it.
      for (const { pid, exitCode } of running) if (exitCode === null) process.kill(-pid!, "SIGKILL");
      await Promise.all(ends);
    }
    const last = start(process.execPath, ["mirror.mjs"]);
    try {
      await rename(11);
      await settled(gateway.db);
      const wanted = await recordsOfFeed();
      expect(wanted.size).toBeGreaterThan(facilities.length);
      await expect.poll(recordsOfCopy).toEqual(wanted);
      expect((await sql`select from site where name = 'Renamed 11'`.execute(copy.db)).rows).toHaveLength(1);
      await run("sh", ["-euc", script], { cwd: folder, env });
      const duck = await (await DuckDBInstance.create()).connect();
      await duck.run(`set file_search_path = '${folder}'`);
      await duck.run(/```sql\n([^]*?)```/.exec(guide)![1]!);
      const read = await duck.runAndReadAll("select kind || ' ' || key, content from record");
      const found = (read.getRowsJS() as [string, string][]).map(
        ([key, content]) => [key, JSON.parse(content)] as const,
      );
      expect(new Map(found)).toEqual(wanted);
    } finally {
      process.kill(-last.pid!, "SIGKILL");
      await once(last, "exit");
    }
  } finally {
    await copy.drop();
  }
});
