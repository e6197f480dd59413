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

/** A process and those that it started, such as workers. */
const familyOf = (pid: number): number[] => [
  pid,
  ...readdirSync("/proc")
    .map(Number)
    .filter((each) => each > 0 && statOf(each)?.parent === pid),
];

/** CPU seconds so far of a process and of those that it started. */
export function cpuOf(pid: number): number {
  try {
    return familyOf(pid).reduce((sum, each) => sum + (statOf(each)?.own ?? 0), 0);
  } catch {
    return Number.NaN;
  }
}

/** CPU seconds so far of a PostgreSQL server: its postmaster, its processes, and those that ended. */
export function cpuOfPostgres(folder: string): number {
  try {
    const postmaster = Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
    return cpuOf(postmaster) + statOf(postmaster)!.waitedFor;
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

/** Memory in MB (10^6 bytes), resident now, of a process or of the largest one that it started. */
export function memoryOf(pid: number): number {
  try {
    return Math.max(...familyOf(pid).map((each) => mB(each, "VmRSS")));
  } catch {
    return Number.NaN;
  }
}
