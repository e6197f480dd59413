import { expect, test } from "vitest";

import { partSizes, placesIn, retryDelayMs, speedometer } from "./sending.rules.ts";

const kB = 1024;
const MB = 1024 * kB;

test.each([
  [0, 0],
  [1, 1],
  [256 * kB, 1],
  [256 * kB + 1, 2],
  [3 * MB, 12],
  [40 * MB, 16],
  [30 * 1024 * MB, 16],
])("of %i bytes %i pieces are hashed, including the first and the last", (received, count) => {
  const places = placesIn(received);
  expect(places).toHaveLength(count);
  for (const { start, end } of places) {
    expect(start).toBeGreaterThanOrEqual(0);
    expect(end - start).toBe(Math.min(256 * kB, received));
  }
  if (count > 0) expect([places[0]!.start, places.at(-1)!.end]).toEqual([0, received]);
});

/** The sizes of the parts that a sender chooses on a connection with this speed. */
function sizesOn(bytesPerSecond: number, parts: number): number[] {
  const sizes = partSizes();
  return Array.from({ length: parts }, () => {
    const size = sizes.next();
    sizes.arrived(size, (size / bytesPerSecond) * 1000);
    return size;
  });
}

test.each([
  ["a fast line", 50 * MB, 16 * MB],
  ["5 Mbit/s", 600 * kB, 4200 * kB],
  ["400 kbit/s", 50 * kB, 350 * kB],
  ["50 kbit/s", 6 * kB, 42 * kB],
  ["a very slow line", 100, 32 * kB],
])("the parts on %s take seven seconds, within 32 kB and 16 MB", (_, bytesPerSecond, wanted) => {
  expect(sizesOn(bytesPerSecond, 8).at(-1)).toBe(wanted);
});

test("failures make the parts smaller, and a fast part makes them larger again", () => {
  const sizes = partSizes();
  for (let part = 0; part < 8; part += 1) sizes.arrived(sizes.next(), 100);
  expect(sizes.next()).toBe(16 * MB);
  sizes.failed();
  expect(sizes.next()).toBe(4 * MB);
  for (let part = 0; part < 9; part += 1) sizes.failed();
  expect(sizes.next()).toBe(32 * kB);
  sizes.arrived(32 * kB, 1);
  expect(sizes.next()).toBe(256 * kB);
});

test("the first attempt follows at once, later ones after up to 30 seconds, without an end", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 100].map(retryDelayMs)).toEqual([
    0, 1000, 3000, 5000, 10_000, 20_000, 30_000, 30_000, 30_000,
  ]);
});

test("the speed is that of the last half minute, and falls while nothing arrives", () => {
  const line = speedometer();
  expect(line.speedAt(0)).toBeUndefined();
  line.begin(0);
  expect(line.speedAt(500)).toBeUndefined();
  for (let second = 5; second <= 60; second += 5) line.arrived(second * 1000, 5 * MB);
  expect(line.speedAt(60_000)).toBeCloseTo(MB, -5);
  expect(line.quietFor(65_000)).toBeUndefined();
  expect(line.speedAt(75_000)).toBeLessThan(0.6 * MB);
  expect(line.quietFor(75_000)).toBe(15_000);
  expect(line.speedAt(95_000)).toBeUndefined();
  line.begin(100_000);
  expect(line.quietFor(101_000)).toBeUndefined();
  expect(line.speedAt(101_000)).toBeUndefined();
});

test("the estimate of arrived bytes is less than the bytes on the way, and zero after a long silence", () => {
  const line = speedometer();
  line.begin(0);
  line.arrived(5000, 5 * MB);
  expect(line.plausible(6000, 10 * MB)).toBeGreaterThan(0.5 * MB);
  expect(line.plausible(6000, 10 * MB)).toBeLessThan(MB);
  expect(line.plausible(14_000, 2 * MB)).toBeCloseTo(1.8 * MB, 0);
  expect(line.plausible(600_000, 10 * MB)).toBe(0);
});
