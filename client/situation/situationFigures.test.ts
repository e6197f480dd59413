import { expect, test } from "vitest";
import { countedBy, signed } from "./situationFigures.ts";
import { percent } from "../ui/chart/small/shares.ts";

test.each([
  [0, "0\u00a0%"],
  [0.2, "<\u00a01\u00a0%"],
  [49.6, "50\u00a0%"],
  [99.7, ">\u00a099\u00a0%"],
  [100, "100\u00a0%"],
  [undefined, "–"],
])("%s is shown as %s", (share, text) => {
  expect(percent(share)).toBe(text);
});

test.each([
  [3, "+3"],
  [-12_345, "−12,345"],
  [0, "no change"],
])("a change of %d is shown as %s", (change, text) => {
  expect(signed(change)).toBe(text);
});

const counts = {
  facilities: 10,
  assessed: 5,
  functional: 1,
  power: 4,
  notRecordedFunctional: 2,
  notRecordedPower: 1,
  expected: 8,
  silent: 3,
};
test.each([
  ["assessed", { value: 5, of: 10, notRecorded: 0 }],
  ["functional", { value: 1, of: 5, notRecorded: 2 }],
  ["power", { value: 4, of: 5, notRecorded: 1 }],
  ["recent", { value: 5, of: 8, notRecorded: 0 }],
] as const)("the figure %s counts %j", (figure, counted) => {
  expect(countedBy(figure, counts)).toEqual(counted);
});
