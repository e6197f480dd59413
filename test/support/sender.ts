import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";

export type Ended = { code: number | null; out: string; err: string };

/** Starts the built command-line sender in a folder. */
export function startSender(
  cwd: string,
  args: string[],
  env: Record<string, string>,
): { child: ChildProcess; err: () => string; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [resolve("dist/client/tdbx-send.mjs"), ...args], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (part) => (out += part));
  child.stderr.on("data", (part) => (err += part));
  const ended = new Promise<Ended>((done) => child.on("close", (code) => done({ code, out, err })));
  return { child, err: () => err, ended };
}
