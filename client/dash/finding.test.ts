import { expect, test } from "vitest";
import { cpuCores, functionality, implementationMode, libraryVersion, type PeriodRow, training } from "./figures.ts";
import { hasMovingBase, paramFinding, periodFinding } from "./finding.ts";

const row = (quarter: number, assessed: number, some: Partial<PeriodRow> = {}): PeriodRow => ({
  ...{ year: 2026, quarter, calMonth: null, state: "ENDED", facilities: 60, assessed },
  ...some,
});
const works = (sum: number) => ({ sumSmartCareFunctional: sum });

test.each([
  ["no data", functionality, [], undefined],
  ["nobody assessed", functionality, [row(1, 0), row(2, 0, { state: "AHEAD" })], undefined],
  ["one period", functionality, [row(4, 59, works(41))], "41 of 59 assessed sites work in Q4 FY26 (69 %)"],
  [
    "a rise",
    functionality,
    [row(3, 50, works(30)), row(4, 59, works(41))],
    "41 of 59 assessed sites work (69 %), up 9 points since Q3 FY26",
  ],
  [
    "a fall by one point",
    functionality,
    [row(3, 100, works(70)), row(4, 100, works(69))],
    "69 of 100 assessed sites work (69 %), down 1 point since Q3 FY26",
  ],
  [
    "no change, over a period in which nobody was assessed",
    functionality,
    [row(2, 59, works(41)), row(3, 0), row(4, 59, works(41)), row(1, 0, { year: 2027, state: "AHEAD" })],
    "41 of 59 assessed sites work (69 %), unchanged since Q2 FY26",
  ],
  [
    "a running period",
    functionality,
    [row(4, 59, works(41)), row(1, 10, { ...works(8), year: 2027, state: "RUNNING" })],
    "8 of 10 assessed sites work so far in Q1 FY27 (80 %), up 11 points since Q4 FY26",
  ],
  [
    "months",
    functionality,
    [row(1, 4, { ...works(2), calMonth: 11 }), row(1, 4, { ...works(1), calMonth: 12 })],
    "1 of 4 assessed sites work (25 %), down 25 points since Nov FY26",
  ],
  [
    "years",
    functionality,
    [row(-1, 4, { ...works(2), year: 2025 }), row(-1, 4, works(3))],
    "3 of 4 assessed sites work (75 %), up 25 points since FY25",
  ],
  [
    "staff",
    training,
    [row(3, 10, { sumTrainedStaff: 20 }), row(4, 20, { sumTrainedStaff: 1030 })],
    "1,030 staff trained at 20 assessed sites (51.5 per site), up 49.5 since Q3 FY26",
  ],
  [
    "modes",
    implementationMode,
    [row(3, 10, { efirst: 6, efast: 4 }), row(4, 10, { efirst: 4, efast: 6 })],
    "E-Fast is the most frequent mode: 6 of 10 assessed sites (60 %), up 20 points since Q3 FY26",
  ],
] as const)("the title of a chart by period: %s", (_, figure, rows, words) => {
  expect(periodFinding(figure, rows)?.replaceAll("\u00a0", " ")).toBe(words);
});

test.each([
  [
    libraryVersion,
    [
      ["4.3.0", 3],
      ["4.3.1", 9],
    ],
    "Library version 4.3.1 is the most frequent: 9 of 12 facilities (75 %)",
  ],
  [
    cpuCores,
    [
      ["4", 2],
      ["2", 2],
    ],
    "CPU cores 4 is the most frequent: 2 of 4 computers (50 %)",
  ],
  [cpuCores, [], undefined],
] as const)("the title of $title", (figure, values, words) => {
  const rows = values.map(([param, value]) => ({ param, value }));
  expect(paramFinding(figure, rows)?.replaceAll("\u00a0", " ")).toBe(words);
});

test.each([
  ["equal numbers", [row(1, 5), row(2, 5)], false],
  ["different numbers", [row(1, 5), row(2, 6)], true],
  ["periods without any, or ahead", [row(1, 5), row(2, 0), row(3, 9, { state: "AHEAD" })], false],
])("whether shares are shown by default: %s", (_, rows, isMoving) => {
  expect(hasMovingBase(rows)).toBe(isMoving);
});
