import { describe, expect, test } from "vitest";

import { type Group, monthOfDays, roundedCount, roundedTdbs, type Senders, shownGroups } from "./smallGroups.rules.ts";

/** Cells as [district, province, partner, facilities that sent]. */
const country = (...cells: [number, number, number, number][]): Senders[] =>
  cells.map(([districtId, provinceId, implementingPartnerId, facilities]) => ({
    districtId,
    provinceId,
    implementingPartnerId,
    facilities,
  }));

/** All groups of some cells, each with a short name: n, p1, d11, i1 (partner), p1i1, d11i1. */
function groupsOf(senders: readonly Senders[]): Map<string, Group> {
  const groups = new Map<string, Group>([["n", {}]]);
  for (const { provinceId, districtId, implementingPartnerId } of senders) {
    groups.set(`p${provinceId}`, { provinceId });
    groups.set(`d${districtId}`, { provinceId, districtId });
    groups.set(`i${implementingPartnerId}`, { implementingPartnerId });
    groups.set(`p${provinceId}i${implementingPartnerId}`, { provinceId, implementingPartnerId });
    groups.set(`d${districtId}i${implementingPartnerId}`, { districtId, implementingPartnerId });
  }
  return groups;
}
const shown = (senders: Senders[]): string => {
  const isShown = shownGroups(senders);
  return [...groupsOf(senders)]
    .filter(([, group]) => isShown(group))
    .map(([name]) => name)
    .toSorted()
    .join(" ");
};
const isOf = (group: Group) => (row: Senders) =>
  (["provinceId", "districtId", "implementingPartnerId"] as const).every(
    (name) => group[name] == null || group[name] === row[name],
  );

describe("groups whose figures are shown", () => {
  test.each([
    [
      "all groups are large",
      country([11, 1, 1, 3], [12, 1, 2, 5], [21, 2, 3, 4]),
      "d11 d11i1 d12 d12i2 d21 d21i3 i1 i2 i3 n p1 p1i1 p1i2 p2 p2i3",
    ],
    ["nobody sent", country(), "n"],
    ["two facilities in the country", country([11, 1, 1, 1], [21, 2, 1, 1]), ""],
    [
      "a small district is what its province and the large ones leave",
      country([11, 1, 0, 2], [12, 1, 0, 9]),
      "i0 n p1 p1i0",
    ],
    [
      "of three districts the smaller large one hides the small one",
      country([11, 1, 0, 2], [12, 1, 0, 3], [13, 1, 0, 9]),
      "d13 d13i0 i0 n p1 p1i0",
    ],
    [
      "small districts with three facilities together",
      country([11, 1, 0, 2], [12, 1, 0, 1], [13, 1, 0, 9]),
      "d13 d13i0 i0 n p1 p1i0",
    ],
    ["a partner with two sites", country([11, 1, 1, 8], [11, 1, 2, 2]), "d11 n p1"],
    [
      "a partner with three sites, one of them in another province",
      country([11, 1, 1, 4], [11, 1, 2, 2], [21, 2, 1, 4], [21, 2, 2, 1]),
      "d11 d21 n p1 p2",
    ],
    [
      "two partners that are large in each district",
      country([11, 1, 1, 4], [11, 1, 2, 3], [21, 2, 1, 3]),
      "d11 d11i1 d11i2 d21 d21i1 i1 i2 n p1 p1i1 p1i2 p2 p2i1",
    ],
  ])("%s", (_, senders, expected) => {
    expect(shown(senders)).toBe(expected);
  });

  test("are the same for another order of the input", () => {
    const senders = country([11, 1, 1, 2], [21, 2, 1, 5], [31, 3, 2, 5], [41, 4, 1, 5], [42, 4, 2, 1], [43, 4, 1, 5]);
    expect(shown(senders.toReversed())).toBe(shown(senders));
  });

  test("include a group from which nobody sent, because it has nothing to hide", () => {
    const isShown = shownGroups(country([11, 1, 1, 1], [12, 1, 1, 9]));
    expect([
      isShown({ districtId: 13 }),
      isShown({ provinceId: 1, implementingPartnerId: 2 }),
      isShown({ provinceId: 1, districtId: 11 }),
    ]).toEqual([true, true, false]);
  });

  test("leave parts of three or more in any country, so that nothing that is added up or subtracted is about fewer", () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    let [shownSome, hiddenSome] = [0, 0];
    for (let round = 0; round < 2_000; round += 1) {
      const senders = country(
        ...Array.from({ length: 1 + random(5) }, (_, province) =>
          Array.from({ length: random(5) }, (__, district) =>
            Array.from(
              { length: 1 + random(3) },
              (___, partner) =>
                [province * 10 + district, province, partner, 1 + random(random(3) ? 3 : 8)] as [
                  number,
                  number,
                  number,
                  number,
                ],
            ),
          ).flat(),
        ).flat(),
      );
      const isShown = shownGroups(senders);
      const groups = [...groupsOf(senders).values()];
      const visible = groups.filter(isShown).map(isOf);
      shownSome += visible.length;
      hiddenSome += groups.length - visible.length;
      // Facilities that are in the same shown groups cannot be told apart by any sum or difference.
      const parts = new Map<string, number>();
      for (const row of senders) {
        const sign = visible.map((is) => Number(is(row))).join("");
        if (sign.includes("1")) parts.set(sign, (parts.get(sign) ?? 0) + row.facilities);
      }
      expect(
        [...parts.values()].filter((size) => size < 3),
        JSON.stringify(senders),
      ).toEqual([]);
    }
    expect(shownSome).toBeGreaterThan(10_000);
    expect(hiddenSome).toBeGreaterThan(10_000);
  });
});

describe("rounded counts", () => {
  test.each([
    [
      { facilities: 0, tdbCount: 0, deltaTdbs: 0 },
      { tdbCount: 0, deltaTdbs: 0 },
    ],
    [
      { facilities: 7, tdbCount: 7, deltaTdbs: 4 },
      { tdbCount: 7, deltaTdbs: 0 },
    ],
    [
      { facilities: 7, tdbCount: 11, deltaTdbs: 5 },
      { tdbCount: 7, deltaTdbs: 5 },
    ],
    [
      { facilities: 7, tdbCount: 12, deltaTdbs: 9 },
      { tdbCount: 12, deltaTdbs: 5 },
    ],
    [
      { facilities: 6, tdbCount: 10, deltaTdbs: 10 },
      { tdbCount: 6, deltaTdbs: 6 },
    ],
  ])("of TDBs: %j", (counts, rounded) => {
    expect(roundedTdbs(counts)).toEqual(rounded);
  });
  test.each([
    [0, 0],
    [2, 0],
    [3, 5],
    [7, 5],
    [8, 10],
  ])("of computers: %d", (count, rounded) => {
    expect(roundedCount(count)).toBe(rounded);
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
