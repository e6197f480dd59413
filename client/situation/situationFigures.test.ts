import { expect, test } from "vitest";
import { classesOf, classOf, percent, signed, spanOf, unitText } from "./situationFigures.ts";

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
  [
    unit({ modes: { efirst: 0, efast: 0, elast: 0, partial: 0, notDeployed: 0, notOperational: 0, noneRecorded: 10 } }),
    "mode",
    "Not assessed",
  ],
] as const)("%j by %s is in the class %s", (counts, measure, label) => {
  expect(classOf(counts, measure, 100).label).toBe(label);
});

test.each([
  [[0], 1, "1"],
  [[3, 5], 1, "1"],
  [[6], 2, "1 to 2"],
  [[42, 5], 10, "1 to 10"],
  [[437, 193], 100, "1 to 100"],
  [[501], 200, "1 to 200"],
  [[3324], 1000, "1 to 1,000"],
])("units of %j facilities are in classes of %d, and the first class is %s", (sizes, span, first) => {
  const units = sizes.map((facilities) => unit({ facilities }));
  expect([spanOf(units), classesOf("facilities", span, false)[0]!.label]).toEqual([span, first]);
  const labels = classesOf("facilities", span, false).map(({ label }) => label);
  for (const each of units) expect(labels).toContain(classOf(each, "facilities", span).label);
});

test.each([
  [0, "No facilities"],
  [1, "1 to 100"],
  [100, "1 to 100"],
  [101, "101 to 200"],
  [500, "401 to 500"],
])("in classes of 100, %d facilities are in the class %s", (facilities, label) => {
  expect(classOf(unit({ facilities }), "facilities", 100).label).toBe(label);
});

test("the text of a unit contains its share and the numbers behind it", () => {
  expect(unitText("Central", unit({}), "functional")).toBe("Central: functional 20\u00a0%, 1 of 5");
  expect(unitText("Central", unit({ notRecordedFunctional: 2 }), "functional")).toBe(
    "Central: functional 20\u00a0%, 1 of 5, 2 not recorded",
  );
  expect(unitText("Kalomo", site({ functional: 0, notRecordedFunctional: 1 }), "functional")).toBe(
    "Kalomo: not recorded",
  );
  expect(unitText("Central", unit({ assessed: 0 }), "functional")).toBe("Central: not assessed");
  expect(unitText("Central", unit({ facilities: 3324 }), "facilities")).toBe("Central: 3,324 facilities");
  expect(unitText("Central", unit({}), "mode")).toBe("Central: E-Last, 2 of 3");
});

/** A unit that is a single facility. */
const site = (more: object) =>
  unit({
    facilityUuid: "one",
    facilities: 1,
    assessed: 1,
    functional: 1,
    power: 0,
    modes: { efirst: 0, efast: 1, elast: 0, partial: 0, notDeployed: 0, notOperational: 0, noneRecorded: 0 },
    ...more,
  });

test.each([
  [site({}), "functional", "SmartCare works"],
  [site({ functional: 0 }), "functional", "SmartCare does not work"],
  [site({}), "power", "Power does not work"],
  [site({ functional: 0, notRecordedFunctional: 1 }), "functional", "Not recorded"],
  [site({ notRecordedPower: 1 }), "power", "Not recorded"],
  [site({ notRecordedPower: 1 }), "functional", "SmartCare works"],
  [site({ expected: 1, silent: 1 }), "silent", "TDBs silent"],
  [site({ expected: 1 }), "silent", "TDBs in time"],
  [site({}), "silent", "Not expected to send"],
  [site({}), "assessed", "Ever assessed: yes"],
  [site({ assessed: 0, functional: 0 }), "functional", "Not assessed"],
  [site({}), "mode", "E-Fast"],
] as const)("a single facility is described in words, not in shares: %j by %s", (counts, measure, label) => {
  expect(classOf(counts, measure, 1).label).toBe(label);
  expect(classesOf(measure, 1, true)).toContainEqual(classOf(counts, measure, 1));
  expect(unitText("Clinic", counts, measure).toLowerCase()).toBe(`clinic: ${label}`.toLowerCase());
});
