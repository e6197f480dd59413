import { expect, test } from "vitest";
import { counted, formatNumber } from "./counted.ts";

test("numbers and counted nouns are formatted as in English", () => {
  const english = new Intl.NumberFormat("en-GB");
  for (const value of [0, 7, 999, 1000, 9999, 10_000, 100_000, 1_234_567, 12_345_678_901])
    expect(formatNumber(value)).toBe(english.format(value));
  expect([counted(1, "site"), counted(3324, "facility", "facilities")]).toEqual(["1 site", "3,324 facilities"]);
});
