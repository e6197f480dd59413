import { expect, test } from "vitest";
import { cutEmpty, joinDrawings, sideNames } from "./comparison.ts";
import { functionality, implementationMode, type PeriodRow, training } from "./figures.ts";
import { comparedFinding } from "./finding.ts";
import { readSettings } from "./overviewParams.ts";
import { drawPeriods } from "./series.ts";

const settings = readSettings(new URLSearchParams(), "2026-11-23");
const row = (quarter: number, assessed: number, some: Partial<PeriodRow> = {}): PeriodRow => ({
  ...{ year: 2026, quarter, calMonth: null, state: "ENDED", facilities: 60, assessed },
  ...some,
});

const place = (name: string, kind: string, some = {}) => ({
  ...{ scope: {}, place: `${name} ${kind}`.trim(), name },
  settings: { ...settings, ...some },
});
test.each([
  ["places", [place("Lusaka", "Province"), place("Southern", "Province")], ["Lusaka", "Southern"]],
  [
    "places with one name",
    [place("Lusaka", "Province"), place("Lusaka", "District")],
    ["Lusaka Province", "Lusaka District"],
  ],
  ["years", [place("Lusaka", "Province"), place("Lusaka", "Province", { year: 2025 })], ["FY 2026", "FY 2025"]],
  [
    "places and years",
    [place("Lusaka", "Province"), place("Partner A", ""), place("Lusaka", "Province", { year: 2025, years: 2 })],
    ["Lusaka, FY 2026", "Partner A, FY 2026", "Lusaka, FY 2024 to FY 2025"],
  ],
])("the sides of a comparison of %s have names", (_, sides, names) => {
  expect(sideNames(sides)).toEqual(names);
});

test.each([
  [
    "nothing where all have data",
    [
      [5, 5],
      [3, 1],
    ],
    [
      [5, 5],
      [3, 1],
    ],
    "",
  ],
  [
    "both ends, but nothing between",
    [
      [0, 5, 0, 4, 0],
      [0, 0, 0, 1, 0],
    ],
    [
      [5, 0, 4],
      [0, 0, 1],
    ],
    "Without assessments, so not shown: FY 2022 and FY 2026.",
  ],
  [
    "several years",
    [
      [0, 0, 0, 4],
      [0, 0, 0, 1],
    ],
    [[4], [1]],
    "Without assessments, so not shown: FY 2022 until FY 2024.",
  ],
  [
    "nothing where nobody was assessed",
    [
      [0, 0],
      [0, 0],
    ],
    [
      [0, 0],
      [0, 0],
    ],
    "",
  ],
])("of a comparison, empty periods are cut: %s", (_, before, after, note) => {
  const sides = before.map((all) => ({
    name: "",
    rows: all.map((assessed, at) => row(-1, assessed, { year: 2022 + at })),
  }));
  const cut = cutEmpty(sides);
  expect(cut.sides.map(({ rows }) => rows.map(({ assessed }) => assessed))).toEqual(after);
  expect(cut.note).toBe(note);
});

test("periods that are not over are not cut", () => {
  const rows = [row(1, 0), row(2, 5), row(3, 0, { state: "RUNNING" }), row(4, 0, { state: "AHEAD" })];
  expect(cutEmpty([{ name: "", rows }])).toEqual({
    sides: [{ name: "", rows: rows.slice(1) }],
    note: "Without assessments, so not shown: Oct to Dec 2025.",
  });
});

