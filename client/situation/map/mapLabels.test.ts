import { expect, test } from "vitest";
import { labelPlace, placeNames, ringsOf } from "./mapLabels.ts";

test("the rings of a path of absolute and relative steps", () => {
  const square = [
    [0, 0],
    [10, 0],
    [10, 4],
    [0, 4],
  ];
  expect(ringsOf("M0 0L10 0L10 4L0 4Z")).toEqual([square]);
  expect(ringsOf("M0 0h10v4h-10z")).toEqual([square]);
  expect(ringsOf("M0,0l10,0 0,4-10,0zm20 0l1 0l0 1z")).toEqual([
    square,
    [
      [20, 0],
      [21, 0],
      [21, 1],
    ],
  ]);
});

test.each([
  ["a rectangle", "M0 0h100v20h-100z", 10, { east: 50, width: 100 }],
  ["a hook: its wide foot, not its stem", "M0 0h100v20h-80v80h-20z", 10, { east: 50, width: 100 }],
  ["a triangle: above its base, where the text is as wide as its top edge", "M0 0h100l-50 100z", 20, { width: 80 }],
  ["two islands: the larger", "M0 0h10v10h-10zM40 0h60v10h-60z", 6, { east: 70, width: 60 }],
  ["a hole: beside it", "M0 0h100v20h-100zM20 0v20h20v-20z", 10, { east: 70, width: 60 }],
] as const)("the widest place for a text in %s", (_, path, height, place) => {
  expect(labelPlace(ringsOf(path), height)).toMatchObject(place);
});

test("an area lower than the text has no place for it", () => {
  expect(labelPlace(ringsOf("M0 0h100v5h-100z"), 10)).toBeUndefined();
  expect(labelPlace([], 10)).toBeUndefined();
});

test("a name stands in its area, smaller if need be, or reaches beyond it; it never covers another", () => {
  const square = (east: number, north: number, side: number) => `M${east} ${north}h${side}v${side}h-${side}z`;
  const names = placeNames(
    [
      { name: "Wide", path: square(0, 0, 100) },
      { name: "Tighter name", path: square(0, 200, 60) },
      { name: "Copperbelt", path: square(300, 0, 20) },
      { name: "Copperbelt's neighbour", path: square(320, 0, 20) },
      { name: "No area", path: "" },
    ],
    10,
    1,
  );
  expect(names.map(({ name, height }) => [name, height])).toEqual([
    ["Wide", 10],
    ["Tighter name", 8.5],
    ["Copperbelt", 8.5],
    ["Copperbelt's neighbour", 8.5],
  ]);
  expect(Math.abs(names[2]!.north - names[3]!.north)).toBeGreaterThanOrEqual(8.5);
});
