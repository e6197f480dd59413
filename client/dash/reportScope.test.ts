import { expect, test } from "vitest";
import { readReportScope, reportParams } from "./reportScope.ts";

test.each([
  ["", { scope: {}, partner: -1 }],
  ["provinceId=2", { scope: { provinceId: 2 }, partner: -1 }],
  ["provinceId=2&districtId=9&partner=3", { scope: { districtId: 9 }, partner: 3 }],
  ["partner=3", { scope: { implementingPartnerId: 3 }, partner: -1 }],
  ["partner=x&provinceId=y", { scope: {}, partner: -1 }],
])("the scope of ?%s", (search, about) => {
  const read = readReportScope(new URLSearchParams(search));
  expect(read).toEqual(about);
  const again = new URLSearchParams(
    Object.entries(reportParams(read.scope, read.partner)).map(([name, value]) => [name, String(value)]),
  );
  expect(readReportScope(again)).toEqual(about);
});
