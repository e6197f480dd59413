import { type ChildProcess, spawn } from "node:child_process";

export type Ended = { code: number | null; output: string };

/** Starts a command as an operator does, with these settings only. */
export function begin(name: "backup" | "restore" | "doctor", args: string[], settings: Record<string, string>): { child: ChildProcess; ended: Promise<Ended>; output: () => string } {
  const child = spawn(process.execPath, ["gateway/start.mjs", name, ...args], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  return { child, output: () => output, ended: new Promise((resolve) => child.once("close", (code) => resolve({ code, output }))) };
}

export const command = (...call: Parameters<typeof begin>): Promise<Ended> => begin(...call).ended;
