import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

import { patience, patienceOfTest } from "./test/support/patience.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const doors = "test/*/**/*.test.ts";
const pure = ["{client,db,gateway}/**/*.test.{ts,tsx}", "test/*.test.ts"];
/**
 * What takes long and repeats what shorter tests check, under kills, storms, cut lines, large files or another process.
 * `npm run test:whole` runs it; `npm test` does not.
 */
const long = [
  "test/{backup,storage,upgrade}/**",
  "test/**/*-{kill,storm,walk}.test.ts",
  ...[
    "embedded",
    "expand",
    "lifecycle",
    "migrating",
    "point-in-time",
    "queries-in-flight.screen",
    "replica",
    "retention",
  ].map((name) => `test/system/${name}.test.ts`),
  ...["roles", "several-gateways", "silent-networks", "traces", "workers"].map((name) => `test/system/${name}.test.ts`),
  ...["bytes", "clock", "insecure", "oldest-browser", "opening", "walk"].map(
    (name) => `test/shell/${name}.screen.test.ts`,
  ),
  "test/{assessment/{kept-work,session-end},site/field,tdb/silent-upload}.screen.test.ts",
  "test/{client/generated-client,fleet/fleet,rest/description,rest/guides-languages}.test.ts",
];
/**
 * What reads or makes dates: `npm run test:whole` runs it under a second time zone too. Screens need no second run:
 * their browsers are in that zone anyway. Two long tests change the zone themselves (`inZone`).
 */
const withDates = [
  ...["client/**/*.test.{ts,tsx}", "gateway/**/*.test.ts", "test/assessment/assessment.test.ts"],
  ...["as-of", "dash", "dash-faces", "graph-groups", "group-figures", "questions", "small-groups"].map(
    (name) => `test/dash/${name}.test.ts`,
  ),
  ...["facility/exports", "rest/guides", "tdb/silence", "tdb/tdb-lists"].map((name) => `test/${name}.test.ts`),
];
/** Set by `npm test` (test/run.mjs). */
const isShort = process.env["SHORT_RUN"] === "1";

type Project = NonNullable<TestProjectInlineConfiguration["test"]>;

/**
 * Gateways run as they are built (elsewhere graphql, for one, checks every value again), and do not print which Node.js
 * a later AWS SDK will need.
 */
const asBuilt = { NODE_ENV: "production", AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };

/**
 * In the order in which they begin: what takes longest first. The files of a project share processes, and the modules
 * that these have loaded.
 */
const projects: (Project & { name: string })[] = [
  {
    name: "doors",
    include: [doors],
    exclude: ["**/node_modules/**", ...(isShort ? long : [])],
    env: { TZ: "Africa/Lusaka", ...asBuilt },
    isolate: false,
  },
  ...(isShort ? [] : [{ name: "dates", include: withDates, env: { TZ: "UTC" }, isolate: false }]),
  { name: "pure", include: pure, env: { TZ: "Africa/Lusaka" }, isolate: false },
];

/** vitest would load graphql twice, once for each module format, and its types would not know each other. */
const graphql = { find: /^graphql$/, replacement: at("node_modules/graphql/index.js") };
/** Passwords that take hardly any time to check. */
const passwords = { find: /^@node-rs\/argon2$/, replacement: at("test/support/argon2.ts") };

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Screens first: they take longest.
    const placeOf = ({ project, moduleId }: TestSpecification) =>
      2 * projects.findIndex(({ name }) => name === project.name) + Number(!moduleId.includes(".screen."));
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    // One PostgreSQL for all projects.
    globalSetup: at("test/support/setup.ts"),
    sequence: { sequencer: InOrder },
    // Many tests wait for a browser, a process or a time: with a worker for each processor, a third of them rests.
    maxWorkers: 2 * availableParallelism() + 1,
    projects: projects.map((test) => ({
      resolve: { alias: [graphql, ...(test.name === "doors" ? [passwords] : [])] },
      test: {
        ...test,
        // Gateways, people and browsers of a file share a process, and make much that is soon thrown away.
        execArgv: ["--max-semi-space-size=64"],
        testTimeout: patienceOfTest,
        hookTimeout: patienceOfTest,
        expect: { poll: { timeout: patience } },
      },
    })),
  },
});
