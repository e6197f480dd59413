/** Limits of heavy statements (shares.ts). */

export type ShareSettings = {
  /** the most heavy statements of this gateway at a time */
  atOnce: number;
  /** the most heavy statements of one person at a time */
  perPerson: number;
  /** how many of these may be questions; exports may take all */
  questionsPerPerson: number;
  /** the pause after a person's question, in multiples of its time */
  rest: number;
  /** the same for a person who has read much lately */
  longRest: number;
  /** the longest pause */
  mostRestMs: number;
  /** how long the first statement of a request may wait; later statements of the request may wait longer */
  waitSeconds: number;
  /** an operation whose reading costs at least this is heavy: about 50 ms of a processor */
  heavyCost: number;
};
export const usualShares: ShareSettings = {
  atOnce: 4,
  perPerson: 3,
  questionsPerPerson: 3,
  rest: 0,
  longRest: 0,
  mostRestMs: 2000,
  waitSeconds: 30,
  heavyCost: 10_000,
};

/**
 * The most heavy questions of one person at a time, if PostgreSQL and the gateway share this number of processors: one
 * processor stays free for other people.
 */
export const questionsPerPersonOn = (processors: number): number =>
  Math.min(usualShares.perPerson, Math.max(1, processors - 1));

/** With one or two processors, the heavy questions of a person use one of them at most half of the time. */
export const restOn = (processors: number): number => (processors > 2 ? 0 : 1);

/**
 * The same for a person who has read much lately, which is a loop and not somebody who opens a screen of charts: at
 * most a quarter of the time.
 */
export const longRestOn = (processors: number): number => (processors > 2 ? 0 : 3);

/**
 * How long a person's heavy questions ran lately (`ms`), as of a time (`at`), both in milliseconds. The sum halves
 * every 30 s.
 */
export type Reading = { ms: number; at: number };
const halfLifeMs = 30_000;
/**
 * From here on a person has read much lately. A loop that pauses as long as it reads reaches this after about 11 s, and
 * stays above it with pauses three times as long.
 */
const muchMs = 5000;

/** The sum after a further question that took `tookMs`, at the time `now` (milliseconds). */
export const addReading = (former: Reading | undefined, tookMs: number, now: number): Reading => ({
  ms: (former ? former.ms * 0.5 ** ((now - former.at) / halfLifeMs) : 0) + tookMs,
  at: now,
});

/** The pause in milliseconds after a question that took `tookMs`. */
export const restMsAfter = (
  { rest, longRest, mostRestMs }: Pick<ShareSettings, "rest" | "longRest" | "mostRestMs">,
  lately: Reading,
  tookMs: number,
): number => Math.min(mostRestMs, tookMs * (lately.ms > muchMs ? Math.max(rest, longRest) : rest));

/**
 * The cost from which on an operation is heavy. With one or two processors, a loop of questions of 15 ms each already
 * makes other people wait, so such questions wait for their turn too.
 */
export const heavyCostOn = (processors: number): number => (processors > 2 ? usualShares.heavyCost : 3000);

/**
 * The parallel workers of a statement that is not heavy. With one or two processors there are none: they would take the
 * processor that other people wait for.
 */
export const helpersOn = (processors: number): number => (processors > 2 ? 2 : 0);
