import type { Database } from "../../db/engine/connect.ts";
import { databaseInTurns } from "../../db/engine/through.ts";
import type { Context } from "../context.ts";
import { Problem } from "../problem.ts";
import type { ShareSettings } from "./shares.rules.ts";

/**
 * Fair shares of the database. What reads much is heavy: it runs on connections of its own, so that what reads little never waits for it, and
 * one person has at most a few such statements under way. The next ones wait, each person's in their order and the persons in turn.
 */

/** Statements that one person may have waiting. */
const mostWaiting = 300;
const patience = 10;

type Turn = { person: string; begin: () => void };

export type Shares = {
  /** Whether an operation whose reading costs so much is heavy. */
  isHeavy: (cost: number) => boolean;
  /** The database of a context as something heavy reads it. */
  heavy: (context: Context) => Database;
  use: () => { running: number; waiting: number };
};

export function openShares({ db, heavy }: { db: Database; heavy: Database }, { atOnce, perPerson, waitSeconds, heavyCost }: ShareSettings): Shares {
  const running = new Map<string, number>();
  const waiting: Turn[] = [];
  const of = (person: string) => running.get(person) ?? 0;
  const sum = () => [...running.values()].reduce((all, each) => all + each, 0);
  const made = new WeakSet<Database>();

  /** Lets the next ones begin: of those who may, who has the fewest under way. */
  function goOn(): void {
    while (sum() < atOnce) {
      const [next] = waiting.filter(({ person }) => of(person) < perPerson).toSorted((one, other) => of(one.person) - of(other.person));
      if (!next) return;
      waiting.splice(waiting.indexOf(next), 1);
      running.set(next.person, of(next.person) + 1);
      next.begin();
    }
  }

  const tooMany = (seconds: number, own: number) =>
    new Problem(
      "TOO_MANY",
      `This reads much, and waited ${seconds} seconds for its turn: you have ${own} such questions under way (at most ${perPerson} run at a time), all people ${sum()} (at most ${atOnce}). ` +
        "Wait for them to end, or ask for less: fewer groups or aliases in one query, a shorter period, one province, district or partner.",
      { retryAfterSeconds: 10 },
    );

  async function takeTurn(person: string, seconds: number, isLeft: () => boolean): Promise<void> {
    const own = waiting.filter((turn) => turn.person === person).length;
    if (own >= mostWaiting) throw tooMany(0, own + of(person));
    await new Promise<void>((resolve, reject) => {
      const turn = {
        person,
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(tooMany(seconds, of(person)));
      }, seconds * 1000);
      waiting.push(turn);
      goOn();
    });
    if (!isLeft()) return;
    giveBack(person);
    throw new Problem("MALFORMED", "The connection was closed.");
  }

  function giveBack(person: string): void {
    if (of(person) > 1) running.set(person, of(person) - 1);
    else running.delete(person);
    goOn();
  }

  return {
    isHeavy: (cost) => cost >= heavyCost,
    heavy(context) {
      if (made.has(context.db)) return context.db;
      const person = context.viewer?.userUuid ?? context.address;
      const source = context.db === db ? heavy : context.db;
      let hasBegun = false;
      const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
        await takeTurn(person, hasBegun ? waitSeconds * patience : waitSeconds, context.isLeft ?? (() => false));
        hasBegun = true;
        try {
          return await work();
        } finally {
          giveBack(person);
        }
      };
      const reads = databaseInTurns(source, inTurn);
      made.add(reads);
      return reads;
    },
    use: () => ({ running: sum(), waiting: waiting.length }),
  };
}

/** Says that a request reads much. */
export function readHeavily(context: Context): void {
  if (context.shares) context.db = context.shares.heavy(context);
}
