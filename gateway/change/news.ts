import * as db from "../../db/change/change.ts";
import type { ChangeKind, FeedPosition } from "../../db/change/change.ts";
import type { Database } from "../../db/engine/connect.ts";

/**
 * Callers that wait for changes in the feed (`wait=30`). They hold no connection and no transaction: for all of them
 * together, one statement per second looks for the newest change of each kind, and only while somebody waits.
 */

type Waiter = { kinds: readonly ChangeKind[]; after: FeedPosition; isLeft: () => boolean; end: () => void };

const everyMs = 1000;
/** How many callers that a change has woken query the database at a time, so that other requests get connections. */
const mostAsking = 3;
/** The most callers that wait. Further callers are answered immediately. */
const mostWaiting = 10_000;

const isAfter = (one: FeedPosition, other: FeedPosition): boolean => {
  const [transaction, since] = [BigInt(one.transaction), BigInt(other.transaction)];
  return transaction > since || (transaction === since && BigInt(one.sequence) > BigInt(other.sequence));
};

class News {
  private readonly waiters = new Set<Waiter>();
  private asking = 0;
  private readonly woken: (() => void)[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;
  constructor(private readonly database: Database) {}

  get waiting(): number {
    return this.waiters.size;
  }

  /** Waits until there is a change of these kinds after a position, at most `seconds`. */
  wait(kinds: readonly ChangeKind[], after: FeedPosition, seconds: number, isLeft: () => boolean): Promise<void> {
    if (this.isClosed || this.waiters.size >= mostWaiting) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.end(), seconds * 1000);
      const waiter: Waiter = {
        kinds,
        after,
        isLeft,
        end: () => {
          clearTimeout(timer);
          this.waiters.delete(waiter);
          resolve();
        },
      };
      this.waiters.add(waiter);
      this.timer ??= setTimeout(() => void this.look(), everyMs);
    });
  }

  private async look(): Promise<void> {
    try {
      const kinds = [...new Set([...this.waiters].flatMap((waiter) => waiter.kinds))];
      const newest = new Map(
        (await db.listLastPositions(this.database, { kinds })).map((found) => [found.kind, found]),
      );
      const hasNews = ({ kinds: asked, after }: Waiter) =>
        asked.some((kind) => newest.has(kind) && isAfter(newest.get(kind)!, after));
      this.wake([...this.waiters].filter((waiter) => waiter.isLeft() || hasNews(waiter)));
    } catch {
      // Wake all: each gets the error from its own query.
      this.wake([...this.waiters]);
    }
    this.timer = this.waiters.size > 0 && !this.isClosed ? setTimeout(() => void this.look(), everyMs) : undefined;
  }

  private wake(waiters: readonly Waiter[]): void {
    for (const waiter of waiters) waiter.end();
  }

  /** Runs the query of a caller that was woken, when it is its turn. */
  async inTurn<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.asking >= mostAsking) await new Promise<void>((resolve) => this.woken.push(resolve));
    else this.asking += 1;
    try {
      return await ask();
    } finally {
      // The next caller takes this place.
      const next = this.woken.shift();
      if (next) next();
      else this.asking -= 1;
    }
  }

  /** Wakes all callers, because the gateway is stopping. */
  close(): void {
    this.isClosed = true;
    opened.delete(this.database);
    clearTimeout(this.timer);
    for (const waiter of this.waiters) waiter.end();
  }
}

const opened = new WeakMap<Database, News>();

/** The shared instance for a database. */
export function newsOf(database: Database): News {
  const known = opened.get(database) ?? new News(database);
  opened.set(database, known);
  return known;
}
