import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { startOwn, type Server } from "./children.ts";
import { type Place, urlOf } from "./place.ts";

const version = "5";

export type Installed = { version: string; start: (place: Place) => Promise<Server>; remove: () => Promise<void> };

/** Installs PostGraphile into a temporary folder; it is no dependency of the project. @returns why not, where it cannot be installed */
export async function installPostgraphile(): Promise<Installed | string> {
  const folder = await mkdtemp(join(tmpdir(), "bench-postgraphile-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const run = promisify(execFile);
  try {
    await run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", `postgraphile@${version}`], { timeout: 180_000 });
    const { stdout } = await run("npm", ["ls", "--prefix", folder, "--json", "postgraphile"]);
    const found = JSON.parse(stdout) as { dependencies: { postgraphile: { version: string } } };
    return {
      version: found.dependencies.postgraphile.version,
      start: (place) => startOwn("postgraphile", [folder, urlOf(place)], { env: { NODE_ENV: "production", GRAPHILE_ENV: "production" } }),
      remove,
    };
  } catch (error) {
    await remove();
    return error instanceof Error ? error.message.split("\n").slice(0, 3).join(" ") : String(error);
  }
}
