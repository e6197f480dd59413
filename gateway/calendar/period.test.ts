import { describe, expect, test } from "vitest";

import { fiscalMonths, fiscalYearOf, monthStart, periodOf, quarterOfMonth, quarterStart } from "./fiscal.rules.ts";
import { dateRangeRules, dateRule, yearRule } from "./period.rules.ts";

test("a fiscal year runs from October to September", () => {
  expect(fiscalMonths.map((month) => monthStart(2026, month))).toEqual([
    ...["2025-10-01", "2025-11-01", "2025-12-01", "2026-01-01", "2026-02-01", "2026-03-01"],
    ...["2026-04-01", "2026-05-01", "2026-06-01", "2026-07-01", "2026-08-01", "2026-09-01"],
  ]);
  expect(fiscalMonths.map(quarterOfMonth)).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
  expect([1, 2, 3, 4].map((quarter) => quarterStart(2026, quarter))).toEqual([
    ...["2025-10-01", "2026-01-01", "2026-04-01", "2026-07-01"],
  ]);
});

test.each([
  ["2025-09-30", 2025],
  ["2025-10-01", 2026],
  ["2025-12-31", 2026],
  ["2026-01-01", 2026],
  ["2026-09-30", 2026],
])("%s is in FY %i", (date, year) => expect(fiscalYearOf(date)).toBe(year));

test.each([
  [{ year: 2026 }, { kind: "year", start: "2025-10-01" }],
  [
    { year: 2026, quarter: -1 },
    { kind: "year", start: "2025-10-01" },
  ],
  [
    { year: 2026, quarter: 2 },
    { kind: "quarter", start: "2026-01-01" },
  ],
  [
    { year: 2026, month: 12 },
    { kind: "month", start: "2025-12-01" },
  ],
  [
    { year: 2026, month: 9 },
    { kind: "month", start: "2026-09-01" },
  ],
])("the period of %j", (input, period) => expect(periodOf(input)).toEqual(period));

describe("rules", () => {
  test.each(["2026-02-28", "2024-02-29", "1900-01-01", "9998-12-31"])("%s is a date", (date) =>
    expect(dateRule.safeParse(date).success).toBe(true),
  );
  test.each([
    "2026-02-29",
    "2026-2-1",
    "infinity",
    "1899-12-31",
    "9999-01-01",
    "99999-01-01",
    "2026-01-01T00:00",
    "",
    null,
    7,
  ])("%s is not a date", (date) => expect(dateRule.safeParse(date).error?.issues).toHaveLength(1));
  test.each([
    ["2026-01-01", "2026-01-01", true],
    ["2026-01-01", "2026-01-02", true],
    ["2026-01-02", "2026-01-01", false],
  ])("%s to %s is a valid range: %s", (start, end, isRange) =>
    expect(dateRangeRules.safeParse({ start, end }).success).toBe(isRange),
  );
  test.each([
    ["2000", true],
    ["1999", false],
    [String(new Date().getUTCFullYear() + 1), true],
    [String(new Date().getUTCFullYear() + 2), false],
    ["20.5", false],
    ["", false],
  ])("year %s is valid: %s", (year, valid) => expect(yearRule.safeParse(year).success).toBe(valid));
});
