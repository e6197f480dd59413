import { expect, test } from "vitest";
import { periodInWords } from "./period.ts";

test.each([
  [{ year: 2026, quarter: 1 }, "FY 2026 quarter 1: Oct to Dec 2025"],
  [{ year: 2026, quarter: 2 }, "FY 2026 quarter 2: Jan to Mar 2026"],
  [{ year: 2026, quarter: 4 }, "FY 2026 quarter 4: Jul to Sep 2026"],
  [{ year: 2026, quarter: -1 }, "FY 2026: Oct 2025 to Sep 2026"],
  [{ year: 2026 }, "FY 2026: Oct 2025 to Sep 2026"],
  [{ year: 2026, month: 10 }, "October 2025"],
  [{ year: 2026, month: 9 }, "September 2026"],
])("the period %j is described as '%s'", (period, words) => {
  expect(periodInWords(period)).toBe(words);
});
