import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";

import { type Database, poolOf } from "./connect.ts";

/** How often something may happen to one key within a time; counted in the database, so that all gateways share it. */
export type Limit = {
  /** Counts one more. Answers how many there were, or for how many seconds the key is refused. */
  take: (key: string) => Promise<{ taken: number; waitSeconds: number | null }>;
  /** Takes one back. */
  giveBack: (key: string) => Promise<void>;
  /** Refuses the key for some seconds from now. */
  block: (key: string, seconds: number) => Promise<void>;
  /** Forgets the key. */
  reset: (key: string) => Promise<void>;
};

/** @param name tells this limit's keys from those of others */
export function limitOf(db: Database, { name, times, seconds }: { name: string; times: number; seconds: number }): Limit {
  const limiter = new RateLimiterPostgres({
    storeClient: poolOf(db),
    storeType: "pool",
    tableName: "sign_in_limit",
    tableCreated: true,
    keyPrefix: name,
    points: times,
    duration: seconds,
  });
  return {
    async take(key) {
      try {
        const { consumedPoints } = await limiter.consume(key);
        return { taken: consumedPoints, waitSeconds: null };
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return { taken: refusal.consumedPoints, waitSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
      }
    },
    async giveBack(key) {
      await limiter.reward(key);
    },
    async block(key, seconds) {
      await limiter.block(key, seconds);
    },
    async reset(key) {
      await limiter.delete(key);
    },
  };
}
