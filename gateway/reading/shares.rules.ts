/** Limits of heavy statements (shares.ts). */

export type ShareSettings = {
  /** heavy statements of this gateway at a time */
  atOnce: number;
  /** and of one person */
  perPerson: number;
  /** how long the first statement of a request may wait; a request that has begun waits longer */
  waitSeconds: number;
  /** an operation is heavy from this reading cost on: about 50 ms of a processor */
  heavyCost: number;
};
export const usualShares: ShareSettings = { atOnce: 4, perPerson: 3, waitSeconds: 30, heavyCost: 10_000 };
