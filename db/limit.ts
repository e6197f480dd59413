import type pg from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";

import { type Database, poolOf } from "./engine/connect.ts";
import { askWithin } from "./engine/away/silent.ts";

/** A rate limit for each key, counted in the database, so that all gateways share it. */
export type Limit = {
  /** Counts one more. Returns the count, the seconds until it resets, and the seconds to wait if the key is refused (else null). */
  take: (key: string) => Promise<{ taken: number; resetSeconds: number; waitSeconds: number | null }>;
};

/** Limits of a kind, opened once for each database. */
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
 * @param table where it is counted: `token_limit` is cheap to write at every request, and empty after a crash of the database
 */
export function limitOf(
  db: Database,
  { name, times, seconds, table = "sign_in_limit" }: { name: string; times: number; seconds: number; table?: "sign_in_limit" | "token_limit" },
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
  const secondsOf = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000));
  return {
    async take(key) {
      try {
        const result = await limiter.consume(key);
        return { taken: result.consumedPoints, resetSeconds: secondsOf(result), waitSeconds: null };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return { taken: Math.max(refusal.consumedPoints, times + 1), resetSeconds: secondsOf(refusal), waitSeconds: secondsOf(refusal) };
      }
    },
  };
}
