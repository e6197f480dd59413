import { AsyncLocalStorage } from "node:async_hooks";

/** Statements are told to whoever they were run for: all of them, or those that took long. */

/** The text of a statement, or of several that were sent together (`;` and a new line between them), with $1, $2, … in place of its values, and how long it took. `fault`: why it failed. */
export type ToldStatement = { text: string; ms: number; fault?: string };
/** Who is told, and from how many milliseconds on. */
export type Follower = { fromMs: number; tell: (statement: ToldStatement) => void };

const followers = new AsyncLocalStorage<Follower>();

/** Tells a follower of the statements of everything that `work` begins, however much later. */
export const follow = <Result>(follower: Follower, work: () => Result): Result => followers.run(follower, work);

/** Runs a statement. Its time does not count the wait for a connection; one that fails, such as at its time limit, is told too. */
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
    if (ms >= follower.fromMs) follower.tell({ text, ms, ...fault });
  }
}
