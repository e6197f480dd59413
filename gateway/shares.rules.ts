/** How the database is shared by what reads much (shares.ts). */

export type ShareSettings = {
  /** heavy statements of this gateway at a time */
  atOnce: number;
  /** and of one person */
  perPerson: number;
  /** how long the first statement of a request may wait; one that has begun is not given up so soon */
  waitSeconds: number;
  /** an operation whose reading costs so much is heavy: some 50 ms of a processor */
  heavyCost: number;
};
export const usualShares: ShareSettings = { atOnce: 4, perPerson: 3, waitSeconds: 30, heavyCost: 10_000 };
