import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { brokenWalls, circles, fullFolders, importsOf, type Source, walls } from "./support/walls.ts";

/** The import rules between folders (walls). Each is also broken on purpose, by a made-up file. */

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /^(client|db|gateway|migrations|test)\//.test(file) && existsSync(file));
const sources: Source[] = files
  .filter(
    (file) =>
      /\.(ts|tsx|mjs)$/.test(file) && !file.startsWith("test/") && !file.includes(".test.") && file !== "db/schema.ts",
  )
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

test("source files are found, and their imports are read", () => {
  expect(sources.length).toBeGreaterThan(400);
  const missing = sources.flatMap((source) =>
    importsOf(source)
      .filter(
        ({ to }) => /^(client|db|gateway|migrations)\//.test(to) && !to.startsWith("client/gql/") && !existsSync(to),
      )
      .map(({ to }) => `${source.file} imports ${to}`),
  );
  expect(missing).toEqual([]);
  expect(
    importsOf({
      file: "db/a.ts",
      text: `import { b } from "./b.ts";\nimport type { C } from "c";\nexport * from "./list/d.ts";\nimport "e";\nconst f = () => import("../f.ts");`,
    }),
  ).toEqual([
    { to: "db/b.ts", isType: false, isLater: false },
    { to: "c", isType: true, isLater: false },
    { to: "db/list/d.ts", isType: false, isLater: false },
    { to: "e", isType: false, isLater: false },
    { to: "f.ts", isType: false, isLater: true },
  ]);
});

test("no wall is broken", () => expect(brokenWalls(sources)).toEqual([]));

/**
 * For each wall, files with an import that it forbids. The nouns `clinic` and `Clinic` are new: the walls apply to them
 * at once.
 */
