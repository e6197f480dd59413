import { expect, test } from "vitest";

import { compareVersions, isInRange, versionRule } from "./version.rules.ts";

test.each([
  ["4.9", "4.10", -1],
  ["4.5", "4.5.0", 0],
  ["4.5", "4.5.0.1", -1],
  ["4.5-rc1", "4.5", -1],
  ["4.5-beta", "4.5-rc", -1],
  ["4.3.1 ", "4.3.1", 0],
  ["v4.3.1", "4.3.1", 0],
  ["10", "9.99.99", 1],
  ["4.10.0", "4.10", 0],
  ["4.010", "4.10", 0],
  ["2.99", "10.0", -1],
  ["V 4.3", "4.3", 0],
  ["4.5-RC", "4.5-rc", 0],
])("%s and %s compare as versions", (a, b, expected) => {
  expect(Math.sign(compareVersions(a, b))).toBe(expected);
  expect(Math.sign(compareVersions(b, a))).toBe(0 - expected);
});

test("a reversed list of versions is sorted by version", () => {
  const sorted = ["4.2", "4.5-rc", "4.5", "4.5.1", "4.9", "4.10", "4.10.1", "5"];
  expect(sorted.toReversed().toSorted(compareVersions)).toEqual(sorted);
});

test.each([
  ["4.9", null, null, true],
  ["4.9", "4.9", "4.9", true],
  ["4.10", "4.9", "4.11", true],
  ["4.10", "4.2", "4.9", false],
  ["4.9.0", null, "4.9", true],
  ["4.8", "4.9", null, false],
])("whether %s is in the range %s to %s: %s", (version, from, to, expected) => {
  expect(isInRange(version, { from, to })).toBe(expected);
});

test.each([
  [" 4.10.2 ", "4.10.2"],
  ["latest", null],
  ["", null],
  [`4.${"1".repeat(63)}`, null],
  ["4.1\u0000", null],
])("the version that is read from %j is %s", (text, expected) => {
  const result = versionRule.safeParse(text);
  expect(result.success ? result.data : null).toBe(expected);
  // Each text has one error, not one for each check that it fails.
  expect(result.error?.issues.length ?? 0).toBe(expected === null ? 1 : 0);
});
