import { expect, test } from "vitest";

import { lastQuarters, shareChange, percentOf, sumAt } from "./situation.rules.ts";

test.each([
  ["2026-11-23", "2025-01-01", "2026-10-01"],
  ["2026-10-01", "2025-01-01", "2026-10-01"],
  ["2026-09-30", "2024-10-01", "2026-07-01"],
  ["2026-01-01", "2024-04-01", "2026-01-01"],
])("on %s the first of the eight quarters begins on %s, the last on %s", (today, first, last) => {
  const quarters = lastQuarters(today);
  expect([quarters.length, quarters[0], quarters.at(-1)]).toEqual([8, first, last]);
});

const rows = [
  { periodStart: "infinity", n: 10 },
  { periodStart: "2026-07-01", n: 3 },
  { periodStart: "2026-10-01", n: -2 },
];
test.each([
  [null, 10],
  ["2026-10-01", 10],
  ["2026-07-01", 12],
  ["2026-04-01", 9],
])("the sum at the end of %s is today's sum without later changes: %d", (quarter, expected) => {
  expect(sumAt(rows, ({ n }) => n, quarter)).toBe(expected);
});

test.each([
  [1, 3, 33.3],
  [0, 3, 0],
  [0, 0, null],
  [3, 3, 100],
])("the share of %d of %d is %s", (value, of, expected) => {
  expect(percentOf(value, of)).toBe(expected);
});

const quarter = (functional: number, assessed: number) => ({
  periodStart: "2026-10-01",
  functional,
  assessed,
  notRecordedFunctional: 0,
});
test.each([
  [[quarter(1, 2), quarter(3, 4)], 25],
  [[quarter(0, 0), quarter(3, 4)], null],
  [[quarter(1, 1), quarter(1, 2), quarter(1, 3)], -16.7],
  [[quarter(1, 3)], null],
])("the change of %j is %s points", (quarters, expected) => {
  expect(shareChange(quarters)).toBe(expected);
});
