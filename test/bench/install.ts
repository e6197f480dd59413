import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

/** A package in a separate folder: what the bench compares with is not a dependency of the project. */
export type Installed = {
  version: string;
  folder: string;
  remove: () => Promise<void>;
};

/** The exports of a package that is installed in a folder. */
export async function loadFrom(folder: string, name: string): Promise<Record<string, unknown>> {
  const path = createRequire(join(folder, "package.json")).resolve(name);
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}

/** Installs a package into a temporary folder. @returns the reason if it cannot be installed */
export async function install(name: string, version: string): Promise<Installed | string> {
  const folder = await mkdtemp(join(tmpdir(), `bench-${name}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  const run = promisify(execFile);
  try {
    await run(
      "npm",
      ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", `${name}@${version}`],
      { timeout: 180_000 },
    );
    const { stdout } = await run("npm", ["ls", "--prefix", folder, "--json", name]);
    const { dependencies } = JSON.parse(stdout) as { dependencies: Record<string, { version: string }> };
    return { version: dependencies[name]!.version, folder, remove };
  } catch (error) {
    await remove();
    return `could not be installed: ${error instanceof Error ? error.message.split("\n").slice(0, 3).join(" ") : String(error)}`;
  }
}
