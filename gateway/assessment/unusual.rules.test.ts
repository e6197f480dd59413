import { expect, test } from "vitest";

import { unusualIn } from "./unusual.rules.ts";

const today = "2026-11-29";
const answers = (staff: number | null, upgrade: string | null = null) => ({
  numberOfStaffTrainedInSmartCare: staff,
  dateOfLastUpgrade: upgrade,
});

test.each([
  // staff now, at the last visit, what is asked
  [12, null, []],
  [200, null, []],
  [201, null, ["Really 201 staff trained?"]],
  [9771, 12, ["Really 9,771 staff trained? At the last visit: 12."]],
  [12, 9771, ["Really 12 staff trained? At the last visit: 9,771."]],
  [9771, 9771, []],
  [61, 12, []],
  [62, 12, ["Really 62 staff trained? At the last visit: 12."]],
  [0, 49, []],
  [0, 50, ["Really 0 staff trained? At the last visit: 50."]],
  [100, 40, []],
  [null, 40, []],
] as const)("%s staff after %s", (now, last, asked) => {
  const found = unusualIn(answers(now), last === null ? null : answers(last), today);
  expect(found.map(({ question }) => question)).toEqual(asked);
});

test.each([
  ["2026-01-31", null, []],
  ["2011-01-31", null, []],
  ["2010-12-31", null, ["Really last upgraded in 2010?"]],
  ["1925-01-31", "2025-01-31", ["Really last upgraded in 1925?"]],
  ["01102026", null, []],
  ["1925-01-31", "1925-01-31", []],
  ["1900-01-01", "2025-01-31", []],
] as const)("an upgrade on %s after one on %s", (now, last, asked) => {
  const found = unusualIn(answers(null, now), answers(null, last), today);
  expect(found.map(({ question }) => question)).toEqual(asked);
});

test("why a visit is held names the answer and the last one", () => {
  const reasons = (last: ReturnType<typeof answers> | null) =>
    unusualIn(answers(9771, "1925-01-31"), last, today).map(({ reason }) => reason);
  expect(reasons(answers(4))).toEqual(["9,771 staff trained, 4 at the last visit", "last upgraded in 1925"]);
  expect(reasons(null)[0]).toBe("9,771 staff trained");
});
