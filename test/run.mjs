/**
 * `npm test`: what must be true before a change lands. The checks of the sources run beside the tests; the last lines sum
 * up what passed, what failed and what this machine could not run. `--fast` (npm run test:fast): checks and pure tests
 * only. `--whole` (npm run test:whole): also what takes long (vitest.config.ts), and dates under a second time zone.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { buildAll, generateTypes, isBuilt, root } from "../gateway/build/build.mjs";

const isFast = process.argv.includes("--fast");
const isWhole = process.argv.includes("--whole");
const scratch = mkdtempSync(join(tmpdir(), "platform-run-"));
const failures = [];
const notRun = [];
let passed = 0;
let failed = 0;

/** Runs a stage, and prints its output in one piece at the end, unless the stage prints itself. */
async function stage(name, act) {
  const start = Date.now();
  let output = "";
  try {
    await act((text) => (output += text));
    passed += 1;
  } catch (error) {
    failed += 1;
    failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  console.log(`\n== ${name}\n${output}-- ${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

/** Runs a program. Its output goes to `say`, or straight to the terminal if `say` is not given. */
async function run(command, args, { env = {}, say } = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ["ignore", ...(say ? ["pipe", "pipe"] : ["inherit", "inherit"])],
    env: { ...process.env, ...env },
  });
  for (const stream of say ? [child.stdout, child.stderr] : []) stream.setEncoding("utf8").on("data", say);
  const end = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ?? code));
  });
  if (end !== 0) throw new Error(`${args[0]} ended with ${end}`);
}

const bin = (name) => join(root, "node_modules", ".bin", name);

async function checkContracts(say) {
  await run(process.execPath, ["gateway/start.mjs", "contracts", scratch], { say });
  for (const file of ["db/schema.ts", "docs/derived.md", "schema.graphql", "gateway/openapi.json"]) {
    const committed = existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "";
    if (committed === readFileSync(join(scratch, file), "utf8")) continue;
    say(spawnSync("diff", ["-u", join(root, file), join(scratch, file)], { encoding: "utf8" }).stdout);
    throw new Error(`${file} is not what the code makes: run npm run contracts`);
  }
}

/**
 * A line for each failed test of Vitest's JSON report: its file, its name and the start of its message. The lines are
 * printed last, so that they can be seen at the end of a long output.
 */
function failedTests({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter((each) => each.status === "failed");
    if (status === "failed" && tests.length === 0) return [`${file}: ${message.slice(0, 500)}`];
    return tests.map(
      ({ fullName, failureMessages }) => `${file}: ${fullName}\n  ${(failureMessages[0] ?? "").slice(0, 2500)}`,
    );
  });
}

/**
 * A line for each file with tests that did not run: they cannot run here, or what they stand on failed. The reason is
 * in the tests' own output.
 */
function skippedTests({ testResults }) {
  return testResults.flatMap(({ name, assertionResults }) => {
    const { length } = assertionResults.filter(({ status }) => status === "skipped" || status === "pending");
    return length > 0 ? [`Not run here: ${length} of ${assertionResults.length} tests of ${relative(root, name)}`] : [];
  });
}

async function runTests() {
  const report = join(scratch, "report.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  if (isFast) args.push("--project", "pure");
  else if (spawnSync("curl", ["--version"]).status !== 0) {
    args.push("--exclude", "test/rest/curl.test.ts");
    notRun.push("The examples of the description: there is no curl here");
  }
  try {
    await run(bin("vitest"), args, { env: { SHORT_RUN: isWhole ? "" : "1" } });
  } finally {
    if (existsSync(report)) {
      const result = JSON.parse(readFileSync(report, "utf8"));
      passed += result.numPassedTests;
      failed += result.numFailedTests;
      failures.push(...failedTests(result));
      notRun.push(...skippedTests(result));
    }
  }
}

const checks = [
  () => stage("types", (say) => run(bin("tsc"), ["--noEmit"], { say })),
  () => stage("format", (say) => run(bin("oxfmt"), ["--check"], { say })),
  () => stage("lint", (say) => run(bin("oxlint"), ["--type-aware", "--deny-warnings"], { say })),
  () => stage("schema", (say) => run(bin("eslint"), ["--config", "test/lint/schema.mjs", "schema.graphql"], { say })),
  ...(isFast ? [] : [() => stage("contracts", checkContracts)]),
];

await stage("build", async () => {
  if (isFast) await generateTypes();
  else if (!isBuilt()) await buildAll();
});
if (failed === 0) {
  const tests = stage("tests", runTests);
  for (const check of checks) await check();
  await tests;
}
if (isFast) notRun.push("Tests that need PostgreSQL or a browser were not run (npm test)");
else if (!isWhole)
  notRun.push("Storms, kills, backups, upgrades, cut lines and the second time zone were not run (npm run test:whole)");

rmSync(scratch, { recursive: true, force: true });
for (const line of [...notRun, ...failures]) console.log(line);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
