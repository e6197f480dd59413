import { setTimeout as sleep } from "node:timers/promises";

import { Problem } from "../problem.ts";

/**
 * Limits the processor time of sign-ins. Checking a password takes some hundredths of a second on purpose, and guessing must not slow other requests down. So one sign-in is
 * checked at a time, and after a failed one there is a pause of the same length: guesses take at most half of one processor. The next check is for the waiting address
 * whose last turn was longest ago, so a person waits for at most one check of each guessing address. A waiting sign-in has not reserved its guess yet (guessing.ts),
 * so a gateway that is killed leaves at most one reserved guess behind.
 */

type Waiting = { address: string; begin: () => void };

/** The longest pause, for slow machines, on which each check takes long. */
const mostPauseMs = 100;
/** Addresses whose last turn is remembered; when there are more, all are forgotten. */
const mostAddresses = 10_000;

/** @param waitMs how long a check waits before it is refused */
export function openTurns(waitMs: number) {
  const waiting: Waiting[] = [];
  const lastTurns = new Map<string, number>();
  let turns = 0;
  let isTaken = false;
  const lastTurnOf = ({ address }: Waiting) => lastTurns.get(address) ?? 0;

  function goOn(): void {
    if (waiting.length === 0) return;
    const next = waiting.reduce((first, other) => (lastTurnOf(other) < lastTurnOf(first) ? other : first));
    waiting.splice(waiting.indexOf(next), 1);
    if (lastTurns.size >= mostAddresses) lastTurns.clear();
    lastTurns.set(next.address, (turns += 1));
    isTaken = true;
    next.begin();
  }

  async function giveBack(pauseMs: number): Promise<void> {
    await sleep(pauseMs);
    isTaken = false;
    goOn();
  }

  return {
    /** Runs a check of this address in its turn. An error counts as a failed check. @throws Problem TOO_MANY, and what the check throws */
    async take<Result>(address: string, check: () => Promise<Result>): Promise<Result> {
      await new Promise<void>((resolve, reject) => {
        const asked: Waiting = {
          address,
          begin: () => {
            clearTimeout(timer);
            resolve();
          },
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(asked), 1);
          reject(new Problem("TOO_MANY", "Too many sign-ins at one time. Try again in a moment.", { retryAfterSeconds: 5 }));
        }, waitMs);
        waiting.push(asked);
        if (!isTaken) goOn();
      });
      const begun = performance.now();
      let pauseMs = 0;
      try {
        return await check();
      } catch (error) {
        pauseMs = Math.min(mostPauseMs, performance.now() - begun);
        throw error;
      } finally {
        void giveBack(pauseMs);
      }
    },
  };
}

/** The turns of this gateway's sign-ins. */
export const passwordTurns = openTurns(30_000);
