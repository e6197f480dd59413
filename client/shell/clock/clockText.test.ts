import { expect, test } from "vitest";
import { spanText } from "./clockText.ts";

const minute = 60_000;
test.each([
  [6 * minute, "6 minutes"],
  [61 * minute, "1 hour"],
  [23 * 60 * minute, "23 hours"],
  [25 * 60 * minute, "1 day"],
  [364 * 24 * 60 * minute, "364 days"],
  [3 * 366 * 24 * 60 * minute, "3 years"],
])("%i ms are %s", (span, text) => {
  expect(spanText(span)).toBe(text);
});
