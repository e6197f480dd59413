import { z } from "zod";

import { namedPeriodOf } from "../calendar/fiscal.rules.ts";
import { idRule } from "../input/page.rules.ts";
import { shareOf } from "../target/attainment.rules.ts";

/**
 * The situation: how a part of the country stands today, how it stood at the end of the quarters before, and how its units compare. What the words mean is
 * defined in facility/state.rules.ts. Of a state at the end of a quarter counts the latest assessment or TDB up to then, however old; facilities belong to
 * their place and partner of today, and "old" means older than the newest version of today.
 */

export { shareOf };

const scopeShape = { provinceId: idRule.nullish(), districtId: idRule.nullish(), implementingPartnerId: idRule.nullish() };
export const situationScopeRules = z.strictObject(scopeShape);

/** What one count tells of how many, and the same at the end of the quarter before; null where that is not known. */
export type Figure = { value: number; of: number | null; before: { value: number; of: number } | null };
/** The state of some facilities at the end of a quarter; of the running one as it is now. */
export type Quarter = { periodStart: string; assessed: number; functional: number };

export const quartersShown = 8;

/** The first days of the last quarters, the one that today lies in last. */
export function lastQuarters(today: string): string[] {
  const { start } = namedPeriodOf({ relative: "THIS_QUARTER" }, today);
  const [year, month] = start.split("-").map(Number) as [number, number];
  return Array.from({ length: quartersShown }, (_, index) => {
    const months = year * 12 + month - 1 - 3 * (quartersShown - 1 - index);
    return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}-01`;
  });
}

/** A sum of rows that tell what holds today (`infinity`) and what changed in each quarter, as it was at the end of a quarter; null: as it is today. */
export function sumAt<Row extends { periodStart: string }>(rows: readonly Row[], amount: (row: Row) => number, quarter: string | null): number {
  let sum = 0;
  for (const row of rows) {
    if (row.periodStart === "infinity") sum += amount(row);
    else if (quarter !== null && row.periodStart > quarter) sum -= amount(row);
  }
  return sum;
}


/** By how many percentage points a share changed from one quarter to the next; null where one of them has none. */
export function shareChange(quarters: readonly Quarter[]): number | null {
  const [before, now] = quarters.slice(-2).map(({ functional, assessed }) => shareOf(functional, assessed));
  return before == null || now == null ? null : Math.round(10 * (now - before)) / 10;
}