const planted: Record<(typeof walls)[number]["name"], [file: string, to: string][]> = {
  "a migration imports Kysely only": [
    ["migrations/20270101T0000-x.ts", "../db/engine/connect.ts"],
    ["migrations/20270101T0000-x.ts", "node:fs"],
  ],
  "db knows no rights, no HTTP and no client": [
    ["db/clinic/clinic.ts", "../../gateway/access/access.ts"],
    ["db/engine/x.ts", "fastify"],
    ["db/list/x.ts", "graphql"],
  ],
  "db/engine knows no table and no list": [
    ["db/engine/x.ts", "../list/page.ts"],
    ["db/engine/embedded/x.ts", "../../facility/facility.ts"],
  ],
  "db/list knows no noun": [["db/list/x.ts", "../facility/facility.ts"]],
  "SQL is written in db and migrations only": [
    ["gateway/clinic/clinic.ts", "kysely"],
    ["gateway/http/x.ts", "pg"],
    ["client/clinic/x.ts", "pg-copy-streams"],
  ],
  "rules import zod, the ZIP reader and other rules": [
    ["gateway/clinic/clinic.rules.ts", "node:crypto"],
    ["gateway/clinic/clinic.rules.ts", "./clinic.ts"],
    ["gateway/input/x.rules.ts", "../problem.ts"],
  ],
  "what nouns share knows no noun": [
    ["gateway/rest/x.ts", "../clinic/clinic.ts"],
    ["gateway/graphql/x.ts", "../facility/facility.rules.ts"],
    ["gateway/input/x.rules.ts", "../tdb/tdb.rules.ts"],
    ["gateway/problem.ts", "./clinic/clinic.ts"],
    ["gateway/audit/audit.graphql.ts", "../user/user.graphql.ts"],
    ["gateway/reading/x.ts", "../http/server.ts"],
  ],
  "nobody but an entry imports an entry": [
    ["gateway/clinic/clinic.ts", "../schema.ts"],
    ["gateway/clinic/clinic.rest.ts", "../faces.ts"],
    ["gateway/reference/load/x.ts", "../../http/log.ts"],
  ],
  "the environment is for entries": [
    ["gateway/clinic/clinic.ts", "../env.ts"],
    ["gateway/rest/x.ts", "../env.ts"],
  ],
  "an act knows no face, no GraphQL and no HTTP": [
    ["gateway/clinic/clinic.ts", "./clinic.rest.ts"],
    ["gateway/clinic/saveClinic.ts", "graphql"],
    ["gateway/clinic/clinic.ts", "fastify"],
    ["gateway/reference/load/x.ts", "../../rest/csv.ts"],
    ["gateway/reference/load/x.ts", "@pothos/core"],
  ],
  "a GraphQL face knows no REST": [
    ["gateway/clinic/clinic.graphql.ts", "../rest/list.ts"],
    ["gateway/clinic/clinic.graphql.ts", "./clinic.rest.ts"],
  ],
  "a REST face knows no GraphQL": [
    ["gateway/clinic/clinic.rest.ts", "../graphql/errors.ts"],
    ["gateway/clinic/clinic.rest.ts", "graphql"],
  ],
  "a face calls its act, never SQL": [
    ["gateway/clinic/clinic.rest.ts", "../../db/clinic.ts"],
    ["gateway/clinic/clinic.graphql.ts", "../../db/engine/connect.ts"],
  ],
  "REST and GraphQL call acts, never SQL": [
    ["gateway/rest/x.ts", "../../db/facility.ts"],
    ["gateway/graphql/x.ts", "../../db/engine/connect.ts"],
  ],
  "nouns of the gateway know those below them only": [
    ["gateway/reference/x.ts", "../user/user.ts"],
    ["gateway/user/x.rules.ts", "../tdb/tdb.rules.ts"],
    ["gateway/assessment/x.graphql.ts", "../tdb/tdb.graphql.ts"],
  ],
  "one file knows OpenTelemetry, and is loaded where traces are on": [
    ["gateway/http/x.ts", "@opentelemetry/api"],
    ["gateway/http/x.ts", "../tracing/openTelemetry.ts"],
  ],
  "the gateway knows no client": [["gateway/clinic/clinic.ts", "../../client/routes.ts"]],
  "of the server, the client imports rules only": [
    ["client/clinic/ClinicTable.tsx", "../../gateway/clinic/clinic.ts"],
    ["client/urql.ts", "../db/facility.ts"],
  ],
  "client/ui knows no noun, no shell and no query": [
    ["client/ui/list/X.tsx", "../../clinic/ClinicTable.tsx"],
    ["client/ui/form/x.ts", "../../shell/session/viewer.ts"],
    ["client/ui/page/X.tsx", "../../gql/gql.ts"],
    ["client/ui/form/x.ts", "../../../gateway/facility/facility.rules.ts"],
  ],
  "only charts import vega": [
    ["client/clinic/ClinicChart.tsx", "vega-lite"],
    ["client/ui/list/X.tsx", "vega"],
  ],
  "client/shell knows no noun": [["client/shell/menu/Menu.tsx", "../../clinic/ClinicLink.tsx"]],
  "nobody but a screen or the start shows a screen": [
    ["client/clinic/ClinicTable.tsx", "../facility/FacilityScreen.tsx"],
    ["client/shell/frame/x.ts", "../../clinic/ClinicScreen.tsx"],
  ],
  "client/store knows nothing but itself": [["client/store/x.ts", "../urql.ts"]],
};

test("gateway/main.ts imports OpenTelemetry dynamically only", () => {
  const main = sources.find(({ file }) => file === "gateway/main.ts")!;
  expect(importsOf(main).filter(({ to }) => to.endsWith("openTelemetry.ts"))).toEqual([
    { to: "gateway/tracing/openTelemetry.ts", isType: false, isLater: true },
  ]);
});

