import { setTimeout } from "node:timers/promises";

import type { Database } from "../../db/engine/connect.ts";
import { completeRecounts, recountNoted } from "../../db/derived/recount.ts";

/** The part of the log that the recount uses. */
type Log = Record<"info" | "error", (details: object, message: string) => void>;

/** The recount of derived rows after an upgrade or a change of their settings. It runs while the gateway serves. */
export type Recounting = {
  /** facilities and provinces that wait, as this gateway last saw */ left: () => number;
  stop: () => Promise<void>;
};

const logEveryMs = 5000;
const pauseMs = 1000;
const pause = () => setTimeout(pauseMs);

/** Writes to the log how much is left, at most every few seconds. `hasTold`: whether it has written anything. */
function progressOf(log: Log): { report: (left: number) => void; hasReported: () => boolean } {
  let reportedAt = 0;
  return {
    report: (left) => {
      if (left === 0 || Date.now() - reportedAt < logEveryMs) return;
      reportedAt = Date.now();
      log.info({ left }, "Recounting derived figures");
    },
    hasReported: () => reportedAt > 0,
  };
}

/**
 * Counts the derived tables that an upgrade has emptied. It runs before the gateway serves.
 *
 * @throws PostgreSQL's error
 */
export async function recountMissing(
  db: Database,
  log: Log,
  onProgress: (left: number) => void = () => {},
): Promise<void> {
  const { report } = progressOf(log);
  const reportBoth = (left: number): void => {
    report(left);
    onProgress(left);
  };
  if (await completeRecounts(db, { onProgress: reportBoth, pause }))
    log.info({ left: 0 }, "All derived figures are counted");
}

/** Starts the recount of what waits, and repeats it if it fails. */
export function startRecounting(db: Database, log: Log): Recounting {
  const state = { left: 0, stopping: false };
  const progress = progressOf(log);
  const onProgress = (left: number): void => {
    state.left = left;
    progress.report(left);
  };
  const work = async (): Promise<void> => {
    while (!state.stopping) {
      try {
        await recountNoted(db, { onProgress, pause, isStopping: () => state.stopping });
        if (progress.hasReported() && !state.stopping) log.info({ left: 0 }, "All derived figures are recounted");
        return;
      } catch (error) {
        if (state.stopping) return;
        log.error({ err: error }, "The recount of derived figures failed and is tried again");
        await pause();
      }
    }
  };
  const done = work();
  return {
    left: () => state.left,
    stop: async () => {
      state.stopping = true;
      await done;
    },
  };
}
