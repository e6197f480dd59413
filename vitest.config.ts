import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const doors = "test/*/**/*.test.ts";
const pure = ["{client,db,gateway}/**/*.test.{ts,tsx}", "test/*.test.ts"];
/** What reads or makes dates: it runs under a second time zone too (`npm test -- --whole`: all of it). */
const withDates = [
  ...["client/**/*.test.{ts,tsx}", "gateway/**/*.test.ts", "test/assessment/assessment.test.ts", "test/dash/*.test.ts", "test/demo/*.test.ts"],
  ...["test/facility/exports.test.ts", "test/rest/guides.test.ts", "test/tdb/silence.test.ts", "test/tdb/tdb-lists.test.ts"],
];
const isWhole = process.env["WHOLE"] === "1";

type Project = NonNullable<TestProjectInlineConfiguration["test"]>;

/** In the order in which they begin: what takes longest first. The files of a project share processes, and the modules that these have loaded. */
const projects: (Project & { name: string })[] = [
  { name: "doors", include: [doors], env: { TZ: "Africa/Lusaka" }, isolate: false },
  { name: "dates", include: isWhole ? [...pure, doors] : withDates, env: { TZ: "UTC" }, isolate: false },
  { name: "pure", include: pure, env: { TZ: "Africa/Lusaka" }, isolate: false },
];

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Screens first: they take longest.
    const placeOf = ({ project, moduleId }: TestSpecification) => 2 * projects.findIndex(({ name }) => name === project.name) + Number(!moduleId.includes(".screen."));
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    // One PostgreSQL for all projects.
    globalSetup: at("test/support/setup.ts"),
    sequence: { sequencer: InOrder },
    // Many tests wait for a browser or a process.
    maxWorkers: availableParallelism() + 1,
    projects: projects.map((test) => ({
      resolve: {
        // vitest would load graphql twice, once for each module format, and its types would not know each other.
        alias: [{ find: /^graphql$/, replacement: at("node_modules/graphql/index.js") }],
      },
      test: {
        ...test,
        // As the product is started: gateways, people and browsers of a file share a process, and make much that is soon thrown away.
        execArgv: ["--max-semi-space-size=64"],
        // Deadlines for slow machines: whoever waits, waits for a state.
        testTimeout: 180_000,
        hookTimeout: 240_000,
        expect: { poll: { timeout: 60_000 } },
      },
    })),
  },
});
