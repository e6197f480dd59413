import { describe, expect, test } from "vitest";

import { addressWith, sortIn, variablesIn } from "./answerAddress.ts";
import { sortedRows, tableOfAnswer } from "./answerTable.ts";

const groups = {
  facilityGroups: [
    { province: { name: "Central" }, partner: null, facilities: 60, efirst: 10, share: 0.5 },
    { province: { name: "Southern" }, partner: { name: "A" }, facilities: 9, efirst: null, share: 0.25 },
  ],
};

describe("the table of an answer", () => {
  test.each<[string, unknown, string[], unknown[][]]>([
    [
      "groups; a null object has the columns of the other rows",
      groups,
      ["province.name", "partner.name", "facilities", "efirst", "share"],
      [
        ["Central", null, 60, 10, 0.5],
        ["Southern", "A", 9, null, 0.25],
      ],
    ],
    [
      "a connection without its total",
      { facilities: { totalCount: 9, nodes: [{ a: 1, __typename: "Facility" }] } },
      ["a"],
      [[1]],
    ],
    ["edges", { facilities: { edges: [{ cursor: "x", node: { a: 1 } }] } }, ["a"], [[1]]],
    [
      "fields around the list, and lists of single values in one cell",
      {
        province: {
          name: "N",
          facilities: { nodes: [{ a: 1, areas: [{ area: "ART" }, { area: "OPD" }], tags: ["x", "y"] }] },
        },
      },
      ["province.name", "a", "areas.area", "tags"],
      [["N", 1, "ART; OPD", "x; y"]],
    ],
    [
      "nested lists; an empty one has one row",
      {
        ps: [
          {
            n: 1,
            fs: {
              totalCount: 2,
              nodes: [
                { a: 1, b: 2 },
                { a: 3, b: 4 },
              ],
            },
          },
          { n: 2, fs: { totalCount: 0, nodes: [] } },
        ],
      },
      ["n", "fs.totalCount", "fs.a", "fs.b"],
      [
        [1, 2, 1, 2],
        [1, 2, 3, 4],
        [2, 0, null, null],
      ],
    ],
    ["an empty list", { facilities: { nodes: [] } }, [], []],
  ])("%s", (_, data, header, rows) => {
    const table = tableOfAnswer(data);
    expect(table.columns.map(({ name }) => name)).toEqual(header);
    expect(table.rows).toEqual(rows);
  });

  test.each([
    ["two lists side by side", { one: [{ a: 1 }], two: [{ b: 1 }] }, "one, two"],
    ["no list", { viewer: { name: "x" } }, "no list"],
  ])("an answer with %s is refused with the reason", (_, data, why) => {
    expect(() => tableOfAnswer(data)).toThrow(why);
  });
});

test("numbers are sorted by value and texts in natural order; empty cells are last in both directions", () => {
  const table = tableOfAnswer({
    rows: [
      { n: 10, t: "Site 10" },
      { n: 9, t: "Site 9" },
      { n: null, t: null },
    ],
  });
  const of = (sort: string, at: number) => sortedRows(table, sort).map((row) => row[at]);
  expect([of("n", 0), of("-n", 0), of("t", 1), of("-t", 1), of("unknown", 0)]).toEqual([
    [9, 10, null],
    [10, 9, null],
    ["Site 9", "Site 10", null],
    ["Site 10", "Site 9", null],
    [10, 9, null],
  ]);
});

test("the address contains the sort order beside the variables; of an address of an earlier version, how its chart was drawn is passed over", () => {
  const changed = addressWith([["province", "Southern"]], "-facilities");
  expect([changed.toString(), sortIn(changed), variablesIn(changed)]).toEqual([
    "province=Southern&table.sort=-facilities",
    "-facilities",
    [["province", "Southern"]],
  ]);
  const earlier = new URLSearchParams(
    "province=Southern&chart.kind=bar&chart.by=province.name&chart.of=facilities,efirst",
  );
  expect([sortIn(earlier), variablesIn(earlier)]).toEqual([undefined, [["province", "Southern"]]]);
});
