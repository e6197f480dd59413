/** Answers that are possible but far from usual, about which the form asks before it saves them. */

/** The figures of the rule. */
const staff = {
  /** more than any site has trained */
  most: 200,
  /** how many times as many, or as few, as at the last visit, if they also differ by at least so many people */
  times: 3,
  difference: 50,
};
/** An upgrade so many years before the visit is rather a slip of the year. */
const upgradeYears = 15;

type Answers = { numberOfStaffTrainedInSmartCare: number | null; dateOfLastUpgrade: string | null };

/** One question: its field, and what is asked about its answer. The same answer gives the same words. */
export type Unusual = { field: keyof Answers; question: string };

const shown = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ",");

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
      question: `Really ${shown(trained)} staff trained?${before === null ? "" : ` At the last visit: ${shown(before)}.`}`,
    });
  const year = Number(upgraded?.slice(0, 4));
  if (upgraded && upgraded !== last?.dateOfLastUpgrade && year < Number(today.slice(0, 4)) - upgradeYears)
    found.push({ field: "dateOfLastUpgrade", question: `Really last upgraded in ${year}?` });
  return found;
}
