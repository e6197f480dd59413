import { spawn } from "node:child_process";

import type { Database } from "../../db/engine/connect.ts";
import { isBackupDue } from "./due.ts";

/** Starts the nightly backup from a gateway, in a separate process, so that no request waits for it. */

type Log = Record<"info" | "error", (details: object, message: string) => void>;
export type Schedule = { stop: () => Promise<void> };

const lookEveryMs = 5 * 60 * 1000;

/** @param program the program that makes the backup: the built command `backup` */
export function startSchedule(db: Database, log: Log, program: string): Schedule {
  let running: Promise<void> | undefined;
  let end = (): void => {};
  let isStopping = false;
  const run = () =>
    new Promise<void>((resolve) => {
      const child = spawn(process.execPath, [program, "--scheduled", "--if-due"], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      end = () => child.kill("SIGTERM");
      let lines = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (part: Buffer) => (lines = `${lines}${part.toString()}`.slice(-4000)));
      child.once("error", (err) => log.error({ err }, "The scheduled backup did not begin"));
      child.once("close", (code) => {
        const last = lines.trim().split("\n").slice(-3);
        if (code === 0) log.info({ last }, "The scheduled backup ended");
        else if (!isStopping) log.error({ code, last }, "The scheduled backup failed");
        resolve();
      });
    });
  const look = async (): Promise<void> => {
    try {
      if (running || isStopping || !(await isBackupDue(db))) return;
      running = run();
      await running;
    } catch (error) {
      log.error({ err: error }, "Whether a backup is due could not be found");
    } finally {
      running = undefined;
    }
  };
  let looking = look();
  const timer = setInterval(() => {
    if (!running) looking = look();
  }, lookEveryMs);
  timer.unref();
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      end();
      await looking;
    },
  };
}
