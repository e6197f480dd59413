import { setTimeout } from "node:timers/promises";

import { ERRORS, type Lock, type Locker } from "@tus/server";

import type { UploadLocks } from "./resumable.ts";

/**
 * How long a request waits for the previous request of the same upload to end. A lost connection may be noticed late.
 */
const patienceMs = 20_000;
const stepMs = 100;

/** One request at a time for each upload, whichever gateway it comes to. A new request asks the previous one to end. */
export function tusLocker(locks: UploadLocks): Locker {
  return {
    newLock(id): Lock {
      let giveBack: (() => Promise<void>) | undefined;
      return {
        async lock(signal, endMine) {
          const end = Date.now() + patienceMs;
          for (;;) {
            giveBack = await locks.tryTake(id, () => void endMine());
            if (giveBack) return;
            if (signal.aborted || Date.now() > end) throw ERRORS.ERR_LOCK_TIMEOUT;
            await locks.ask(id);
            await setTimeout(stepMs);
          }
        },
        unlock: async () => giveBack?.(),
      };
    },
  };
}
