import { expect, test } from "vitest";

import { addReading, type Reading, restMsAfter } from "./shares.rules.ts";

const settings = { rest: 1, longRest: 3, mostRestMs: 2000 };

/** Seconds until a loop of questions of this length gets the long pause; null: not within ten minutes. */
function secondsUntilLongRest(tookMs: number, pauseMs: number): number | null {
  let lately: Reading | undefined;
  for (let now = 0; now < 600_000;) {
    now += tookMs;
    lately = addReading(lately, tookMs, now);
    const restMs = restMsAfter(settings, lately, tookMs);
    if (restMs > tookMs) return Math.round(now / 1000);
    now += Math.max(restMs, pauseMs);
  }
  return null;
}

test("the pause after a question is as long as the question took, at most two seconds", () => {
  for (const [tookMs, restMs] of [
    [0, 0],
    [50, 50],
    [1999, 1999],
    [4000, 2000],
  ] as const)
    expect(restMsAfter(settings, addReading(undefined, tookMs, 0), tookMs), `${tookMs} ms`).toBe(restMs);
});

test("the pause is three times as long after much reading; a person who looks at charts does not reach it", () => {
  expect(restMsAfter(settings, { ms: 5001, at: 0 }, 100)).toBe(300);
  expect(restMsAfter(settings, { ms: 5001, at: 0 }, 1000)).toBe(2000);
  expect(secondsUntilLongRest(50, 50), "a loop").toBe(11);
  expect(secondsUntilLongRest(500, 3000), "half a second of groups every three seconds").toBe(64);
  expect(secondsUntilLongRest(300, 3000), "a chart every three seconds").toBe(null);
  expect(secondsUntilLongRest(1000, 15_000), "a slow one four times a minute").toBe(null);
});

test("the sum of recent reading halves every thirty seconds", () => {
  const read = addReading(undefined, 8000, 0);
  expect(addReading(read, 0, 30_000).ms).toBe(4000);
  expect(addReading(read, 100, 60_000).ms).toBe(2100);
});
