import { describe, expect, test } from "vitest";

import { groupedBy, monthOfDays, type Senders, shownPlaces } from "./smallGroups.rules.ts";

/** Districts as [district, province, facilities that sent]. */
const country = (...districts: [number, number, number][]): Senders[] =>
  districts.map(([districtId, provinceId, facilities]) => ({ districtId, provinceId, facilities }));

/** The places whose figures are shown: n, p1, d11 … */
function shown(senders: Senders[]): string {
  const may = shownPlaces(senders);
  const provinces = [...new Set(senders.map(({ provinceId }) => provinceId))];
  return [
    ...(may({}) ? ["n"] : []),
    ...provinces.filter((provinceId) => may({ provinceId })).map((id) => `p${id}`),
    ...senders.filter(({ provinceId, districtId }) => may({ provinceId, districtId })).map(({ districtId }) => `d${districtId}`),
  ].join(" ");
}

describe("places whose figures are shown", () => {
  test.each([
    ["all districts are large", country([11, 1, 3], [12, 1, 5], [21, 2, 4]), "n p1 p2 d11 d12 d21"],
    ["nobody sent", country(), "n"],
    ["the nation is small", country([11, 1, 1], [21, 2, 1]), ""],
    ["a small district also hides the smallest large one", country([11, 1, 2], [12, 1, 3], [13, 1, 9]), "n p1 d13"],
    ["small districts with three facilities together hide no other", country([11, 1, 2], [12, 1, 1], [13, 1, 9]), "n p1 d13"],
    ["a small district beside one large one", country([11, 1, 1], [12, 1, 9]), "n p1"],
    ["a small province also hides the smallest large one, with its districts", country([11, 1, 2], [21, 2, 5], [22, 2, 5], [31, 3, 40]), "n p3 d31"],
    ["a small province beside a single other one", country([11, 1, 2], [21, 2, 5]), "n"],
  ])("%s", (_, senders, expected) => {
    expect(shown(senders)).toBe(expected);
  });

  test("are the same for another order of the input", () => {
    const senders = country([11, 1, 2], [21, 2, 5], [31, 3, 5], [41, 4, 5], [42, 4, 1], [43, 4, 5]);
    const [one, other] = [shownPlaces(senders), shownPlaces(senders.toReversed())];
    const places = senders.flatMap(({ provinceId, districtId }) => [{ provinceId }, { provinceId, districtId }]);
    expect(places.map(one)).toEqual(places.map(other));
  });

  test("include a place from which nobody sent, because it has nothing to hide", () => {
    const may = shownPlaces(country([11, 1, 1], [12, 1, 9]));
    expect([may({ districtId: 13 }), may({ provinceId: 7 }), may({ provinceId: 1, districtId: 11 })]).toEqual([true, true, false]);
  });

  test("make parts of three or more in any country, so that no difference of shown figures is about fewer", () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 2_000; round += 1) {
      const senders = country(
        ...Array.from({ length: 1 + random(6) }, (_, province) =>
          Array.from({ length: random(6) }, (_, district) => [province * 10 + district, province, 1 + random(random(3) ? 3 : 8)] as [number, number, number]),
        ).flat(),
      );
      const may = shownPlaces(senders);
      const sum = (rows: Senders[]): number => rows.reduce((total, { facilities }) => total + facilities, 0);
      const provinces = [...groupedBy(senders, ({ provinceId }) => provinceId)];
      const hidden = provinces.filter(([provinceId]) => !may({ provinceId }));
      // The parts: shown districts, the rest of each shown province, and all hidden provinces together.
      const parts = [
        ...provinces.flatMap(([provinceId, districts]) =>
          may({ provinceId }) ? [sum(districts.filter((each) => !may(each))), ...districts.filter(may).map(({ facilities }) => facilities)] : [],
        ),
        ...(may({}) ? [sum(hidden.flatMap(([, districts]) => districts))] : []),
      ];
      for (const part of parts) expect(part === 0 || part >= 3, JSON.stringify(senders)).toBe(true);
      for (const [, districts] of hidden) expect(districts.some(may)).toBe(false);
    }
  });
});

describe("one calendar month", () => {
  test.each([
    ["2026-10-01", "2026-10-31", "2026-10-01"],
    ["2024-02-01", "2024-02-29", "2024-02-01"],
    ["2026-11-01", "2026-11-22", "2026-11-01"],
    ["2026-11-01", "2026-12-24", "2026-11-01"],
    ["2026-11-01", "2026-11-21", null],
    ["2026-11-02", "2026-11-30", null],
    ["2026-10-01", "2026-10-30", null],
    ["2026-09-01", "2026-10-31", null],
  ])("%s to %s: %s", (start, end, month) => {
    expect(monthOfDays({ start, end }, "2026-11-22")).toBe(month);
  });
});
