/** Limits of heavy statements (shares.ts). */

export type ShareSettings = {
  /** heavy statements of this gateway at a time */
  atOnce: number;
  /** and of one person */
  perPerson: number;
  /** of which so many are questions; the others are exports */
  questionsPerPerson: number;
  /** how long the first statement of a request may wait; a request that has begun waits longer */
  waitSeconds: number;
  /** an operation is heavy from this reading cost on: about 50 ms of a processor */
  heavyCost: number;
};
export const usualShares: ShareSettings = { atOnce: 4, perPerson: 3, questionsPerPerson: 3, waitSeconds: 30, heavyCost: 10_000 };

/** Heavy questions of one person at a time where PostgreSQL may share so many processors with the gateway: one stays free for other people. */
export const questionsPerPersonOn = (processors: number): number => Math.min(usualShares.perPerson, Math.max(1, processors - 1));
