import { expect, test } from "vitest";
import { dateRangeFormRules, monthToDate, readRange } from "./dateRange.ts";

const fallback = monthToDate("2026-11-21");

test("the default range is the month to date", () => {
  expect(fallback).toEqual({ start: "2026-11-01", end: "2026-11-21" });
});

test.each([
  ["", fallback],
  ["start=2026-10-05&end=2026-10-06", { start: "2026-10-05", end: "2026-10-06" }],
  ["start=2026-10-06&end=2026-10-05", fallback],
  ["start=2026-10-05", fallback],
  ["start=2026-02-30&end=2026-10-05", fallback],
])("the range of the link parameters '%s'", (search, range) => {
  expect(readRange(new URLSearchParams(search), fallback)).toEqual(range);
});

test.each([
  [{ start: "", end: "2026-10-05" }, ["start: is required"]],
  [{ start: "2026-10-05", end: "" }, ["end: is required"]],
  [{ start: "2026-10-06", end: "2026-10-05" }, ["end: End date cannot be before the start date"]],
  [{ start: "2026-10-05", end: "2026-10-05" }, undefined],
])("the form reports for %j: %s", (range, messages) => {
  expect(
    dateRangeFormRules.safeParse(range).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`),
  ).toEqual(messages);
});
