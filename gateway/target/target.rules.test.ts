import { expect, test } from "vitest";

import { attainmentOf, nearestTargets } from "./attainment.rules.ts";

test.each([
  [{ value: 60, assessed: 100, percent: 80 }, 75],
  [{ value: 1, assessed: 3, percent: 50 }, 66.7],
  [{ value: 90, assessed: 100, percent: 80 }, 112.5],
  [{ value: 0, assessed: 100, percent: 80 }, 0],
  [{ value: 0, assessed: 0, percent: 80 }, null],
  [{ value: 5, assessed: 10, percent: 0 }, null],
])("the attainment of %j is %s", (figures, attainment) => {
  expect(attainmentOf(figures)).toBe(attainment);
});

test("for each year and measure the nearest target applies", () => {
  const of = (year: number, unit: object) => ({ measure: "functional" as const, year, ...unit });
  const [country, partner, province, district] = [
    of(2026, {}),
    of(2026, { implementingPartnerId: 1 }),
    of(2026, { provinceId: 1 }),
    of(2026, { districtId: 1 }),
  ];
  const power = { ...country, measure: "primaryPowerWorking" as const };
  expect(nearestTargets([power, country, partner, province, district])).toEqual([district, power]);
  expect(nearestTargets([country, partner, province])).toEqual([province]);
  expect(nearestTargets([country, partner, of(2025, {})])).toEqual([of(2025, {}), partner]);
});
