import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

/** A package in a folder of its own: what the bench compares with is no dependency of the project. */
export type Installed = {
  version: string;
  folder: string;
  /** what the package exports, or another one that came with it */
  load: (name: string) => Promise<Record<string, unknown>>;
  remove: () => Promise<void>;
};

/** Installs a package into a temporary folder. @returns why not, where it cannot be installed */
export async function install(name: string, version: string): Promise<Installed | string> {
  const folder = await mkdtemp(join(tmpdir(), `bench-${name}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  const run = promisify(execFile);
  try {
    await run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", `${name}@${version}`], { timeout: 180_000 });
    const { stdout } = await run("npm", ["ls", "--prefix", folder, "--json", name]);
    const { dependencies } = JSON.parse(stdout) as { dependencies: Record<string, { version: string }> };
    const from = createRequire(join(folder, "package.json"));
    const load = async (each: string) => (await import(pathToFileURL(from.resolve(each)).href)) as Record<string, unknown>;
    return { version: dependencies[name]!.version, folder, load, remove };
  } catch (error) {
    await remove();
    return `could not be installed: ${error instanceof Error ? error.message.split("\n").slice(0, 3).join(" ") : String(error)}`;
  }
}
