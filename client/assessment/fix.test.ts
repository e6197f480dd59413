import { expect, test } from "vitest";
import { isRecent, replaces } from "./fix.ts";
import type { Fix } from "./fix.ts";

const start = Date.parse("2026-11-27T09:00:00Z");
/** A fix some metres north of the site, some minutes after the first one. */
const fix = (accuracy: number, metresNorth = 0, minutes = 0): Fix => ({
  latitude: -13.13373 + metresNorth / 111_195,
  longitude: 27.8493,
  accuracy,
  at: new Date(start + minutes * 60_000).toISOString(),
});

test.each<[string, Fix, Fix | null, boolean]>([
  ["the first fix", fix(15_000), null, true],
  ["a better fix", fix(12), fix(40), true],
  ["an equally good fix, for the position is kept current", fix(12, 3, 1), fix(12), true],
  ["a worse fix at the same place", fix(40, 20, 1), fix(12), false],
  ["a fix of 15 km after one of 12 m", fix(15_000, 900, 5), fix(12), false],
  ["a fix of 15 km whose circle is far away", fix(15_000, 40_000, 5), fix(12), false],
  ["a worse fix whose circle meets the first one", fix(60, 70, 5), fix(12), false],
  ["a worse but usable fix of another place: the device has moved", fix(60, 75, 5), fix(12), true],
  ["a worse but usable fix 30 km away", fix(80, 30_000, 60), fix(5), true],
  ["a better fix of another place", fix(8, 5000, 60), fix(12), true],
  ["a worse fix after half a day", fix(15_000, 0, 12 * 60), fix(12), false],
  ["any fix on the next day", fix(15_000, 0, 12 * 60 + 1), fix(12), true],
])("%s replaces the held one: %j, %j, %s", (_, next, held, expected) => expect(replaces(next, held)).toBe(expected));

test.each([
  ["the same minute", 0, true],
  ["half a day later", 12 * 60, true],
  ["the next morning", 20 * 60, false],
])("a fix is recent %s (%i minutes): %s", (_, minutes, expected) =>
  expect(isRecent(fix(12).at, fix(12, 0, minutes).at)).toBe(expected),
);
