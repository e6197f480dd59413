/** How many calls one access token may make in some seconds. */
export type TokenLimit = { times: number; seconds: number };
export const usualTokenLimit: TokenLimit = { times: 1200, seconds: 60 };

/** The headers about the limit in every answer to a token, as in the IETF's draft of RateLimit header fields. */
export const rateLimitHeaders = (
  { times, seconds }: TokenLimit,
  { taken, resetSeconds }: { taken: number; resetSeconds: number },
) => ({
  "ratelimit-policy": `"token";q=${times};w=${seconds}`,
  ratelimit: `"token";r=${Math.max(0, times - taken)};t=${resetSeconds}`,
});

/** The message for a token that is over its limit. */
export const tooOftenMessage = ({ times, seconds }: TokenLimit, waitSeconds: number): string =>
  `This access token may call ${times} times in ${seconds} seconds. Wait ${waitSeconds} ${waitSeconds === 1 ? "second" : "seconds"}; ` +
  `ask for more with each call (limit, first, exports) or use another token for another task.`;
