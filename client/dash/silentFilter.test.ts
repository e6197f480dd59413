import { expect, test } from "vitest";
import { levelsOf, readSilentFilter, silentParams } from "./silentFilter.ts";

test.each([
  [{}, ["province", "district", "partner"]],
  [{ provinceId: 3 }, ["district", "partner"]],
  [{ provinceId: 3, districtId: 4 }, ["district", "partner"]],
  [{ implementingPartnerId: 5 }, ["province", "district"]],
])("the levels offered for the scope %j", (scope, levels) => {
  expect(levelsOf(scope)).toEqual(levels);
});

test.each([
  [{}, "", { level: "province", show: "overdue", partner: -1 }],
  [{}, "silentBy=partner&silent=neverSent&partner=7", { level: "partner", show: "neverSent", partner: 7 }],
  [{}, "silentBy=ward&silent=late&partner=x", { level: "province", show: "overdue", partner: -1 }],
  [{ provinceId: 3 }, "silentBy=province", { level: "district", show: "overdue", partner: -1 }],
  [{ implementingPartnerId: 5 }, "silentBy=partner&partner=7", { level: "province", show: "overdue", partner: -1 }],
])("in the scope %j the parameters '%s' give the filter %j", (scope, params, filter) => {
  expect(readSilentFilter(new URLSearchParams(params), scope)).toEqual(filter);
});

test("a change returns the lists that it affects to their first page, and default values are left out", () => {
  const before = readSilentFilter(new URLSearchParams("silent=irregular"), {});
  const usual = { silentBy: undefined, silent: "irregular", partner: undefined };
  const written = (some: object) => silentParams(before, {}, some);
  expect(written({ level: "district" })).toStrictEqual({ ...usual, silentBy: "district", unitPage: undefined });
  expect(written({ show: "overdue" })).toStrictEqual({ ...usual, silent: undefined, facilityPage: undefined });
  expect(written({ partner: 4 })).toStrictEqual({ ...usual, partner: 4, unitPage: undefined, facilityPage: undefined });
});
