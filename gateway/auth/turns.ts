import { setTimeout as sleep } from "node:timers/promises";

import { Problem } from "../problem.ts";
import { hashPassword } from "./password.ts";

/**
 * Limits the processor time of passwords. Checking or hashing one takes some hundredths of a second on purpose, and
 * must not slow other requests down. So one password is checked or hashed at a time, whoever asks for it, and then there
 * is a pause of the same length: passwords, right or wrong, take at most half of one processor. The next turn is for
 * somebody known (a person who is signed in, or who signed in before with the same browser or from the same network), so
 * that guesses from a thousand networks do not keep people waiting; among these, and among the others, for the one (a
 * network or a person) whose last turn was longest ago. A waiting check has not reserved its guess yet (guessing.ts), so
 * a gateway that is killed leaves at most one reserved guess behind.
 */

type Waiting = { asker: string; isKnown: boolean; begin: () => void };

/** The longest pause, for slow machines, on which each check takes long. */
const mostPauseMs = 100;
/** Askers whose last turn is remembered; when there are more, all are forgotten. */
const mostAskers = 10_000;

/** @param waitMs how long a check waits before it is refused */
export function openTurns(waitMs: number) {
  const waiting: Waiting[] = [];
  const lastTurns = new Map<string, number>();
  let turns = 0;
  let isTaken = false;
  const lastTurnOf = ({ asker }: Waiting) => lastTurns.get(asker) ?? 0;

  function goOn(): void {
    if (waiting.length === 0) return;
    const known = waiting.filter(({ isKnown }) => isKnown);
    const next = (known.length > 0 ? known : waiting).reduce((first, other) =>
      lastTurnOf(other) < lastTurnOf(first) ? other : first,
    );
    waiting.splice(waiting.indexOf(next), 1);
    if (lastTurns.size >= mostAskers) lastTurns.clear();
    lastTurns.set(next.asker, (turns += 1));
    isTaken = true;
    next.begin();
  }

  async function giveBack(begun: number): Promise<void> {
    await sleep(Math.min(mostPauseMs, performance.now() - begun));
    isTaken = false;
    goOn();
  }

  return {
    /** Whether somebody has to wait now: only then it matters who is known. */
    isBusy: () => isTaken,
    /**
     * Runs a check for this asker in its turn.
     *
     * @throws Problem TOO_MANY, and what the check throws
     */
    async take<Result>(
      { asker, isKnown }: Pick<Waiting, "asker" | "isKnown">,
      check: () => Promise<Result>,
    ): Promise<Result> {
      await new Promise<void>((resolve, reject) => {
        const asked: Waiting = {
          asker,
          isKnown,
          begin: () => {
            clearTimeout(timer);
            resolve();
          },
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(asked), 1);
          reject(
            new Problem("TOO_MANY", "Too many passwords are being checked. Try again in a moment.", {
              retryAfterSeconds: 5,
            }),
          );
        }, waitMs);
        waiting.push(asked);
        if (!isTaken) goOn();
      });
      const begun = performance.now();
      try {
        return await check();
      } finally {
        void giveBack(begun);
      }
    },
  };
}

/** The turns of this gateway's passwords. */
export const passwordTurns = openTurns(30_000);

/** The hash of a password, made in the turn of the person who asks for it. @throws Problem TOO_MANY */
export const hashInTurn = (userUuid: string, password: string): Promise<string> =>
  passwordTurns.take({ asker: userUuid, isKnown: true }, () => hashPassword(password));
