import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import type { Options } from "./options.ts";

/** The release before this one, checked out beside it, installed and built. */
export type Release = { commit: string; folder: string; remove: () => Promise<void> };

const run = promisify(execFile);
const git = async (...args: string[]) => (await run("git", args)).stdout.trim();
/** Until there is a tag: where "The house, second reading" ended. */
const usual = "8ed9ab1a35";

async function npm(folder: string, ...args: string[]): Promise<void> {
  const child = spawn("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const code = await new Promise((done) => child.once("close", done));
  if (code !== 0) throw new Error(`npm ${args.join(" ")} failed in ${folder}.`);
}

export async function previousRelease({ previous, built }: Options, say: (line: string) => void): Promise<Release> {
  if (built) return { commit: (await run("git", ["rev-parse", "--short", "HEAD"], { cwd: built })).stdout.trim(), folder: resolve(built), remove: async () => {} };
  const [tag] = (await git("tag", "--sort=-creatordate")).split("\n");
  const commit = await git("rev-parse", "--short", `${previous ?? (tag || usual)}^{commit}`);
  const scratch = await mkdtemp(join(tmpdir(), "platform-previous-"));
  const folder = join(scratch, "release");
  const remove = async () => {
    await git("worktree", "remove", "--force", folder).catch(() => {});
    await rm(scratch, { recursive: true, force: true });
  };
  try {
    say(`The previous release is ${await git("log", "-1", "--format=%h of %cs, %s", commit)}. It is installed and built in ${folder} …`);
    await git("worktree", "add", "--quiet", "--detach", folder, commit);
    await npm(folder, "ci", "--no-audit", "--no-fund");
    await npm(folder, "run", "build");
    return { commit, folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
