import { expect, test } from "vitest";
import { frameOf } from "./boundaries.ts";

test("a frame has a margin and north up, and its squeeze depends on the latitude", () => {
  const { viewBox, squeeze } = frameOf([
    [0, -500, 1000, 0],
    [500, 0, 1500, 500],
  ]);
  expect([viewBox, squeeze]).toEqual(["-45.0 -545.0 1590.0 1090.0", 1]);
  const south = frameOf([[0, -31_000, 1000, -29_000]]);
  expect(south.squeeze).toBeCloseTo(0.5);
  expect(south.size).toBe(2000);
});
