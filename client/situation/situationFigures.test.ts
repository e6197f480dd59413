import { expect, test } from "vitest";
import { classOf, percent, signed, unitText } from "./situationFigures.ts";

const unit = (more: object) => ({
  facilities: 10,
  assessed: 5,
  functional: 1,
  power: 5,
  expected: 0,
  silent: 0,
  modes: { efirst: 0, efast: 0, elast: 2, partial: 1, notDeployed: 0, notOperational: 0, noneRecorded: 7 },
  ...more,
});

test.each([
  [0, "0 %"],
  [0.2, "< 1 %"],
  [49.6, "50 %"],
  [99.7, "> 99 %"],
  [100, "100 %"],
  [undefined, "–"],
])("%s is shown as %s", (share, text) => {
  expect(percent(share)).toBe(text);
});

test.each([[3, "+3"], [-12_345, "−12,345"], [0, "no change"]])("a change of %d is shown as %s", (change, text) => {
  expect(signed(change)).toBe(text);
});

test.each([
  [unit({}), "functional", "20 to 39 %"],
  [unit({ functional: 0 }), "functional", "0 to 19 %"],
  [unit({}), "power", "80 to 100 %"],
  [unit({}), "assessed", "40 to 59 %"],
  [unit({}), "silent", "None should send"],
  [unit({ assessed: 0, functional: 0 }), "functional", "Not assessed"],
  [unit({ functional: null }), "functional", "Not assessed"],
  [unit({ facilities: 0, assessed: 0 }), "assessed", "No facilities"],
  [unit({}), "mode", "E-Last"],
  [unit({ modes: { efirst: 0, efast: 0, elast: 0, partial: 0, notDeployed: 0, notOperational: 0, noneRecorded: 10 } }), "mode", "Not assessed"],
] as const)("%j by %s is in the class %s", (counts, measure, label) => {
  expect(classOf(counts, measure).label).toBe(label);
});

test("a unit says its share and what it is of", () => {
  expect(unitText("Central", unit({}), "functional")).toBe("Central: functional 20 %, 1 of 5");
  expect(unitText("Central", unit({ assessed: 0 }), "functional")).toBe("Central: not assessed");
});
