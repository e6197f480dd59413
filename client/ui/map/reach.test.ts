import { expect, test } from "vitest";
import { isWithin, perDegree, type Position, reachOf } from "./boundaries.ts";

const isReached = (outlines: readonly (readonly number[])[], positions: readonly Position[], position: Position) => {
  const reach = reachOf(outlines, positions);
  return reach !== undefined && isWithin(reach, position);
};

const at = (latitude: number, longitude: number) => ({ east: longitude * perDegree, north: latitude * perDegree });
const zambia = [[22, -18.1, 33.7, -8.2].map((degrees) => degrees * perDegree)];
const around = [at(-15.4, 28.3), at(-12.9, 28.6), at(-10.2, 31.2), at(-17.8, 25.9), at(-15.3, 23.1), at(-13.6, 32.6)];

test.each([
  ["in the country", at(-15, 28), true],
  ["just across the border", at(-8.1, 33.8), true],
  ["latitude without the minus sign", at(15, 28), false],
  ["latitude and longitude swapped", at(28.6, -10), false],
])("whether a position is in reach, with and without outlines: %s", (_, position, isInReach) => {
  expect(isReached(zambia, [], position)).toBe(isInReach);
  expect(isReached([], [...around, position], position)).toBe(isInReach);
  for (const each of around) expect(isReached([], [...around, position], each)).toBe(true);
});

test("every facility of a small area is in reach, even if most of them lie close together", () => {
  const cluster = [at(-15, 28), at(-15, 28.01), at(-15.01, 28), at(-15.01, 28.02), at(-14, 30), at(-17, 25)];
  for (const each of cluster) expect(isReached([], cluster, each)).toBe(true);
});

test("a single facility is in reach of itself; without outlines and positions nothing is in reach", () => {
  expect(isReached([], [at(-15, 28)], at(-15, 28))).toBe(true);
  expect(isReached([], [], at(-15, 28))).toBe(false);
});

test("the reach is given in degrees with at most two decimals", () => {
  expect(reachOf(zambia, [])).toEqual([16.15, -23.05, 39.55, -3.25]);
});
