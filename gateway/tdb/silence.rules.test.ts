import { expect, test } from "vitest";

import { siteFilterRules } from "./silence.rules.ts";

test("shows overdue sites by default, the longest silent first; refuses unknown values and keys", () => {
  expect(siteFilterRules.parse({})).toEqual({ show: "overdue", sort: "silence" });
  expect(siteFilterRules.safeParse({ show: "late" }).error?.issues[0]?.path).toEqual(["show"]);
  expect(siteFilterRules.safeParse({ days: 3 }).success).toBe(false);
});
