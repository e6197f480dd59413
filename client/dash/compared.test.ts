import { expect, test } from "vitest";
import { comparedWords, joinCompared, sidesOf } from "./compared.ts";
import { readSettings } from "./overviewParams.ts";

const today = "2026-11-23";
const settings = readSettings(new URLSearchParams(), today);

test.each([
  ["year-2025", { provinceId: 1 }, [{ scope: { provinceId: 1 }, settings: { ...settings, year: 2025 } }]],
  ["province-2", { provinceId: 1 }, [{ scope: { provinceId: 2 }, settings }]],
  ["province-1", { districtId: 4, provinceId: 1 }, [{ scope: { provinceId: 1 }, settings }]],
  ["district-5", { districtId: 4 }, [{ scope: { districtId: 5 }, settings }]],
  ["partner-2", { implementingPartnerId: 1 }, [{ scope: { implementingPartnerId: 2 }, settings }]],
  ["province-1", { provinceId: 1 }, []],
  [`year-${settings.year}`, {}, []],
  ["year-1990", {}, []],
  ["province-x", {}, []],
  ["galaxy-1", {}, []],
  [null, {}, []],
  [
    "province-2.galaxy-1.province-2.partner-3",
    { provinceId: 1 },
    [
      { scope: { provinceId: 2 }, settings },
      { scope: { implementingPartnerId: 3 }, settings },
    ],
  ],
  [
    "district-1.district-2.district-3.district-4",
    { districtId: 9 },
    [1, 2, 3].map((districtId) => ({ scope: { districtId }, settings })),
  ],
])("compared with %s, a page of %j also shows %j", (compared, scope, others) => {
  const own = { scope, settings };
  const sides = sidesOf(own, compared, today);
  expect(sides).toEqual([own, ...others].map((side) => ({ ...side, word: expect.any(String) })));
  expect(new Set(sides.map(({ word }) => word)).size).toBe(sides.length);
});

test("the list of comparisons is read as it was written", () => {
  expect(comparedWords(joinCompared(["year-2025", "", "partner-2"]) ?? null)).toEqual(["year-2025", "partner-2"]);
  expect(joinCompared([""])).toBeUndefined();
});
