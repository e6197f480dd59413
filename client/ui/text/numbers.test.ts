import { expect, test } from "vitest";
import { formatNumber } from "./counted.ts";
import { withThousands } from "./numbers.ts";

test("figures are written as English writes them", () => {
  const [english, fromFiveDigits] = [new Intl.NumberFormat("en-GB"), new Intl.NumberFormat("en", { useGrouping: "min2" })];
  for (const value of [0, 7, 999, 1000, 9999, 10_000, 100_000, 1_234_567, 12_345_678_901]) {
    expect(withThousands(value)).toBe(english.format(value));
    expect(formatNumber(value)).toBe(fromFiveDigits.format(value));
  }
});
