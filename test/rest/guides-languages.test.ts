import { execFile, execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

import { beforeAll, expect, test } from "vitest";

import { findToday } from "../../db/system/system.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** The guide's programs in Python and R, run as written if this machine has the language. */

let token: string | undefined;

const gateway = await gatewayOfFile();
const guide = await readFile("docs/guides/ask.md", "utf8");
beforeAll(async () => {
  const person = await gateway.as("viewer");
  const { body } = await person.call("POST", "/api/v1/token", {
    name: "Guide",
    privileges: ["viewAssessments"],
    expiryDate: await findToday(gateway.db),
  });
  token = (body as { token?: string }).token;
});

const isHere = (command: string, version: string): boolean => {
  try {
    execFileSync(command, [version], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
const languages = [
  { name: "python", command: "python3", version: "--version", run: "-c" },
  { name: "r", command: "Rscript", version: "--version", run: "-e" },
].filter(({ command, version }) => isHere(command, version));

test("each program has at most ten lines and sends the query of the command above it", () => {
  for (const name of ["python", "r"]) {
    const [, program = ""] = new RegExp(`\`\`\`${name}\\n([^]*?)\`\`\``).exec(guide) ?? [];
    expect(program.trim().split("\n").length).toBeGreaterThan(5);
    expect(program.trim().split("\n").length).toBeLessThanOrEqual(10);
    expect(program).toContain("{ facilityGroups(by: [PROVINCE]) { province { name } facilities efirst } }");
  }
});

test.each(languages)("the $name program runs as written", async ({ name, command, run }) => {
  const [, program = ""] = new RegExp(`\`\`\`${name}\\n([^]*?)\`\`\``).exec(guide) ?? [];
  const { stdout } = await promisify(execFile)(command, [run, program], {
    env: { ...process.env, ADDRESS: gateway.url, TOKEN: token },
  });
  const { data } = await (
    await gateway.as("viewer")
  ).graphql("{ facilityGroups(by: [PROVINCE]) { province { name } facilities efirst } }");
  expect(data.facilityGroups).toHaveLength(10);
  for (const { province } of data.facilityGroups) expect(stdout).toContain(province.name);
  expect(stdout).not.toContain("\uFEFF");
});
