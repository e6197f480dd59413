import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** The previous release, from the git history, with the program of its gateway. */
export type Release = { commit: string; program: string };

const run = promisify(execFile);
const git = async (...args: string[]) => (await run("git", args)).stdout.trim();
/** Used until there is a tag: the commit that landed last. */
const usual = "e6cf552e5e";

/** The commit of the newest tag before this commit, or the named one. Undefined if it is not in the history. */
export async function findPrevious(named?: string): Promise<string | undefined> {
  const name = named ?? (await git("describe", "--tags", "--abbrev=0", "HEAD~1").catch(() => usual));
  return git("rev-parse", "--short", "--verify", "--quiet", `${name}^{commit}`).catch(() => undefined);
}

type Packages = Partial<Record<"dependencies" | "optionalDependencies" | "devDependencies", Record<string, string>>>;
const packagesOf = async (folder: string): Promise<Record<string, string>> => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  ) as Packages;
  return { ...dependencies, ...optionalDependencies, ...devDependencies };
};

/**
 * Installs the packages that the release needs in another version. It finds the others in ours, because it is below
 * this folder.
 */
async function install(folder: string): Promise<void> {
  const ours = await packagesOf(".");
  const others = Object.entries(await packagesOf(folder)).flatMap(([name, version]) =>
    ours[name] === version ? [] : [`${name}@${version}`],
  );
  if (others.length === 0) return;
  const apart = join(folder, "packages");
  await mkdir(apart);
  // Without peers: a second graphql would be built into the gateway beside ours.
  await run("npm", ["install", "--prefix", ".", "--no-audit", "--no-fund", "--legacy-peer-deps", ...others], {
    cwd: apart,
  });
  await rename(join(apart, "node_modules"), join(folder, "node_modules"));
}

/** Without the client, which takes the most time: the trial calls the interfaces only. */
const buildGateway = 'import("./gateway/build/build.mjs").then(({ buildGateway }) => buildGateway())';

/**
 * Builds the gateway of a commit below `dist/previous`, where it stays for the next time.
 *
 * @throws Error with the output of the build
 */
export async function buildPrevious(commit: string): Promise<Release> {
  const folder = resolve("dist", "previous", commit);
  const program = join(folder, "dist", "gateway", "main.js");
  const stamp = join(folder, "built");
  if (existsSync(stamp)) return { commit, program };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = join(folder, "archive.tar");
  await git("archive", "--format=tar", "-o", archive, commit);
  await run("tar", ["-xf", archive, "-C", folder]);
  await install(folder);
  await run(process.execPath, ["-e", buildGateway], { cwd: folder });
  await writeFile(stamp, "");
  return { commit, program };
}
