import { type ChildProcess, fork, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Job, Message, Outcome } from "./load.ts";

/** Processes that this program starts, and that end with it. */

const here = dirname(fileURLToPath(import.meta.url));
const running = new Set<ChildProcess>();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

function keep(child: ChildProcess): ChildProcess {
  running.add(child);
  child.on("exit", () => running.delete(child));
  return child;
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) =>
    child.exitCode === null && child.signalCode === null ? child.on("exit", () => resolve()) : resolve(),
  );

export type Server = {
  pid: number;
  port: number;
  /** from the start of the process to the line that says it serves */
  startMs: number;
  stop: () => Promise<void>;
};

/** Starts a server and waits for the line of its output that names its port. @throws Error with its output instead */
export async function startServer(
  file: string,
  args: string[],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Server> {
  const begun = performance.now();
  const child = keep(
    spawn(process.execPath, [file, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  let output = "";
  const port = await new Promise<number>((resolve, reject) => {
    const onData = (piece: Buffer) => {
      if (output.length < 20_000) output += piece.toString();
      const found = /Serving on http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (found) resolve(Number(found));
    };
    child.stdout!.on("data", onData);
    child.stderr!.on("data", onData);
    child.on("exit", () => reject(new Error(`${file} ended:\n${output}`)));
  });
  return {
    pid: child.pid!,
    port,
    startMs: performance.now() - begun,
    stop: async () => {
      child.kill("SIGTERM");
      await ended(child);
    },
  };
}

/** Starts a server of this program by its name. */
export const startOwn = (name: string, args: string[], options?: { cwd?: string; env?: Record<string, string> }) =>
  startServer(join(here, `${name}.js`), args, options);

export type Load = {
  /** runs one job; `begun` is called when the warm-up is over */
  run: (job: Job, begun?: () => void) => Promise<Outcome>;
  stop: () => Promise<void>;
};

export function startLoad(): Load {
  const child = keep(fork(join(here, "load.js")));
  return {
    run: (job, begun = () => {}) =>
      new Promise((resolve, reject) => {
        const onMessage = (message: Message) => {
          if ("begun" in message) return begun();
          child.off("message", onMessage);
          child.off("exit", lost);
          resolve(message.outcome);
        };
        const lost = () => reject(new Error("The load ended"));
        child.on("message", onMessage);
        child.on("exit", lost);
        child.send(job);
      }),
    stop: async () => {
      child.disconnect();
      await ended(child);
    },
  };
}
