/**
 * `npm test`: everything that must be true before a change lands. Stages run one after another; the last lines sum up what
 * passed, what failed and what this machine could not run.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { buildAll, isBuilt, root } from "../gateway/build/build.mjs";

const scratch = mkdtempSync(join(tmpdir(), "platform-run-"));
const failures = [];
const notRun = [];
let passed = 0;
let failed = 0;

async function stage(name, run) {
  const start = Date.now();
  console.log(`\n== ${name}`);
  try {
    await run();
    passed += 1;
  } catch (error) {
    failed += 1;
    failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  console.log(`-- ${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

function run(command, args, env = {}) {
  const { status, signal } = spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${args[0]} ended with ${signal ?? status}`);
}

const bin = (name) => join(root, "node_modules", ".bin", name);

await stage("build", async () => {
  if (!isBuilt()) await buildAll();
});
await stage("lint", () => run(bin("oxlint"), ["--type-aware", "--deny-warnings"]));
await stage("types", () => run(bin("tsc"), ["--noEmit"]));
await stage("contracts", () => {
  run(process.execPath, ["gateway/start.mjs", "contracts", scratch]);
  for (const file of ["db/schema.ts", "docs/derived.md", "schema.graphql", "gateway/openapi.json"]) {
    const committed = existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "";
    if (committed === readFileSync(join(scratch, file), "utf8")) continue;
    spawnSync("diff", ["-u", join(root, file), join(scratch, file)], { stdio: "inherit" });
    throw new Error(`${file} is not what the code makes: run npm run contracts`);
  }
});

/**
 * Under the second zone only what reads or makes dates is run, so that the run stays under ten minutes; `npm test -- --whole` runs
 * everything twice.
 */
const withDates = [
  ...["client/", "gateway/", "test/assessment/assessment.test", "test/dash/", "test/demo/", "test/facility/exports"],
  ...["test/rest/guides", "test/tdb/silence.test", "test/tdb/tdb-lists"],
];
const isWhole = process.argv.includes("--whole");

/**
 * A line for each failed test of Vitest's JSON report: its file, its name and how its message begins. They are printed last, where
 * somebody who sees only the end of a long run looks.
 */
function failedTests({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter((each) => each.status === "failed");
    if (status === "failed" && tests.length === 0) return [`${file}: ${message.slice(0, 500)}`];
    return tests.map(({ fullName, failureMessages }) => `${file}: ${fullName}\n  ${(failureMessages[0] ?? "").slice(0, 500)}`);
  });
}

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

for (const zone of ["Africa/Lusaka", "UTC"]) {
  await stage(`tests under TZ=${zone}`, () => {
    const report = join(scratch, "report.json");
    rmSync(report, { force: true });
    const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    if (!hasCurl) {
      args.push("--exclude", "test/rest/curl.test.ts");
      notRun.push(`The examples of the description, under TZ=${zone}: there is no curl here`);
    }
    if (zone === "UTC" && !isWhole) {
      args.push(...withDates);
      notRun.push(`Under TZ=UTC only what reads or makes dates was run (npm test -- --whole runs all of it): ${withDates.join(", ")}`);
    }
    try {
      run(bin("vitest"), args, { TZ: zone });
    } finally {
      if (existsSync(report)) {
        const result = JSON.parse(readFileSync(report, "utf8"));
        passed += result.numPassedTests;
        failed += result.numFailedTests;
        failures.push(...failedTests(result));
        if (result.numPendingTests) notRun.push(`${result.numPendingTests} tests under TZ=${zone} did not run: see above`);
      }
    }
  });
}

rmSync(scratch, { recursive: true, force: true });
for (const line of [...failures, ...notRun]) console.log(line);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
