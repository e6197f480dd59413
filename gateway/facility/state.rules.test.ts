import { expect, test } from "vitest";

import { isOldVersion, newestVersion } from "./state.rules.ts";

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
