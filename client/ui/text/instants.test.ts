import { expect, test } from "vitest";
import { dayIn, instantText, noteZone } from "./instants.ts";

test.each([
  ["2026-11-25T14:09:30.000Z", "Africa/Lusaka", "25 Nov 2026 16:09"],
  ["2026-11-25T14:09:30.000Z", "UTC", "25 Nov 2026 14:09"],
  ["2026-11-30T22:05:00.000Z", "Africa/Lusaka", "01 Dec 2026 00:05"],
  ["2026-09-05T08:00:00.000Z", "America/New_York", "05 Sep 2026 04:00"],
  [new Date("2026-03-01T12:00:00.000Z"), "Asia/Kolkata", "01 Mar 2026 17:30"],
])("%s in %s is shown as %s", (instant, timeZone, shown) => {
  expect(instantText(instant, timeZone)).toBe(shown);
});

test("a zone whose clock never changes is shown alike with and without the browser's rules of zones", () => {
  const instants = ["1999-12-31T22:00:00.000Z", "2026-11-25T14:09:30.999Z", "2026-02-28T23:59:00.000Z"];
  const show = () =>
    instants.map((one) => [instantText(one, "Asia/Kathmandu"), dayIn(new Date(one), "Asia/Kathmandu")]);
  const before = show();
  noteZone({ timeZone: "Asia/Kathmandu", utcOffset: 345 });
  expect(show()).toEqual(before);
  // A server that says nothing, or that the clock changes.
  for (const utcOffset of [undefined, null]) {
    noteZone({ timeZone: "Europe/London", utcOffset });
    expect(instantText("2026-07-01T12:00:00.000Z", "Europe/London")).toBe("01 Jul 2026 13:00");
  }
});
