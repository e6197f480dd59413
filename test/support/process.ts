import { type ChildProcess, spawn } from "node:child_process";
import { resolve as resolvePath } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

export type GatewayProcess = { child: ChildProcess; url: string; ended: Promise<unknown> };

const ownProgram = ["gateway/start.mjs", "main"];

/** Whether `dist` was built from the current sources. */
async function isBuilt(): Promise<boolean> {
  const build = (await import(/* @vite-ignore */ pathToFileURL(resolvePath("gateway/build/build.mjs")).href)) as {
    isBuilt: () => boolean;
  };
  return build.isBuilt();
}

/**
 * A gateway in its own process, started as by an operator, or from a copy of the build.
 *
 * @param onLog gets each line of its log, which is printed otherwise
 * @throws Error with its output if it ends before it serves; also if `dist` was not built from the current sources: a
 *   new build would disturb the tests that use it
 */
export async function startProcess(
  settings: Record<string, string>,
  program = ownProgram,
  onLog?: (line: string) => void,
): Promise<GatewayProcess> {
  if (program[0] === ownProgram[0] && !(await isBuilt()))
    throw new Error("dist is not of these sources: npm run build");
  // WORKERS=2 lets the tests of processes, such as the storms, run against workers.
  const { PATH = "", HOME = "", TZ = "", KEPT_ANSWERS_MB = "128", WORKERS = "1" } = process.env;
  const child = spawn(process.execPath, program, {
    env: { PATH, HOME, TZ, KEPT_ANSWERS_MB, WORKERS, PORT: "0", LOG_LEVEL: "error", ...settings },
    stdio: ["ignore", "pipe", onLog ? "pipe" : "inherit"],
  });
  const lastLines: string[] = [];
  if (onLog)
    createInterface(child.stderr!).on("line", (line) => {
      lastLines.push(line);
      if (lastLines.length > 5) lastLines.shift();
      onLog(line);
    });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  // At `close` all of its output has been read, at `exit` perhaps not.
  const closed = new Promise((resolve) => child.once("close", resolve));
  let text = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on("data", (part: Buffer) => {
      text += part.toString();
      const [, found] = /Serving on (\S+)/.exec(text) ?? [];
      if (found) resolve(found);
    });
    void closed.then(() =>
      reject(
        new Error(
          [`The gateway ended (${child.signalCode ?? child.exitCode}).`, text.trim(), ...lastLines]
            .filter(Boolean)
            .join("\n"),
        ),
      ),
    );
  });
  return { child, url, ended };
}
