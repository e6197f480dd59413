import { expect, test } from "vitest";
import { agoWords } from "./ago.ts";

test.each([
  ["2026-11-23", "today"],
  ["2026-11-24", "today"],
  ["2026-11-22", "yesterday"],
  ["2026-11-11", "12 days ago"],
  ["2026-09-25", "59 days ago"],
  ["2026-09-20", "2 months ago"],
  ["2024-12-01", "23 months ago"],
  ["2024-11-01", "2 years ago"],
])("%s is described as '%s'", (day, words) => {
  expect(agoWords(day, "2026-11-23")).toBe(words);
});
