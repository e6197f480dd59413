import { expect, test } from "vitest";
import { instantText } from "./instants.ts";

test.each([
  ["2026-11-25T14:09:30.000Z", "Africa/Lusaka", "25 Nov 2026 16:09"],
  ["2026-11-25T14:09:30.000Z", "UTC", "25 Nov 2026 14:09"],
  ["2026-11-30T22:05:00.000Z", "Africa/Lusaka", "01 Dec 2026 00:05"],
  ["2026-09-05T08:00:00.000Z", "America/New_York", "05 Sep 2026 04:00"],
  [new Date("2026-03-01T12:00:00.000Z"), "Asia/Kolkata", "01 Mar 2026 17:30"],
])("%s in %s is shown as %s", (instant, timeZone, shown) => {
  expect(instantText(instant, timeZone)).toBe(shown);
});
