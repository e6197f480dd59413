import { afterEach, beforeEach, expect, test, vi } from "vitest";

const device = Date.parse("2026-12-22T08:00:00Z");
const answerOf = (date: string | number | null) =>
  new Response(null, {
    headers: date === null ? {} : { Date: typeof date === "string" ? date : new Date(date).toUTCString() },
  });

let clock: typeof import("./clock.ts");

beforeEach(async () => {
  vi.useFakeTimers({ now: device });
  vi.resetModules();
  clock = await import("./clock.ts");
});
afterEach(() => {
  vi.useRealTimers();
  // Later tests in this process start with a clock that knows no server time.
  vi.resetModules();
});

test("uses the device's clock before the first answer", () => {
  expect(clock.now().getTime()).toBe(device);
  expect(clock.clockIsOffBy()).toBe(0);
});

test.each([
  ["three years ahead", -3 * 365 * 86_400_000],
  ["two hours behind", 2 * 3_600_000],
  ["right", 0],
])("a device's clock that is %s is corrected, and the corrected time goes on", (_, offset) => {
  let notified = 0;
  clock.subscribeToClock(() => (notified += 1));
  clock.learnServerTime(answerOf(device + offset));
  expect(notified).toBe(1);
  expect(clock.clockIsOffBy()).toBe(offset === 0 ? 0 : -offset);
  vi.advanceTimersByTime(90_000);
  expect(clock.now().getTime()).toBe(device + offset + 90_000);
});

test("an answer that took longer changes nothing, one that took less does", () => {
  clock.learnServerTime(answerOf(device + 60_000));
  clock.learnServerTime(answerOf(device + 52_000));
  expect(clock.clockIsOffBy()).toBe(-60_000);
  clock.learnServerTime(answerOf(device + 62_000));
  expect(clock.clockIsOffBy()).toBe(-62_000);
});

test("the correction changes if the device's clock was set meanwhile", () => {
  clock.learnServerTime(answerOf(device + 3_600_000));
  vi.setSystemTime(device + 3_600_000);
  clock.learnServerTime(answerOf(device + 3_600_000));
  expect(clock.clockIsOffBy()).toBe(0);
});

test("a clock that was set while the page is open is wrong until the next answer", () => {
  clock.learnServerTime(answerOf(device));
  vi.setSystemTime(device - 3_600_000);
  expect(clock.isClockWrong()).toBe(true);
  expect(clock.now().getTime()).toBe(device);
  clock.learnServerTime(answerOf(device));
  expect(clock.isClockWrong()).toBe(false);
  expect(clock.clockIsOffBy()).toBe(-3_600_000);
});

test.each([null, "", "yesterday"])("an answer without a valid date (%j) changes nothing", (date) => {
  clock.learnServerTime(answerOf(device + 3_600_000));
  clock.learnServerTime(answerOf(date));
  expect(clock.clockIsOffBy()).toBe(-3_600_000);
});
