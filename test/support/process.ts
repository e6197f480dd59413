import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export type GatewayProcess = { child: ChildProcess; url: string; ended: Promise<unknown> };

/**
 * A gateway in a process of its own, as an operator starts it; or as it starts from a copy of what was built.
 *
 * @param onLog takes each line of its log, which is printed otherwise
 */
export async function startProcess(settings: Record<string, string>, program = ["gateway/start.mjs", "main"], onLog?: (line: string) => void): Promise<GatewayProcess> {
  const { PATH = "", HOME = "", TZ = "" } = process.env;
  const child = spawn(process.execPath, program, {
    env: { PATH, HOME, TZ, PORT: "0", LOG_LEVEL: "error", ...settings },
    stdio: ["ignore", "pipe", onLog ? "pipe" : "inherit"],
  });
  if (onLog) createInterface(child.stderr!).on("line", onLog);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let text = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on("data", (part: Buffer) => {
      text += part.toString();
      const [, found] = /Serving on (\S+)/.exec(text) ?? [];
      if (found) resolve(found);
    });
    void ended.then(() => reject(new Error(`The gateway ended: ${text}`)));
  });
  return { child, url, ended };
}
