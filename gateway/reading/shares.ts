import { setTimeout as pause } from "node:timers/promises";

import PQueue from "p-queue";

import type { Database } from "../../db/engine/connect.ts";
import { databaseInTurns, type HeavyKind } from "../../db/engine/through.ts";
import type { Context } from "../context.ts";
import { Problem } from "../problem.ts";
import { addReading, type Reading, restMsAfter, type ShareSettings } from "./shares.rules.ts";

/**
 * Fair shares of the database. Statements that read much are heavy. They run on separate connections, so that other
 * statements never wait for them. Each person has a queue that lets few of them through at a time to the queue of all
 * people; with one or two processors there is a pause after each question. Exports are counted apart from questions,
 * because most of the time they wait for their receiver.
 */

/** The most statements of one person that wait. */
const mostWaiting = 300;
const patience = 10;
/** After a longer wait the caller's rights are looked at again. */
const longWaitMs = 1000;

/** The queues of one person: a question passes both, an export only the second one. */
type Own = { questions: PQueue; all: PQueue; running: Record<HeavyKind, number>; waiting: number; lately?: Reading };

export type Shares = {
  /** Whether an operation with this reading cost is heavy. */
  isHeavy: (cost: number) => boolean;
  /** The database for the heavy statements of a context: each waits for its turn. */
  heavy: (context: Context) => Database;
  use: () => { running: number; waiting: number };
};

/** Opens the queues of heavy statements of a gateway. `heavy`: the database with the connections for them. */
export function openShares({ db, heavy }: { db: Database; heavy: Database }, settings: ShareSettings): Shares {
  const { atOnce, perPerson, questionsPerPerson, waitSeconds, heavyCost } = settings;
  const everyone = new PQueue({ concurrency: atOnce });
  /** All people who have sent heavy statements since the gateway started: a few kilobytes for each. */
  const people = new Map<string, Own>();
  const made = new WeakSet<Database>();

  function queuesOf(person: string): Own {
    const own = people.get(person) ?? {
      questions: new PQueue({ concurrency: questionsPerPerson }),
      all: new PQueue({ concurrency: perPerson }),
      running: { question: 0, export: 0 },
      waiting: 0,
    };
    people.set(person, own);
    return own;
  }

  function tooMany(seconds: number, own: number, kind: HeavyKind): Problem {
    const most = kind === "export" ? perPerson : questionsPerPerson;
    return new Problem(
      "TOO_MANY",
      `This reads much, and waited ${seconds} seconds for its turn: you have ${own} such questions under way ` +
        `(at most ${most} run at a time), all people ${everyone.pending} (at most ${atOnce}). ` +
        "Wait for them to end, or ask for less: fewer groups or aliases in one query, a shorter period, " +
        "one province, district or partner.",
      { retryAfterSeconds: 10 },
    );
  }

  /** Runs a statement when its turn has come. `onBegin` may refuse it then. */
  async function inTurn<Result>(
    { own, kind, seconds, onBegin }: { own: Own; kind: HeavyKind; seconds: number; onBegin: () => Promise<void> },
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (own.waiting >= mostWaiting) throw tooMany(0, own.waiting + own.running[kind], kind);
    const impatience = new AbortController();
    const { signal } = impatience;
    const timer = setTimeout(() => {
      own.waiting -= 1;
      impatience.abort(tooMany(seconds, own.running[kind], kind));
    }, seconds * 1000);
    own.waiting += 1;
    let restMs = 0;
    const run = async () => {
      clearTimeout(timer);
      own.waiting -= 1;
      own.running[kind] += 1;
      const begunAt = performance.now();
      try {
        await onBegin();
        return await work();
      } finally {
        own.running[kind] -= 1;
        if (kind === "question") restMs = restAfter(own, performance.now() - begunAt);
      }
    };
    // Among people, the one with the fewest statements in the common queue comes first.
    const amongAll = () => everyone.add(run, { signal, priority: -own.all.pending });
    const afterOwn = () => own.all.add(amongAll, { signal });
    if (kind === "export") return afterOwn();
    return new Promise<Result>((resolve, reject) => {
      const thenRest = async () => {
        await afterOwn().then(resolve, reject);
        // Until the pause ends, the question counts as running.
        if (restMs >= 1) await pause(restMs, undefined, { ref: false });
      };
      own.questions.add(thenRest, { signal }).catch(reject);
    });
  }

  function restAfter(own: Own, tookMs: number): number {
    own.lately = addReading(own.lately, tookMs, performance.now());
    return restMsAfter(settings, own.lately, tookMs);
  }

  return {
    isHeavy: (cost) => cost >= heavyCost,
    heavy(context) {
      if (made.has(context.db)) return context.db;
      const own = queuesOf(context.caller ?? context.address);
      let hasBegun = false;
      const reads = databaseInTurns(context.db === db ? heavy : context.db, (kind, work) => {
        const asked = performance.now();
        const onBegin = async () => {
          hasBegun = true;
          if (context.isLeft?.()) throw new Problem("MALFORMED", "The connection was closed.");
          if (performance.now() - asked > longWaitMs) await context.lookAgain?.();
        };
        const seconds = hasBegun ? waitSeconds * patience : waitSeconds;
        return inTurn({ own, kind, seconds, onBegin }, work);
      });
      made.add(reads);
      return reads;
    },
    use: () => ({
      running: everyone.pending,
      waiting: [...people.values()].reduce((sum, { waiting }) => sum + waiting, 0),
    }),
  };
}

/** Declares that a request reads much: from here on its statements wait for their turn. */
export function readHeavily(context: Context): void {
  if (context.shares) context.db = context.shares.heavy(context);
}
