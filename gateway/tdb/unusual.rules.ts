import { numberText } from "../input/text.rules.ts";

/** A number of patients that is possible but far from usual: then a TDB is held until an administrator accepts it. */

/** The figures of the rule. */
const patients = {
  /** more than any facility has; asked of its first TDB only */
  most: 500_000,
  /** more than so many times as many, or as few, as in the TDB before, if they also differ by at least so many */
  times: 10,
  difference: 1_000,
};

/** What is far from usual about a TDB's patients, in words; null: nothing. `before`: null for a facility's first TDB. */
export function unusualPatients(now: number, before: number | null): string | null {
  if (before === null) return now > patients.most ? `${numberText(now)} patients in the first TDB` : null;
  const [less, more] = [Math.min(now, before), Math.max(now, before)];
  const isFar = more - less >= patients.difference && more > less * patients.times;
  return isFar ? `${numberText(now)} patients, ${numberText(before)} in the TDB before` : null;
}
