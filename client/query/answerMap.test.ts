import { describe, expect, test } from "vitest";

import { fittingChart, suggestedChart } from "./answerChart.ts";
import { areAmong, classesOf, mapOf, placeColumn, positionsOf } from "./answerMap.ts";
import { tableOfAnswer } from "./answerTable.ts";

const outline = (id: number, name: string) => ({ id, name, path: `M${id} 0`, box: [id, 0, id + 1, 1] });
const boundaries = { credit: null, outlines: [outline(1, "Central"), outline(2, "Southern"), outline(3, "Lusaka")] };
const groups = (rows: [string | null, number | null][]) => tableOfAnswer({ rows: rows.map(([name, n]) => ({ province: name === null ? null : { name }, n })) });
const choice = { by: ["province.name"], of: ["n"] };

test("rows named by places are areas coloured by their value; rows without a value are counted, names that are not on the map are listed", () => {
  const map = mapOf(groups([["central ", 10], ["Southern", null], ["Utopia", 7], [null, 3]]), choice, boundaries);
  expect(map).toMatchObject({
    marks: [{ label: "central ", value: 10, path: "M1 0", depth: 3 }, { label: "Southern", value: null, path: "M2 0", depth: undefined }],
    classes: [{ label: "10", count: 1 }],
    without: 1,
    ground: [{ name: "Lusaka" }],
    missing: ["Utopia", "none"],
  });
});

test("rows with a position are points and need no value; rows without a position are listed", () => {
  const table = tableOfAnswer({ rows: [{ name: "A", latitude: -15, longitude: 28 }, { name: "B", latitude: null, longitude: 28 }] });
  expect(suggestedChart(table)).toEqual({ kind: "map", by: ["name"], of: [] });
  const map = mapOf(table, fittingChart(table, { kind: "map" })!, boundaries);
  expect(map).toMatchObject({ marks: [{ label: "A", east: 14_000, north: -7500, depth: 3 }], classes: [], without: 0, missing: ["B"] });
  expect(fittingChart(table, { kind: "bar" })).toMatchObject({ kind: "bar", of: ["latitude", "longitude"] });
});

describe("the reason why there is no map", () => {
  test.each([
    ["several rows of a place", groups([["Central", 1], ["Central", 2]]), "A map needs one row for each place, and Central has several. Ask for groups by province alone"],
    ["unknown places", groups([["Utopia", 1]]), "No row is named by a province or district that has an outline."],
    ["positions with only one coordinate", tableOfAnswer({ rows: [{ n: "A", latitude: 1, longitude: null }, { n: "B", latitude: null, longitude: 2 }] }), "No row has a position."],
  ])("%s", (_, table, why) => {
    expect(mapOf(table, choice, boundaries)).toContain(why);
  });
});

test("the column of the smallest places is used, and its values show whether the outlines are the right ones", () => {
  expect(placeColumn(["province.name", "district.name", "quarter"])).toBe("district.name");
  expect(placeColumn(["mode", "province.name"])).toBe("province.name");
  expect(placeColumn(["name"])).toBe("name");
  expect(areAmong(groups([["Central", 1], ["Lusaka", 2], ["Utopia", 3]]), "province.name", boundaries)).toBe(true);
  expect(areAmong(groups([["Chibombo", 1], ["Lusaka", 2]]), "province.name", boundaries)).toBe(false);
  expect(positionsOf(tableOfAnswer({ rows: [{ facility: { latitude: 1, longitude: 2 } }] }))).toEqual({ latitude: 0, longitude: 1 });
});

describe("the classes of values have round bounds and are at most five", () => {
  test.each<[string, number[], boolean, string[], number[]]>([
    ["whole numbers", [3, 60, 124, 387], false, ["0 to 99", "100 to 199", "200 to 299", "300 to 399"], [0, 0, 1, 4]],
    ["a few values", [1, 2, 3], false, ["1", "2", "3"], [0, 2, 4]],
    ["one value", [7, 7], false, ["7"], [3, 3]],
    ["a range across a bound", [9, 51], false, ["0 to 19", "20 to 39", "40 to 59"], [0, 4]],
    ["negative numbers", [-4, 5], false, ["-4 to -3", "-2 to -1", "0 to 1", "2 to 3", "4 to 5"], [0, 4]],
    ["means", [0.5, 2.25], false, ["0.5 to under 1", "1 to under 1.5", "1.5 to under 2", "2 to under 2.5"], [0, 4]],
    ["shares", [0, 0.2, 0.999, 1], true, ["0 to 19 %", "20 to 39 %", "40 to 59 %", "60 to 79 %", "80 to 100 %"], [0, 1, 4, 4]],
  ])("%s", (_, values, isShares, labels, depths) => {
    const { classes, depthOf } = classesOf(values, isShares);
    expect([classes.map(({ label }) => label), values.map(depthOf)]).toEqual([labels, depths]);
  });
});
