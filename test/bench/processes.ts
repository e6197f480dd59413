import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Figures of processes from Linux (/proc). On other systems they are NaN. */

/** Clock ticks a second that /proc counts in: the same on every Linux of today. */
const ticks = 100;

type Stat = { parent: number; own: number; waitedFor: number };

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    return {
      parent: fields[1]!,
      own: (fields[11]! + fields[12]!) / ticks,
      waitedFor: (fields[13]! + fields[14]!) / ticks,
    };
  } catch {
    return undefined;
  }
}

/** CPU seconds of a process so far. */
export const cpuOf = (pid: number): number => statOf(pid)?.own ?? Number.NaN;

/** CPU seconds so far of a PostgreSQL server: its postmaster, its processes, and those that ended. */
export function cpuOfPostgres(folder: string): number {
  try {
    const postmaster = Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
    const main = statOf(postmaster)!;
    let sum = main.own + main.waitedFor;
    for (const name of readdirSync("/proc")) {
      const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
      if (stat?.parent === postmaster) sum += stat.own;
    }
    return sum;
  } catch {
    return Number.NaN;
  }
}

const mB = (pid: number, name: string): number => {
  try {
    return (
      (Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "latin1"))![1]) * 1024) /
      1e6
    );
  } catch {
    return Number.NaN;
  }
};

/** Memory of a process in MB (10^6 bytes): resident now. */
export const memoryOf = (pid: number): number => mB(pid, "VmRSS");
