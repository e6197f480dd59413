import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { brokenWalls, circles, fullFolders, importsOf, type Source } from "./support/walls.ts";

/** The import rules between folders (walls). */

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

test("no wall is broken, and a broken one is found", () => {
  expect(brokenWalls(sources)).toEqual([]);
  const planted = { file: "db/clinic/clinic.ts", text: 'import { x } from "../../gateway/access/access.ts";' };
  expect(brokenWalls([planted])).toEqual([expect.stringMatching(/^db knows no rights, no HTTP and no client: /)]);
});

test("OpenTelemetry is imported dynamically only", () => {
  const serving = sources.find(({ file }) => file === "gateway/workers/serving.ts")!;
  expect(importsOf(serving).filter(({ to }) => to.endsWith("openTelemetry.ts"))).toEqual([
    { to: "gateway/tracing/openTelemetry.ts", isType: false, isLater: true },
  ]);
});

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
