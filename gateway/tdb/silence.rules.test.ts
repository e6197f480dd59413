import { expect, test } from "vitest";

import { siteFilterRules } from "./silence.rules.ts";

test("a list shows who is overdue, the longest silent first, unless it is asked for another", () => {
  expect(siteFilterRules.parse({})).toEqual({ show: "overdue", sort: "silence" });
  expect(siteFilterRules.safeParse({ show: "late" }).error?.issues[0]?.path).toEqual(["show"]);
  expect(siteFilterRules.safeParse({ days: 3 }).success).toBe(false);
});
