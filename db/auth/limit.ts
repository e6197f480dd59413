import { setImmediate as immediate } from "node:timers/promises";

import type pg from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";

import { type Database, poolOf } from "../engine/connect.ts";
import { askWithin } from "../engine/away/silent.ts";

/** A rate limit for each key. It is counted in the database, so that all gateways share it. */
type Limit = {
  /**
   * Counts one more. Returns the count, the seconds until it resets, and the seconds to wait if the key is refused
   * (else null).
   */
  take: (key: string) => Promise<{ taken: number; resetSeconds: number; waitSeconds: number | null }>;
};

type Turn = { all: number; counted: Promise<RateLimiterRes> };

/** Returns a function that opens limits of a kind once for each database. */
export function limitsOf<Limits extends object>(open: (db: Database) => Limits): (db: Database) => Limits {
  const opened = new WeakMap<Database, Limits>();
  return (db) => {
    const limits = opened.get(db) ?? open(db);
    opened.set(db, limits);
    return limits;
  };
}

const silentSeconds = 10;

/**
 * @param name separates this limit's keys from those of other limits
 * @param table where it is counted: `token_limit` is cheap to write at every request, and empty after a crash of the
 *   database
 */
export function limitOf(
  db: Database,
  {
    name,
    times,
    seconds,
    table = "sign_in_limit",
  }: { name: string; times: number; seconds: number; table?: "sign_in_limit" | "token_limit" },
): Limit {
  const limiter = new RateLimiterPostgres({
    storeClient: { query: (statement: pg.QueryConfig) => askWithin(poolOf(db), silentSeconds, statement) },
    storeType: "pool",
    tableName: table,
    tableCreated: true,
    keyPrefix: name,
    points: times,
    duration: seconds,
    // After a refusal, further calls are refused from memory.
    ...(table === "token_limit" ? { inMemoryBlockOnConsumed: times + 1 } : {}),
  });
  /** Adds several to a key's count with one statement. A refusal of the library contains the count too. */
  const count = (key: string, points: number): Promise<RateLimiterRes> =>
    limiter.consume(key, points).catch((refusal: unknown) => {
      if (refusal instanceof RateLimiterRes) return refusal;
      throw refusal;
    });
  /** The callers in the same turn of the event loop, by key: one statement counts all of them. */
  const turns = new Map<string, Turn>();
  const begin = (key: string): Turn => {
    const turn: Turn = {
      all: 0,
      counted: immediate().then(() => {
        turns.delete(key);
        return count(key, turn.all);
      }),
    };
    turns.set(key, turn);
    return turn;
  };
  return {
    async take(key) {
      const turn = turns.get(key) ?? begin(key);
      const place = (turn.all += 1);
      const { consumedPoints, msBeforeNext } = await turn.counted;
      // 0: refused from memory, without a statement.
      const taken = consumedPoints === 0 ? times + 1 : consumedPoints - turn.all + place;
      const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
      return { taken, resetSeconds, waitSeconds: taken > times ? resetSeconds : null };
    },
  };
}
