import { expect, test } from "vitest";

import { compareVersions, isOldVersion, newestVersion } from "./state.rules.ts";

test.each([
  ["4.9", "4.10", -1],
  ["4.5", "4.5.0", 0],
  ["4.5", "4.5.0.1", -1],
  ["4.5-rc1", "4.5", -1],
  ["4.5-beta", "4.5-rc", -1],
  ["4.3.1 ", "4.3.1", 0],
  ["v4.3.1", "4.3.1", 0],
  ["10", "9.99.99", 1],
])("%s and %s compare as versions", (a, b, expected) => {
  expect(Math.sign(compareVersions(a, b))).toBe(expected);
  expect(Math.sign(compareVersions(b, a))).toBe(0 - expected);
});

const version = (libraryVersion: string, isListed = false) => ({ libraryVersion, isListed });
test.each([
  [[], null],
  [[version("unknown")], null],
  [[version("4.9"), version("4.10")], "4.10"],
  [[version("4.9"), version("99"), version("4.10", true), version("4.2", true)], "4.10"],
])("the newest of %j is %s", (versions, expected) => {
  expect(newestVersion(versions)).toBe(expected);
});

test.each([
  ["4.9", "4.10", true],
  ["4.10", "4.10", false],
  ["99", "4.10", false],
  ["unknown", "4.10", false],
  ["4.9", null, false],
])("whether %s is older than %s: %s", (version, newest, expected) => {
  expect(isOldVersion(version, newest)).toBe(expected);
});
