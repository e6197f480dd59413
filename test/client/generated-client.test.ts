import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

import { findToday } from "../../db/system/system.ts";
import { bodyOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** A client generated from the served API description: the guide's program compiles against its types, and runs. */

let token: string;
let program: string;
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
  program = /```ts\n([^]*?)```/.exec(await readFile("docs/guides/follow.md", "utf8"))![1]!;
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

test("the guide's program copies all facilities, and a change that follows", async () => {
  expect(await compile(program)).toBe("");
  const copy = () => readFile(join(folder, "changes.ndjson"), "utf8");
  const child = spawn(process.execPath, ["mirror.mjs"], {
    cwd: folder,
    env: { ...process.env, ADDRESS: gateway.url, TOKEN: token },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const { rows } = await sql<{
      facilityUuid: string;
      count: number;
    }>`select min(facility_uuid) as facility_uuid, count(*)::int as count from facility`.execute(gateway.db);
    const { facilityUuid, count } = rows[0]!;
    await expect
      .poll(
        async () =>
          (await copy().catch(() => "")).split("\n").filter((line) => line.includes('"kind":"facility",')).length,
      )
      .toBe(count);
    await sql`update facility set facility_name = 'Renamed meanwhile' where facility_uuid = ${facilityUuid}`.execute(
      gateway.db,
    );
    await expect.poll(copy).toContain("Renamed meanwhile");
  } finally {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  }
  expect(await readFile(join(folder, "cursor"), "utf8")).toMatch(/^[\w-]+$/);
});
