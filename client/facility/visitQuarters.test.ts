import { expect, test } from "vitest";
import { visitQuarters } from "./visitQuarters.ts";

const quartersOf = (days: string[], today = "2026-11-23") =>
  visitQuarters(
    days.map((assessmentDate) => ({ assessmentDate })),
    today,
  ).map(
    ({ year, quarter, visits }) => `${year} Q${quarter}: ${visits.map(({ assessmentDate }) => assessmentDate).join()}`,
  );

test.each([
  ["no visits", [], []],
  ["a visit today", ["2026-11-23"], ["2027 Q1: 2026-11-23"]],
  [
    "quarters without a visit are included",
    ["2026-09-30", "2026-03-31"],
    ["2026 Q2: 2026-03-31", "2026 Q3: ", "2026 Q4: 2026-09-30", "2027 Q1: "],
  ],
  [
    "visits of a quarter are in the order of their dates",
    ["2026-11-20", "2026-10-01"],
    ["2027 Q1: 2026-10-01,2026-11-20"],
  ],
])("%s", (_, days, quarters) => {
  expect(quartersOf(days)).toEqual(quarters);
});

test("the strip is no longer than twelve quarters", () => {
  const strip = quartersOf(["2019-01-01", "2026-11-01"]);
  expect(strip).toHaveLength(12);
  expect(strip[0]).toBe("2024 Q2: ");
});
