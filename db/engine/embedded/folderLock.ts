import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, readlink, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** The lock on the data folder of the embedded database: one process at a time. */

/** Another running process uses the data folder. The message says which one, and what to do. */
export class DataFolderInUse extends Error {
  override name = "DataFolderInUse";

  constructor(folder: string, pid: number) {
    super(
      `The data folder ${folder} is in use by process ${pid}. ` +
        `Stop that process first, or set DATA_DIR to another folder.`,
    );
  }
}

/** The output of `ps` for a process, in the given format. @throws Error if there is no such process */
export const ps = (pid: number, format: string): string =>
  execFileSync("/bin/ps", ["-o", format, "-p", String(pid)], {
    env: { LC_ALL: "C", TZ: "UTC" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

/**
 * The start time of a process, which distinguishes it from a later one with the same number. Undefined if there is
 * none, or if it is a zombie.
 */
export function beginningOf(pid: number): string | undefined {
  try {
    if (process.platform !== "linux") return ps(pid, "stat=").startsWith("Z") ? undefined : ps(pid, "lstart=");
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/* The lock is a symbolic link `postgres.lock.<generation>`. The link with the highest generation counts, and its text names the holder.
   Making a link is exclusive and writes its text in the same step, so each generation is made once. It is removed only after a higher
   one exists. So if two processes find the same dead holder, only one can take the lock. */

const lockPattern = /^postgres\.lock\.(\d+)$/;
const free = "free";
const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;

async function lockGenerations(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => Number(lockPattern.exec(name)?.[1] ?? [])).sort((a, b) => b - a);
}

/** The highest generation of the lock, its holder, and the holder's process number if it is running. */
export async function readLock(folder: string): Promise<{ generation: number; holder: string; pid?: number }> {
  for (;;) {
    const [generation = 0] = await lockGenerations(folder);
    if (!generation) return { generation, holder: free };
    const holder = await readlink(join(folder, `postgres.lock.${generation}`)).catch(() => undefined);
    if (holder === undefined) continue;
    const [pid, beginning] = holder.split("@");
    const alive = beginning !== undefined && beginningOf(Number(pid)) === beginning;
    return { generation, holder, pid: alive ? Number(pid) : undefined };
  }
}

async function raiseLock(folder: string, generation: number, holder: string): Promise<boolean> {
  const path = (number: number) => join(folder, `postgres.lock.${number}`);
  try {
    await symlink(holder, path(generation));
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  const generations = await lockGenerations(folder);
  const superseded = generations.some((other) => other > generation);
  const surplus = superseded ? [generation] : generations.filter((other) => other < generation);
  await Promise.all(surplus.map((other) => rm(path(other), { force: true })));
  return !superseded;
}

/** Takes the lock. `abandoned`: the last holder ended without releasing it. @throws DataFolderInUse */
export async function takeLock(folder: string): Promise<{ abandoned: boolean; release: () => Promise<void> }> {
  const patience = Date.now() + 500;
  for (;;) {
    const { generation, holder, pid } = await readLock(folder);
    if (pid !== undefined) {
      // A killed process takes a moment to end.
      if (Date.now() > patience) throw new DataFolderInUse(folder, pid);
      await delay(50);
    } else if (await raiseLock(folder, generation + 1, `${process.pid}@${beginningOf(process.pid)}`)) {
      const release = async () => void (await raiseLock(folder, generation + 2, free));
      return { abandoned: holder !== free, release };
    }
  }
}
