import { dateRule } from "../calendar/period.rules.ts";
import { numberText } from "../input/text.rules.ts";

/**
 * Answers that are possible but far from usual. The form asks about them before it saves them; a visit that a program
 * sends with one is held.
 */

/** The figures of the rule. */
const staff = {
  /** more than any site has trained */
  most: 200,
  /** how many times as many, or as few, as at the last visit, if they also differ by at least so many people */
  times: 3,
  difference: 50,
};
/** Where it is not known, or there was none. */
const unknownUpgrade = "1900-01-01";
/** An upgrade so many years before the visit is rather a slip of the year. */
const upgradeYears = 15;

type Answers = { numberOfStaffTrainedInSmartCare: number | null; dateOfLastUpgrade: string | null };

/**
 * One question: its field, what is asked about its answer, and why a visit with it is held. The same answer gives the
 * same words.
 */
export type Unusual = { field: keyof Answers; question: string; reason: string };

function staffIsUnusual(now: number, last: number | null): boolean {
  if (now > staff.most) return true;
  if (last === null) return false;
  const [less, more] = [Math.min(now, last), Math.max(now, last)];
  return more - less >= staff.difference && more > less * staff.times;
}

/** What is far from usual in a visit's answers, compared with the last visit's and with what is usual anywhere. */
export function unusualIn(now: Answers, last: Answers | null, today: string): Unusual[] {
  const found: Unusual[] = [];
  const { numberOfStaffTrainedInSmartCare: trained, dateOfLastUpgrade: upgraded } = now;
  const before = last?.numberOfStaffTrainedInSmartCare ?? null;
  if (typeof trained === "number" && trained !== before && staffIsUnusual(trained, before))
    found.push({
      field: "numberOfStaffTrainedInSmartCare",
      question: `Really ${numberText(trained)} staff trained?${before === null ? "" : ` At the last visit: ${numberText(before)}.`}`,
      reason: `${numberText(trained)} staff trained${before === null ? "" : `, ${numberText(before)} at the last visit`}`,
    });
  const year = Number(upgraded?.slice(0, 4));
  const isKnown = dateRule.safeParse(upgraded).success && upgraded !== unknownUpgrade;
  if (isKnown && upgraded !== last?.dateOfLastUpgrade && year < Number(today.slice(0, 4)) - upgradeYears)
    found.push({
      field: "dateOfLastUpgrade",
      question: `Really last upgraded in ${year}?`,
      reason: `last upgraded in ${year}`,
    });
  return found;
}
