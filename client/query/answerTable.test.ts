import { describe, expect, test } from "vitest";

import { chartOf, fittingChart, suggestedChart } from "./answerChart.ts";
import { readShape, variablesIn, withShape } from "./answerShape.ts";
import { sortedRows, tableOfAnswer } from "./answerTable.ts";

const groups = {
  facilityGroups: [
    { province: { name: "Central" }, partner: null, facilities: 60, efirst: 10, share: 0.5 },
    { province: { name: "Southern" }, partner: { name: "A" }, facilities: 9, efirst: null, share: 0.25 },
  ],
};

describe("the table of an answer", () => {
  test.each<[string, unknown, string[], unknown[][]]>([
    ["groups; a null object has the columns of the other rows", groups, ["province.name", "partner.name", "facilities", "efirst", "share"], [["Central", null, 60, 10, 0.5], ["Southern", "A", 9, null, 0.25]]],
    ["a connection without its total", { facilities: { totalCount: 9, nodes: [{ a: 1, __typename: "Facility" }] } }, ["a"], [[1]]],
    ["edges", { facilities: { edges: [{ cursor: "x", node: { a: 1 } }] } }, ["a"], [[1]]],
    ["fields around the list, and lists of single values in one cell", { province: { name: "N", facilities: { nodes: [{ a: 1, areas: [{ area: "ART" }, { area: "OPD" }], tags: ["x", "y"] }] } } }, ["province.name", "a", "areas.area", "tags"], [["N", 1, "ART; OPD", "x; y"]]],
    ["nested lists; an empty one has one row", { ps: [{ n: 1, fs: { totalCount: 2, nodes: [{ a: 1, b: 2 }, { a: 3, b: 4 }] } }, { n: 2, fs: { totalCount: 0, nodes: [] } }] }, ["n", "fs.totalCount", "fs.a", "fs.b"], [[1, 2, 1, 2], [1, 2, 3, 4], [2, 0, null, null]]],
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
  const table = tableOfAnswer({ rows: [{ n: 10, t: "Site 10" }, { n: 9, t: "Site 9" }, { n: null, t: null }] });
  const of = (sort: string, at: number) => sortedRows(table, sort).map((row) => row[at]);
  expect([of("n", 0), of("-n", 0), of("t", 1), of("-t", 1), of("unknown", 0)]).toEqual([[9, 10, null], [10, 9, null], ["Site 9", "Site 10", null], ["Site 10", "Site 9", null], [10, 9, null]]);
});

describe("the chart of a table", () => {
  test("has text columns as names and number columns as values; periods give a line chart", () => {
    expect(suggestedChart(tableOfAnswer(groups))).toEqual({ kind: "bar", by: ["province.name"], of: ["facilities", "efirst", "share"] });
    expect(suggestedChart(tableOfAnswer({ rows: [{ quarter: 1, calMonth: 10, efirst: 2 }, { quarter: 1, calMonth: 11, efirst: 3 }] }))).toEqual({ kind: "line", by: ["quarter", "calMonth"], of: ["efirst"] });
    expect(suggestedChart(tableOfAnswer({ rows: [{ p: "A", quarter: 1, n: 2 }, { p: "A", quarter: 2, n: 3 }] }))).toMatchObject({ by: ["p", "quarter"], of: ["n"] });
    expect(suggestedChart(tableOfAnswer({ rows: [{ p: "A" }] }))).toBeUndefined();
  });

  test("shares are of the row, or of all rows if there is one value per row", () => {
    const table = tableOfAnswer({ rows: [{ p: "A", one: 1, two: 3 }, { p: "B", one: 3, two: 0 }] });
    const share = (of: string[]) => chartOf(table, { kind: "share", by: ["p"], of });
    expect(share(["one", "two"])).toMatchObject({ layout: "stacked", isShares: true, rows: [{ values: [0.25, 0.75] }, { values: [1, 0] }] });
    expect(share(["one"])).toMatchObject({ layout: "grouped", isShares: true, rows: [{ values: [0.25] }, { values: [0.75] }] });
  });

  test("a missing value is a gap in the line; rows with the same name stay separate", () => {
    const table = tableOfAnswer({ rows: [{ p: "A", n: 1.5 }, { p: "A", n: null }] });
    const { rows, isMean } = chartOf(table, { kind: "line", by: ["p"], of: ["n"] });
    expect([rows.map(({ label }) => label), rows.map(({ values }) => values[0]), isMean]).toEqual([["A", "A (2)"], [1.5, Number.NaN], true]);
  });

  test("chosen columns that the answer lacks are dropped, or replaced by the suggested ones", () => {
    expect(fittingChart(tableOfAnswer(groups), { kind: "share", by: ["gone"], of: ["facilities", "gone"] })).toEqual({ kind: "share", by: ["province.name"], of: ["facilities"] });
  });
});

test("the address contains the sort order and chart beside the variables", () => {
  const params = new URLSearchParams("province=Southern");
  const shape = { sort: "-facilities", chart: { kind: "bar" as const, by: ["province.name"], of: ["facilities", "efirst"] } };
  const changed = withShape(params, shape);
  expect([readShape(changed), variablesIn(changed)]).toEqual([shape, [["province", "Southern"]]]);
  expect(withShape(changed, {}).toString()).toBe("province=Southern");
  expect(readShape(new URLSearchParams("chart.kind=pie"))).toEqual({});
});
