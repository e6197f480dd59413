import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** The release before this one, from the history, installed and built. */
export type Release = { commit: string; folder: string };

const run = promisify(execFile);
const git = async (...args: string[]) => (await run("git", args)).stdout.trim();
/** Until there is a tag: where "The house, second reading" ended. */
const usual = "8ed9ab1a35";

/** The commit of the newest tag before this commit, or the one that is named. Undefined where the history does not hold it. */
export async function findPrevious(named?: string): Promise<string | undefined> {
  const name = named ?? (await git("describe", "--tags", "--abbrev=0", "HEAD~1").catch(() => usual));
  return git("rev-parse", "--short", "--verify", "--quiet", `${name}^{commit}`).catch(() => undefined);
}

type Packages = Partial<Record<"dependencies" | "optionalDependencies" | "devDependencies", Record<string, string>>>;
const packagesOf = async (folder: string): Promise<Record<string, string>> => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Packages;
  return { ...dependencies, ...optionalDependencies, ...devDependencies };
};

/** Gives it our packages where they have the versions that it names, which takes no time; else its own. */
async function install(folder: string): Promise<void> {
  const ours = await packagesOf(".");
  if (Object.entries(await packagesOf(folder)).every(([name, version]) => ours[name] === version)) await symlink(resolve("node_modules"), join(folder, "node_modules"));
  else await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder });
}

/**
 * Builds a commit below `dist/previous`, where it stays for the next time.
 *
 * @throws Error with what the build said
 */
export async function buildPrevious(commit: string): Promise<Release> {
  const folder = resolve("dist", "previous", commit);
  const isBuilt = existsSync(join(folder, "dist", "stamp"));
  if (isBuilt) return { commit, folder };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = join(folder, "archive.tar");
  await git("archive", "--format=tar", "-o", archive, commit);
  await run("tar", ["-xf", archive, "-C", folder]);
  await install(folder);
  await run(process.execPath, ["gateway/build/build.mjs"], { cwd: folder });
  return { commit, folder };
}
