import type { Database } from "../../db/engine/connect.ts";
import { databaseInTurns, type HeavyKind, inPlaceOf } from "../../db/engine/through.ts";
import type { Context } from "../context.ts";
import { Problem } from "../problem.ts";
import { addReading, type Reading, restMsAfter, type ShareSettings } from "./shares.rules.ts";

/**
 * Fair shares of the database. Statements that read much are heavy. They run on separate connections, so that other statements never wait for them. One
 * person may run only a few of them at a time; with one or two processors there is a pause after each. Further ones wait in a queue, in which the people take
 * turns. Exports are counted apart from questions, because most of the time they wait for their receiver.
 */

/** The most statements of one person in the queue. */
const mostWaiting = 300;
const patience = 10;
/** After a longer wait the caller's rights are looked at again. */
const longWaitMs = 1000;

type Turn = { person: string; kind: HeavyKind; begin: () => void; begunAt: number };

export type Shares = {
  /** Whether an operation with this reading cost is heavy. */
  isHeavy: (cost: number) => boolean;
  /** The database for the heavy statements of a context: each waits for its turn. */
  heavy: (context: Context) => Database;
  use: () => { running: number; waiting: number };
};

/** Opens the queue of heavy statements of a gateway. `heavy`: the database with the connections for them. */
export function openShares({ db, heavy }: { db: Database; heavy: Database }, settings: ShareSettings): Shares {
  const { atOnce, perPerson, questionsPerPerson, waitSeconds, heavyCost } = settings;
  const running = new Set<Turn>();
  const waiting: Turn[] = [];
  /** The number of the last turn of each person in the queue, counted over all people. */
  const lastTurns = new Map<string, number>();
  /** People in a pause after a question, once for each such question: it counts as running until the pause ends. */
  const resting: string[] = [];
  /** The recent reading of all people who have sent heavy questions since the gateway started: a few bytes for each. */
  const readings = new Map<string, Reading>();
  let turns = 0;
  const turnsOf = (person: string, kind?: HeavyKind) => [...running].filter((turn) => turn.person === person && (kind ?? turn.kind) === turn.kind).length;
  const mayBegin = ({ person, kind }: Turn) => turnsOf(person) < perPerson && (kind === "export" || turnsOf(person, kind) + resting.filter((other) => other === person).length < questionsPerPerson);
  const lastTurnOf = (person: string) => lastTurns.get(person) ?? 0;
  const made = new WeakSet<Database>();

  /** Starts waiting statements: first of the person with the fewest running ones, and among equals of the one whose last turn is longest ago. */
  function goOn(): void {
    while (running.size < atOnce) {
      const [next] = waiting
        .filter(mayBegin)
        .toSorted(({ person: one }, { person: other }) => turnsOf(one) - turnsOf(other) || lastTurnOf(one) - lastTurnOf(other));
      if (!next) return;
      waiting.splice(waiting.indexOf(next), 1);
      running.add(next);
      lastTurns.set(next.person, (turns += 1));
      next.begunAt = performance.now();
      next.begin();
    }
  }

  const tooMany = (seconds: number, own: number, kind: HeavyKind) =>
    new Problem(
      "TOO_MANY",
      `This reads much, and waited ${seconds} seconds for its turn: you have ${own} such questions under way (at most ${kind === "export" ? perPerson : questionsPerPerson} run at a time), all people ${running.size} (at most ${atOnce}). ` +
        "Wait for them to end, or ask for less: fewer groups or aliases in one query, a shorter period, one province, district or partner.",
      { retryAfterSeconds: 10 },
    );

  async function takeTurn(person: string, kind: HeavyKind, seconds: number, isLeft: () => boolean): Promise<Turn> {
    const own = waiting.filter((turn) => turn.person === person).length;
    if (own >= mostWaiting) throw tooMany(0, own + turnsOf(person), kind);
    const turn = await new Promise<Turn>((resolve, reject) => {
      const asked: Turn = {
        person,
        kind,
        begunAt: 0,
        begin: () => {
          clearTimeout(timer);
          resolve(asked);
        },
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(asked), 1);
        reject(tooMany(seconds, turnsOf(person), kind));
      }, seconds * 1000);
      waiting.push(asked);
      goOn();
    });
    if (!isLeft()) return turn;
    giveBack(turn);
    throw new Problem("MALFORMED", "The connection was closed.");
  }

  function giveBack(turn: Turn): void {
    running.delete(turn);
    const { person, kind, begunAt } = turn;
    const now = performance.now();
    let restMs = 0;
    if (kind === "question") {
      const lately = addReading(readings.get(person), now - begunAt, now);
      readings.set(person, lately);
      restMs = restMsAfter(settings, lately, now - begunAt);
    }
    if (restMs >= 1) {
      resting.push(person);
      setTimeout(() => {
        resting.splice(resting.indexOf(person), 1);
        goOn();
      }, restMs).unref();
    }
    if (turnsOf(person) === 0 && !waiting.some((other) => other.person === person)) lastTurns.delete(person);
    goOn();
  }

  return {
    isHeavy: (cost) => cost >= heavyCost,
    heavy(context) {
      if (made.has(context.db)) return context.db;
      const person = context.caller ?? context.address;
      let hasBegun = false;
      const inTurn = async <Result>(kind: HeavyKind, work: () => Promise<Result>): Promise<Result> => {
        const asked = performance.now();
        const turn = await takeTurn(person, kind, hasBegun ? waitSeconds * patience : waitSeconds, context.isLeft ?? (() => false));
        hasBegun = true;
        try {
          if (performance.now() - asked > longWaitMs) await context.lookAgain?.();
          return await work();
        } finally {
          giveBack(turn);
        }
      };
      const reads = inPlaceOf(context.db, (source) => databaseInTurns(source === db ? heavy : source, inTurn));
      made.add(reads);
      return reads;
    },
    use: () => ({ running: running.size, waiting: waiting.length }),
  };
}

/** Declares that a request reads much: from here on its statements wait for their turn. */
export function readHeavily(context: Context): void {
  if (context.shares) context.db = context.shares.heavy(context);
}
