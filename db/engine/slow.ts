import { AsyncLocalStorage } from "node:async_hooks";

/** Reports the statements that were run for a request: all of them (traces), or those that took long (the log). */

/** The text of a statement with $1, $2, … for its values, and its duration. `fault`: why it failed. */
export type TimedStatement = { text: string; ms: number; fault?: string };
/** Receives the statements that took at least `fromMs` milliseconds. */
export type Follower = { fromMs: number; report: (statement: TimedStatement) => void };

const followers = new AsyncLocalStorage<Follower>();

/** Reports to a follower all statements that `work` causes, also those that run after it has returned. */
export const follow = <Result>(follower: Follower, work: () => Result): Result => followers.run(follower, work);

/**
 * Runs a statement and reports it. The time does not include the wait for a connection. Failed statements, such as
 * those over their time limit, are reported too.
 */
export async function timed<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  const follower = followers.getStore();
  if (!follower) return run();
  const begun = performance.now();
  let fault: { fault: string } | undefined;
  try {
    return await run();
  } catch (error) {
    fault = { fault: (error as { code?: string }).code ?? (error as Error).name };
    throw error;
  } finally {
    const ms = performance.now() - begun;
    if (ms >= follower.fromMs) follower.report({ text, ms, ...fault });
  }
}
