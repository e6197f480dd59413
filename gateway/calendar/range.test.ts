import { expect, test } from "vitest";

import { rangeRule } from "./range.rules.ts";
import { rangeBefore, rangeOf } from "./rangeDays.rules.ts";

test.each([
  ["LAST_1_DAYS", "2026-11-29", "2026-11-29"],
  ["LAST_30_DAYS", "2026-10-31", "2026-11-29"],
  ["LAST_1_WEEKS", "2026-11-16", "2026-11-22"],
  ["LAST_12_MONTHS", "2025-11-01", "2026-10-31"],
  ["LAST_4_QUARTERS", "2025-10-01", "2026-09-30"],
  ["LAST_2_YEARS", "2024-10-01", "2026-09-30"],
  ["THIS_MONTH", "2026-11-01", "2026-11-29"],
  ["THIS_YEAR", "2026-10-01", "2026-11-29"],
  ["PREVIOUS_QUARTER", "2026-07-01", "2026-09-30"],
  ["PREVIOUS_YEAR", "2025-10-01", "2026-09-30"],
  ["THIS_CALENDAR_YEAR", "2026-01-01", "2026-11-29"],
  ["PREVIOUS_CALENDAR_YEAR", "2025-01-01", "2025-12-31"],
  ["THIS_DAY", "2026-11-29", "2026-11-29"],
  ["PREVIOUS_DAY", "2026-11-28", "2026-11-28"],
  ["THIS_WEEK", "2026-11-23", "2026-11-29"],
  ["PREVIOUS_WEEK", "2026-11-16", "2026-11-22"],
])("%s on Sunday 29 November 2026 is %s to %s", (range, start, end) => {
  expect(rangeRule.safeParse(range).success).toBe(true);
  expect(rangeOf(range, "2026-11-29")).toEqual({ start, end });
});

test.each(["LAST_0_DAYS", "LAST_DAYS", "LAST_3_HOURS", "THIS_HOUR", "last_3_days", "LAST_1000_DAYS"])(
  "%s is refused",
  (range) => expect(rangeRule.safeParse(range).success).toBe(false),
);

test.each([
  ["2026-04-01", "2026-09-30", "2025-10-01", "2026-03-31"],
  ["2026-02-01", "2026-02-28", "2026-01-01", "2026-01-31"],
  ["2025-10-01", "2026-09-30", "2024-10-01", "2025-09-30"],
  ["2026-01-01", "2026-01-10", "2025-12-22", "2025-12-31"],
  ["2026-03-15", "2026-03-15", "2026-03-14", "2026-03-14"],
])("before %s to %s are %s to %s", (start, end, first, last) => {
  expect(rangeBefore({ start, end })).toEqual({ start: first, end: last });
});
