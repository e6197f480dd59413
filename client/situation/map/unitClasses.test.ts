import { expect, test } from "vitest";
import { breaksOf, classesOf, classOf, scaleOf, unitText } from "./unitClasses.ts";

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
  ["none", [], []],
  ["one", [71.6], [72]],
  ["few: each is a class", [57, 80, 67, 67], [57, 67, 80]],
  ["ten provinces between 57 and 80", [77, 73, 67, 80, 57, 78, 67, 74, 69, 74], [57, 67, 73, 74, 78]],
  ["evenly spread", [0, 10, 20, 30, 40, 50, 60, 70, 80, 90], [0, 20, 40, 60, 80]],
  ["many equal ones", [50, 50, 50, 50, 50, 50, 50, 50, 60, 70, 80, 90, 95, 99], [50, 60, 90]],
  ["one far away", [2, 88, 89, 90, 91, 92, 93, 94, 95, 96], [2, 89, 91, 93, 95]],
])("the classes of values: %s", (_, values, breaks) => {
  expect(breaksOf(values)).toEqual(breaks);
});

test("no class holds most of the units unless their values are equal", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const values = Array.from({ length: 10 }, (_, at) => (seed * (at + 3) * 7919) % 101);
    const breaks = breaksOf(values);
    const sizes = breaks.map((first, at) => {
      const within = values.filter((value) => value >= first && value < (breaks[at + 1] ?? Infinity));
      return new Set(within).size;
    });
    expect([seed, Math.max(...sizes) <= 4, breaks.length <= 5]).toEqual([seed, true, true]);
  }
});

const country = [12, 23, 34, 45, 46, 57, 68, 79, 80, 91].map((functional) =>
  unit({ facilities: 100, assessed: 100, functional, power: functional === 12 ? 0 : 100 }),
);
test("every unit is in a class of the legend, which says the values in it", () => {
  const scale = scaleOf(country, "functional");
  const labels = classesOf("functional", scale, false).map(({ label }) => label);
  expect(labels).toEqual(["12 to 33 %", "34 to 45 %", "46 to 67 %", "68 to 79 %", "80 to 91 %", "Not assessed"]);
  expect(country.map((each) => classOf(each, "functional", scale).label)).toEqual(
    labels.slice(0, 5).flatMap((label) => [label, label]),
  );
  expect(classesOf("power", scaleOf(country, "power"), false)).toEqual([
    { className: "is-share-0", label: "0 to 99 %" },
    { className: "is-share-4", label: "100 %" },
    { className: "is-none", label: "Not assessed" },
  ]);
});

test("how many facilities there are is classed in the same way", () => {
  const units = [0, 5, 42, 437, 1193].map((facilities) => unit({ facilities }));
  const scale = scaleOf(units, "facilities");
  expect(units.map((each) => classOf(each, "facilities", scale).label)).toEqual([
    "No facilities",
    "5 to 41",
    "42 to 436",
    "437 to 1,192",
    "1,193",
  ]);
});

test.each([
  [unit({ assessed: 0, functional: 0 }), "functional", "Not assessed"],
  [unit({}), "recent", "None should send"],
  [unit({ facilities: 0, assessed: 0 }), "assessed", "No facilities"],
  [unit({}), "mode", "E-Last"],
  [
    unit({ modes: { efirst: 0, efast: 0, elast: 0, partial: 0, notDeployed: 0, notOperational: 0, noneRecorded: 10 } }),
    "mode",
    "Not assessed",
  ],
] as const)("%j by %s is in the class %s", (counts, measure, label) => {
  expect(classOf(counts, measure).label).toBe(label);
});

test("the text of a unit contains its share and the numbers behind it", () => {
  expect(unitText("Central", unit({}), "functional")).toBe("Central: 20\u00a0% work, 1 of 5 assessed sites");
  expect(unitText("Central", unit({ notRecordedFunctional: 2 }), "functional")).toBe(
    "Central: 20\u00a0% work, 1 of 5 assessed sites, 2 not recorded",
  );
  expect(unitText("Central", unit({ expected: 4, silent: 3 }), "recent")).toBe(
    "Central: 25\u00a0% with recent data, 1 of 4 sites expected to send",
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
  [site({ expected: 1, silent: 1 }), "recent", "Data overdue"],
  [site({ expected: 1 }), "recent", "Data in time"],
  [site({}), "recent", "Not expected to send"],
  [site({}), "assessed", "Ever assessed: yes"],
  [site({ assessed: 0, functional: 0 }), "functional", "Not assessed"],
  [site({}), "mode", "E-Fast"],
] as const)("a single facility is described in words, not in shares: %j by %s", (counts, measure, label) => {
  expect(classOf(counts, measure).label).toBe(label);
  expect(classesOf(measure, scaleOf([counts], measure), true)).toContainEqual(classOf(counts, measure));
  expect(unitText("Clinic", counts, measure).toLowerCase()).toBe(`clinic: ${label}`.toLowerCase());
});
