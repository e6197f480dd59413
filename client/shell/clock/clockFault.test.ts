import { expect, test } from "vitest";

import { faultOf } from "./clockFault.ts";

const at = Date.parse("2026-12-22T08:00:00Z");
const [minute, day, year] = [60_000, 86_400_000, 365 * 86_400_000];

test.each([
  ["as it was", 0, 0, null],
  ["an hour later", 0, 60 * minute, null],
  ["four minutes back", 0, -4 * minute, null],
  ["eleven years back, after the battery died", 0, -11 * year, { behindMs: 11 * year }],
  ["years behind, as the server knows, and a day later", -11 * year, -11 * year + day, null],
  ["years behind, and once more a day back", -11 * year, -11 * year - day, { behindMs: 11 * year + day }],
  ["right, after it was years behind", -11 * year, day, {}],
  ["right, after it was years ahead", 3 * year, day, {}],
  ["three years ahead", 0, 3 * year, {}],
  ["three weeks later, without the server", 0, 21 * day, null],
])("after a restart, a clock that stands %s", (_, ahead, passed, fault) => {
  expect(faultOf({ clock: at + passed, jumped: 0, learned: { ahead, at } })).toEqual(fault);
});

test.each([
  ["set back", -60 * minute, {}],
  ["set three days ahead", 3 * day, {}],
  ["asleep for a night", 8 * 60 * minute, null],
])("while the page is open, a device that is %s", (_, jumped, fault) => {
  expect(faultOf({ clock: at, jumped, learned: { ahead: 0, at } })).toEqual(fault);
});

test("before the first answer, a clock is wrong if it is before the application was written", () => {
  expect(faultOf({ clock: Date.parse("2015-01-01"), jumped: 0, learned: undefined })).toHaveProperty("behindMs");
  expect(faultOf({ clock: at, jumped: 0, learned: undefined })).toBeNull();
});
