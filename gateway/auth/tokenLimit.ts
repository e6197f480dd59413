import type { Database } from "../../db/engine/connect.ts";
import { limitOf } from "../../db/auth/limit.ts";
import type { Viewer } from "../context.ts";
import { Problem } from "../problem.ts";
import { rateLimitHeaders, type TokenLimit, tooOftenMessage } from "./tokenLimit.rules.ts";

export type { TokenLimit } from "./tokenLimit.rules.ts";
export { usualTokenLimit } from "./tokenLimit.rules.ts";

/**
 * Counts the calls of each access token, in the database, so that all gateways count together. Returns the headers that
 * inform the caller, and the problem TOO_MANY if it calls too often. Requests with a session are not counted.
 */
export function tokenLimitOf(db: Database, limit: TokenLimit) {
  const calls = limitOf(db, { name: "calls", ...limit, table: "token_limit" });
  return async ({ tokenUuid }: Viewer): Promise<{ headers: Record<string, string>; problem?: Problem }> => {
    if (tokenUuid === null) return { headers: {} };
    const { waitSeconds, ...count } = await calls.take(tokenUuid);
    const headers = rateLimitHeaders(limit, count);
    if (waitSeconds === null) return { headers };
    return {
      headers,
      problem: new Problem("TOO_MANY", tooOftenMessage(limit, waitSeconds), { retryAfterSeconds: waitSeconds }),
    };
  };
}
