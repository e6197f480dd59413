import { setTimeout } from "node:timers/promises";

import type { Database } from "../../db/engine/connect.ts";
import { recountNoted } from "../../db/derived/recount.ts";

/** What the recount says to the log. */
type Log = Record<"info" | "error", (details: object, message: string) => void>;

/** Counts derived rows anew after an upgrade or a change of the settings that they depend on, beside the gateway's other work. */
export type Recounting = { /** facilities and provinces that wait, as this gateway last saw */ left: () => number; stop: () => Promise<void> };

const logEveryMs = 5000;
const pauseMs = 1000;

export function startRecounting(db: Database, log: Log): Recounting {
  const state = { left: 0, stopping: false };
  let told = 0;
  const tell = (left: number): void => {
    state.left = left;
    if (left === 0 || Date.now() - told < logEveryMs) return;
    told = Date.now();
    log.info({ left }, "Recounting derived figures");
  };
  const pause = () => setTimeout(pauseMs);
  const work = async (): Promise<void> => {
    while (!state.stopping) {
      try {
        await recountNoted(db, { onProgress: tell, pause, isStopping: () => state.stopping });
        if (told > 0 && !state.stopping) log.info({ left: 0 }, "All derived figures are recounted");
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
