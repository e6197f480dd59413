import { expect, test } from "vitest";

import { partOf, workersOn, workersWithin } from "./workers.rules.ts";

test.each([
  [1, false, 1],
  [2, false, 1],
  [3, false, 3],
  [16, false, 16],
  [16, true, 4],
  [128, false, 64],
])("%i processors, embedded database %s: %i workers", (processors, isEmbedded, workers) => {
  expect(workersOn(processors, isEmbedded)).toBe(workers);
});

test.each([
  // A worker has 11 connections and its part of the heavy ones, the primary 4.
  [4, 100, 4],
  [16, 97, 7],
  [16, 200, 16],
  [2, 10, 1],
])("of %i workers, with %i connections allowed, %i start", (wanted, allowed, started) => {
  expect(workersWithin(wanted, 4, allowed)).toBe(started);
});

test("a part of what a gateway may do at a time is at least one", () => {
  expect([partOf(64, 4), partOf(4, 3), partOf(4, 16)]).toEqual([16, 1, 1]);
});