test.each(Object.entries(planted))("finds a violation of: %s", (name, plants) => {
  for (const [file, to] of plants)
    for (const line of [
      `import { x } from "${to}";`,
      `import "${to}";`,
      `export { x } from "${to}";`,
      `const x = () => import("${to}");`,
      `import type { X } from "${to}";`,
    ])
      expect(
        brokenWalls([{ file, text: `import { z } from "zod";\n${line}\n` }]).filter((fault) =>
          fault.startsWith(`${name}: `),
        ),
        `${file}: ${line}`,
      ).toHaveLength(1 + (file.startsWith("migrations/") ? 1 : 0));
});

test("each wall is tested above", () =>
  expect(walls.map(({ name }) => name).toSorted()).toEqual(Object.keys(planted).toSorted()));

test("there are no import circles between folders", () => {
  expect(circles(sources)).toEqual([]);
  for (const [file, to, arrow] of [
    ["gateway/reference/x.ts", "../facility/facility.ts", "gateway/reference > gateway/facility"],
    ["gateway/facility/x.ts", "../fleet/fleet.ts", "gateway/facility > gateway/fleet"],
    ["client/reference/PlaceNote.tsx", "../facility/facilityLabels.ts", "client/reference > client/facility"],
    ["client/assessment/x.ts", "../dash/scope.ts", "client/assessment > client/dash"],
    ["client/store/x.ts", "../urql.ts", "client/store > client/urql.ts"],
    ["client/shell/clock/x.ts", "../session/session.ts", "client/shell/clock > client/shell/session"],
    ["client/shell/menu/x.ts", "../frame/TopBar.tsx", "client/shell/menu > client/shell/frame"],
    ["db/derived/x.ts", "../facility/silence.ts", "db/derived > db/facility"],
    ["db/facility/x.ts", "../dash/dash.ts", "db/facility > db/dash"],
  ])
    for (const line of [`import { y } from "${to}";`, `import type { Y } from "${to}";`]) {
      const found = circles([...sources, { file: file!, text: line }]);
      expect(
        found.some((circle) => `${circle} > ${circle}`.includes(arrow!)),
        `${file}: ${line} ${found.join("; ")}`,
      ).toBe(true);
    }
});

test("lint refuses import circles between files, default exports, any and @ts-ignore", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lint-"));
  await writeFile(join(folder, "a.ts"), `import { b } from "./b.ts";\nexport const a = () => b;\n`);
  await writeFile(join(folder, "b.ts"), `import { a } from "./a.ts";\nexport const b = () => a;\n`);
  await writeFile(join(folder, "c.ts"), `export default function c(d: any) {\n  // @ts-ignore\n  return d;\n}\n`);
  const { stdout } = spawnSync("node_modules/.bin/oxlint", ["--config", ".oxlintrc.json", "--format", "unix", folder], {
    encoding: "utf8",
  });
  await rm(folder, { recursive: true });
  for (const rule of [
    "import(no-cycle)",
    "import(no-default-export)",
    "typescript(no-explicit-any)",
    "typescript(ban-ts-comment)",
  ])
    expect(stdout).toContain(rule);
});

test("gateway/ itself contains only the start of the program and what every folder needs", () => {
  const loose = files
    .filter((file) => /^gateway\/[^/]+$/.test(file))
    .map((file) => file.slice("gateway/".length))
    .toSorted();
  expect(loose).toEqual([
    "context.ts",
    "env.ts",
    "faces.ts",
    "main.ts",
    "openapi.json",
    "problem.ts",
    "schema.ts",
    "start.mjs",
    "startChecks.ts",
  ]);
});

test("no folder holds more than 15 files, except a noun's own", () => {
  expect(fullFolders(files.filter((file) => !/^(migrations|client\/public|test)\//.test(file)))).toEqual([]);
  const sixteen = (folder: string) => Array.from({ length: 16 }, (_, number) => `${folder}/file${number}.ts`);
  expect(
    fullFolders([
      ...sixteen("client/ui/list"),
      ...sixteen("gateway/clinic"),
      ...sixteen("client/clinic"),
      ...sixteen("gateway/http"),
    ]),
  ).toEqual(["client/ui/list", "gateway/http"]);
});
