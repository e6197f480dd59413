import { setTimeout as sleep } from "node:timers/promises";

import type { Database } from "../../db/engine/connect.ts";
import { type Guessed, insertGuess, updateGuess } from "../../db/auth/guess.ts";
import { Problem } from "../problem.ts";

/**
 * Limits guessing of passwords and codes. Only wrong guesses count. A guess takes a place before it is checked, and
 * gives it back if it was right. If all places are taken by guesses that are being checked, the next guess waits. So
 * simultaneous right guesses are never refused, and simultaneous wrong guesses do not allow more attempts.
 */

/** The longest time that a guess waits for others. Checking one takes some hundredths of a second. */
const mostWaitMs = 15_000;

/**
 * Takes a place. Returns null, or the seconds until a place is free.
 *
 * @throws Problem TOO_MANY (others took too long)
 */
async function take(db: Database, guessed: Guessed): Promise<number | null> {
  const begun = Date.now();
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 100)) {
    const answer = await insertGuess(db, guessed);
    if (answer === "taken") return null;
    if (answer !== "busy") return answer;
    if (Date.now() - begun > mostWaitMs)
      throw new Problem("TOO_MANY", "Too many sign-ins at one time. Try again in a moment.", { retryAfterSeconds: 1 });
    await sleep(pause * (0.75 + Math.random() / 2));
  }
}

/** The places that one guess has taken so far. */
export class Guess {
  private readonly taken: Guessed[] = [];
  constructor(private readonly db: Database) {}

  /** Takes one more place. Returns null, or the seconds until a place is free. @throws Problem TOO_MANY */
  async take(guessed: Guessed): Promise<number | null> {
    const seconds = await take(this.db, guessed);
    if (seconds === null) this.taken.push(guessed);
    return seconds;
  }

  /** The result of the guess; unknown if the check failed with an error. */
  async end(outcome: "wrong" | "right" | "unknown"): Promise<void> {
    for (const guessed of this.taken.splice(0)) await updateGuess(this.db, guessed, outcome);
  }
}
