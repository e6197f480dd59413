/** Limits of heavy statements (shares.ts). */

export type ShareSettings = {
  /** heavy statements of this gateway at a time */
  atOnce: number;
  /** and of one person */
  perPerson: number;
  /** of which so many are questions; the others are exports */
  questionsPerPerson: number;
  /** after a question its person's next one waits this many times as long as it took */
  rest: number;
  /** or this many times, where the person has read much lately */
  longRest: number;
  /** but no longer: who asks what takes minutes does not wait minutes more */
  mostRestMs: number;
  /** how long the first statement of a request may wait; a request that has begun waits longer */
  waitSeconds: number;
  /** an operation is heavy from this reading cost on: about 50 ms of a processor */
  heavyCost: number;
};
export const usualShares: ShareSettings = { atOnce: 4, perPerson: 3, questionsPerPerson: 3, rest: 0, longRest: 0, mostRestMs: 2000, waitSeconds: 30, heavyCost: 10_000 };

/** Heavy questions of one person at a time where PostgreSQL may share so many processors with the gateway: one stays free for other people. */
export const questionsPerPersonOn = (processors: number): number => Math.min(usualShares.perPerson, Math.max(1, processors - 1));

/** Where there are two processors or one, a person's heavy questions take one of them for half of the time at most. */
export const restOn = (processors: number): number => (processors > 2 ? 0 : 1);

/** And a quarter of one processor once they have read much lately: a loop, not somebody who opens a screen of charts. */
export const longRestOn = (processors: number): number => (processors > 2 ? 0 : 3);

/** How long a person's heavy questions ran lately, as of a time; both in milliseconds. What is older counts less: it halves every 30 s. */
export type Reading = { ms: number; at: number };
const halfLifeMs = 30_000;
/** A loop that rests as long as it reads passes this after some 11 s. One that takes three times as long to rest stays above it. */
const muchMs = 5000;

export const addReading = (former: Reading | undefined, tookMs: number, now: number): Reading => ({
  ms: (former ? former.ms * 0.5 ** ((now - former.at) / halfLifeMs) : 0) + tookMs,
  at: now,
});

/** Milliseconds until the next question of a person whose last one took so long. */
export const restMsAfter = ({ rest, longRest, mostRestMs }: Pick<ShareSettings, "rest" | "longRest" | "mostRestMs">, lately: Reading, tookMs: number): number =>
  Math.min(mostRestMs, tookMs * (lately.ms > muchMs ? Math.max(rest, longRest) : rest));

/**
 * The cost from which on an operation is heavy. Where processors are few, a loop of questions that take 15 ms each already keeps others waiting, so
 * they take turns too.
 */
export const heavyCostOn = (processors: number): number => (processors > 2 ? usualShares.heavyCost : 3000);

/** Parallel workers of a statement that is not heavy: where processors are few, they would take the one that others wait for. */
export const helpersOn = (processors: number): number => (processors > 2 ? 2 : 0);
