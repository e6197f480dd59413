import { expect, test } from "vitest";

import { isExpected, isOverdue, siteFilterRules } from "./silence.rules.ts";

test.each<[string | null, number | null, boolean, boolean]>([
  // mode of the latest assessment, days since the latest TDB, expected, overdue at a rhythm of 30 days
  ["EFirst", 0, true, false],
  ["EFirst", 29, true, false],
  ["EFirst", 30, true, false],
  ["EFirst", 31, true, true],
  ["ELast", 4000, true, true],
  ["EFirst", null, true, true],
  ["EFast", null, true, true],
  ["ELast", null, true, true],
  ["Partial", null, true, true],
  ["NotDeployed", null, false, false],
  ["NotOperational", null, false, false],
  [null, null, false, false],
  ["NotDeployed", 31, true, true],
  ["NotOperational", 30, true, false],
  [null, 31, true, true],
])("mode %s, %s days since the last TDB: expected %s, overdue %s", (functionalityStatusMode, daysSinceLastTdb, expected, overdue) => {
  const site = { functionalityStatusMode, daysSinceLastTdb };
  expect([isExpected(site), isOverdue(site, 30)]).toEqual([expected, overdue]);
});

test.each<[rhythmDays: number, days: number, overdue: boolean]>([
  [1, 1, false],
  [1, 2, true],
  [365, 365, false],
  [365, 366, true],
])("with a rhythm of %s days, after %s days: overdue %s", (rhythmDays, daysSinceLastTdb, overdue) => {
  expect(isOverdue({ functionalityStatusMode: "EFirst", daysSinceLastTdb }, rhythmDays)).toBe(overdue);
});

test("a list shows who is overdue, the longest silent first, unless it is asked for another", () => {
  expect(siteFilterRules.parse({})).toEqual({ show: "overdue", sort: "silence" });
  expect(siteFilterRules.safeParse({ show: "late" }).error?.issues[0]?.path).toEqual(["show"]);
  expect(siteFilterRules.safeParse({ days: 3 }).success).toBe(false);
});
