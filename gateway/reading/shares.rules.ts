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
  /** but no longer: who asks what takes minutes does not wait minutes more */
  mostRestMs: number;
  /** how long the first statement of a request may wait; a request that has begun waits longer */
  waitSeconds: number;
  /** an operation is heavy from this reading cost on: about 50 ms of a processor */
  heavyCost: number;
};
export const usualShares: ShareSettings = { atOnce: 4, perPerson: 3, questionsPerPerson: 3, rest: 0, mostRestMs: 2000, waitSeconds: 30, heavyCost: 10_000 };

/** Heavy questions of one person at a time where PostgreSQL may share so many processors with the gateway: one stays free for other people. */
export const questionsPerPersonOn = (processors: number): number => Math.min(usualShares.perPerson, Math.max(1, processors - 1));

/** Where there are two processors or one, a person's heavy questions take one of them for half of the time at most. */
export const restOn = (processors: number): number => (processors > 2 ? 0 : 1);

/**
 * The cost from which on an operation is heavy. Where processors are few, a loop of questions that take 15 ms each already keeps others waiting, so
 * they take turns too.
 */
export const heavyCostOn = (processors: number): number => (processors > 2 ? usualShares.heavyCost : 3000);

/** Parallel workers of a statement that is not heavy: where processors are few, they would take the one that others wait for. */
export const helpersOn = (processors: number): number => (processors > 2 ? 2 : 0);