const works = (sum: number) => ({ sumSmartCareFunctional: sum });
test.each([
  [
    functionality,
    [
      { name: "Lusaka", rows: [row(3, 10, works(5)), row(4, 100, works(57))] },
      { name: "Southern", rows: [row(3, 10, works(5)), row(4, 100, works(69))] },
    ],
    "Assessed sites that work in Q4 FY26: Lusaka 57 %, Southern 69 %",
  ],
  [
    functionality,
    [
      { name: "FY 2026", rows: [row(3, 10, works(5)), row(4, 10, works(6))] },
      { name: "FY 2025", rows: [row(3, 10, { ...works(2), year: 2025 }), row(4, 0, { year: 2025 })] },
      { name: "FY 2024", rows: [row(3, 0, { year: 2024 }), row(4, 0, { year: 2024 })] },
    ],
    "Assessed sites that work in QTR 3: FY 2026 50 %, FY 2025 20 %, FY 2024 not assessed",
  ],
  [
    training,
    [
      { name: "Lusaka", rows: [row(4, 10, { sumTrainedStaff: 25, state: "RUNNING" })] },
      { name: "Southern", rows: [row(4, 10, { sumTrainedStaff: 30 })] },
    ],
    "Staff trained per assessed site so far in Q4 FY26: Lusaka 2.5, Southern 3",
  ],
  [
    implementationMode,
    [
      { name: "Lusaka", rows: [row(-1, 10, { efirst: 3, elast: 7 })] },
      { name: "Southern", rows: [row(-1, 10, { efirst: 9, elast: 1 })] },
    ],
    "E-Last in FY26: Lusaka 70 %, Southern 10 %",
  ],
  [functionality, [{ name: "Lusaka", rows: [row(4, 0)] }], undefined],
] as const)("the title of a comparison: $title", (figure, sides, words) => {
  expect(comparedFinding(figure, sides)?.replaceAll("\u00a0", " ")).toBe(words);
});

const target = {
  ...{ targetUuid: "t", measure: "FUNCTIONAL" as const, year: 2026, percent: 80, unit: "Southern" },
  ...{ provinceId: 2, districtId: null, implementingPartnerId: null, notRecorded: 0, reached: 6, attainment: 75 },
};
const joined = (isLines: boolean) =>
  joinDrawings(
    ["Lusaka", "Southern"],
    [
      drawPeriods(functionality, [row(3, 0), row(4, 10, works(5))], true, [], isLines),
      drawPeriods(functionality, [row(3, 5, works(1)), row(4, 10, works(6))], true, [target], isLines),
    ],
  );

test("a comparison of bars has a panel for each side, and a target only where there is one", () => {
  const all = joined(false);
  expect(all.chart.rows.map(({ panel, title, values }) => [panel, title, values[0]])).toEqual([
    ["Lusaka", "Lusaka, QTR 3, Apr to Jun 2026", 0],
    ["Lusaka", "Lusaka, QTR 4, Jul to Sep 2026", 0.5],
    ["Southern", "Southern, QTR 3, Apr to Jun 2026", 0.2],
    ["Southern", "Southern, QTR 4, Jul to Sep 2026", 0.6],
  ]);
  expect(all.chart.targets).toEqual([{ series: 0, values: [undefined, undefined, 0.8, 0.8] }]);
  expect(all.aims?.[0]?.cells.at(-1)).toBe("80%, 75% attained");
});

test("a comparison of lines has a panel for each figure, a line for each side, and no point where nobody was assessed", () => {
  const { series, rows, targets } = joined(true).chart;
  expect(series.map(({ label }) => label)).toEqual(["Lusaka", "Southern"]);
  expect(rows.slice(0, 2).map(({ panel, title, values }) => [panel, title, values])).toEqual([
    ["Functional facilities", "QTR 3, Apr to Jun 2026, Functional facilities", [Number.NaN, 0.2]],
    ["Functional facilities", "QTR 4, Jul to Sep 2026, Functional facilities", [0.5, 0.6]],
  ]);
  expect(rows.slice(0, 2).map(({ words }) => words)).toEqual([
    ["0 of 60 assessed", "20% (1 of 5)"],
    ["50% (5 of 10)", "60% (6 of 10)"],
  ]);
  expect(new Set(rows.map(({ panel }) => panel)).size).toBe(3);
  expect(targets![1]!.values.slice(0, 3)).toEqual([0.8, 0.8, undefined]);
});
