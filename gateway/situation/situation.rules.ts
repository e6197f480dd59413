import { z } from "zod";

import { namedPeriodOf } from "../calendar/fiscal.rules.ts";
import { idRule } from "../input/page.rules.ts";
import { partOf, percentOf } from "../target/attainment.rules.ts";

/**
 * The situation of a part of the country: today, at the end of earlier quarters, and of each of its units. The terms
 * are defined in facility/state.rules.ts. The state at the end of a quarter is that of the latest assessment or TDB up
 * to then, however old. Facilities are counted in their present place and for their present partner, and "old" means
 * older than today's newest version.
 */

export { partOf, percentOf };

const scopeShape = {
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
};
export const situationScopeRules = z.strictObject(scopeShape);

/**
 * A count (`value`), its denominator (`of`), and both at the end of the previous quarter; null if not known.
 * `notRecorded`: those of the denominator whose latest assessment records no answer; null where the count is about no
 * answer.
 */
export type Figure = {
  value: number;
  of: number | null;
  notRecorded: number | null;
  before: { value: number; of: number } | null;
};
/** The state of some facilities at the end of a quarter; for the present quarter as it is now. */
export type Quarter = { periodStart: string } & Record<
  "assessed" | "functional" | "notRecordedFunctional" | "power" | "notRecordedPower" | "expected" | "silent",
  number
>;

export const quartersShown = 8;

/** The first days of the last quarters; the present quarter is the last. */
export function lastQuarters(today: string): string[] {
  const { start } = namedPeriodOf({ relative: "THIS_QUARTER" }, today);
  const [year, month] = start.split("-").map(Number) as [number, number];
  return Array.from({ length: quartersShown }, (_, index) => {
    const months = year * 12 + month - 1 - 3 * (quartersShown - 1 - index);
    return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}-01`;
  });
}

/**
 * A sum at the end of a quarter (null: today), from rows with the sum of today (`infinity`) and the change in each
 * quarter.
 */
export function sumAt<Row extends { periodStart: string }>(
  rows: readonly Row[],
  amount: (row: Row) => number,
  quarter: string | null,
): number {
  let sum = 0;
  for (const row of rows) {
    if (row.periodStart === "infinity") sum += amount(row);
    else if (quarter !== null && row.periodStart > quarter) sum -= amount(row);
  }
  return sum;
}

/** The change of a share from one quarter to the next, in percentage points; null if one of them has no share. */
export function shareChange(quarters: readonly Pick<Quarter, "functional" | "assessed">[]): number | null {
  const [before, now] = quarters.slice(-2).map(({ functional, assessed }) => percentOf(functional, assessed));
  return before == null || now == null ? null : Math.round(10 * (now - before)) / 10;
}
