import { describe, expect, test } from "vitest";
import {
  cpuCores,
  cpus64Bit,
  emptyParams,
  emptyPeriods,
  functionality,
  implementationMode,
  libraryVersion,
  paramChart,
  paramsOf,
  periodChart,
  training,
} from "./figures.ts";
import type { PeriodRow } from "./figures.ts";
import { modeLink } from "./series.ts";
import { totalOf } from "../ui/chart/barChart.ts";
import { overviewHeading, scopeVariables, scopeWhat } from "./scope.ts";

const row = (quarter: number, some: Partial<PeriodRow> = {}): PeriodRow => ({
  year: 2026,
  quarter,
  calMonth: null,
  state: "ENDED",
  facilities: 40,
  assessed: 20,
  ...some,
});

test("a chart by quarter has a row per quarter and a value per series; facilities without a mode are not part of the total", () => {
  const rows = [
    row(2, { efirst: 1, efast: 2, elast: 3, partial: 4, notDeployed: 5, notOperational: 5 }),
    row(1, { efirst: 4, efast: 5, elast: 6, partial: 3, notDeployed: 2 }),
  ];
  const chart = periodChart(implementationMode, rows);
  expect(chart.series.map(({ label }) => label)).toEqual([
    "E-First",
    "E-Fast",
    "E-Last",
    "Partial Deployment",
    "SmartCare not deployed",
    "Not operational",
    "Not assessed",
  ]);
  expect(chart.rows).toEqual([
    {
      label: "QTR 1",
      title: "QTR 1, Oct to Dec 2025",
      values: [4, 5, 6, 3, 2, 0, 20],
      under: { long: "20 assessed", short: "20" },
    },
    {
      label: "QTR 2",
      title: "QTR 2, Jan to Mar 2026",
      values: [1, 2, 3, 4, 5, 5, 20],
      under: { long: "20 assessed", short: "20" },
    },
  ]);
  expect(chart.rows.map(({ values }) => totalOf(chart, values))).toEqual([20, 20]);
});

test("shares are of the assessed facilities; staff is shown as a mean per assessed facility", () => {
  const shares = periodChart(implementationMode, [row(1, { efirst: 5, notOperational: 15 })], true);
  expect([shares.rows[0]!.values, shares.isShares]).toEqual([[0.25, 0, 0, 0, 0, 0.75], true]);
  const means = periodChart(training, [row(1, { sumTrainedStaff: 50 })], true);
  expect([means.rows[0]!.values, means.isShares, means.isMean]).toEqual([[2.5], false, true]);
  expect(periodChart(functionality, [row(1, { assessed: 0 })], true).rows[0]!.values).toEqual([0, 0, 0, 0, 0]);
});

test("a chart by month names the month and its calendar year; an axis of several years names the year", () => {
  const december = row(1, { calMonth: 12, sumTrainedStaff: 7 });
  expect(periodChart(training, [december]).rows).toEqual([
    { label: "DEC", title: "Dec 2025", values: [7], under: { long: "20 assessed", short: "20" } },
  ]);
  const years = [row(-1), row(-1, { year: 2025 })];
  expect(periodChart(training, years).rows.map(({ label, title }) => [label, title])).toEqual([
    ["FY 2025", "FY 2025"],
    ["FY 2026", "FY 2026"],
  ]);
  expect(periodChart(training, [row(2), row(2, { year: 2025 })]).rows.map(({ label }) => label)).toEqual([
    "QTR 2 2025",
    "QTR 2 2026",
  ]);
});

test.each([
  ["some assessed, none functional", { assessed: 12 }, undefined, undefined, "12 assessed", "0"],
  ["nobody assessed", { assessed: 0 }, "nobody", "0 of 40 assessed", "0 assessed", "0"],
  ["the period is running", { state: "RUNNING", assessed: 3 }, "running", "so far", "3 assessed so far", "0"],
  ["the period is in the future", { state: "AHEAD", assessed: 0 }, "ahead", "lies ahead", "ahead", "0"],
] as const)("each kind of zero looks different: %s", (_, some, look, state, under, figure) => {
  const [one] = periodChart(functionality, [row(3, some)]).rows;
  expect([one!.look, one!.state, one!.under!.long, String(one!.values[0])]).toEqual([look, state, under, figure]);
});

test.each([
  ["versions, newest first", libraryVersion, ["2.9.0", "2.10.1", "2.10.0"], ["2.10.1", "2.10.0", "2.9.0"]],
  ["cores, fewest first", cpuCores, ["16", "2", "4"], ["2", "4", "16"]],
  ["64-bit first", cpus64Bit, ["32-bit", "64-bit"], ["64-bit", "32-bit"]],
])("the order of the bars: %s", (_, figure, params, ordered) => {
  const chart = paramChart(
    figure,
    params.map((param) => ({ param, value: 1 })),
  );
  expect(chart.rows.map(({ label }) => label)).toEqual(ordered);
});

describe("the message if there is nothing to show", () => {
  test.each([
    [
      "nobody assessed",
      [row(1, { assessed: 0 }), row(2, { assessed: 0 })],
      "No assessments in this period: 0 of 40 facilities assessed.",
    ],
    [
      "nobody assessed yet",
      [row(1, { assessed: 0, state: "RUNNING" })],
      "No assessments in this period: 0 of 40 facilities assessed so far.",
    ],
    [
      "a future period",
      [row(1, { assessed: 0, state: "AHEAD" })],
      "This period lies ahead: nothing can have been assessed in it yet.",
    ],
    ["no facilities", [], "No facility belongs here yet, so that nothing could be assessed."],
    ["no message for zeros of assessed facilities", [row(1)], undefined],
  ])("%s", (_, rows, words) => {
    expect(emptyPeriods(rows)).toBe(words);
  });
  test.each([
    [libraryVersion, "No assessments in this period"],
    [cpuCores, "No TDBs in this period"],
  ])("$title", (figure, words) => {
    expect(emptyParams(figure, paramChart(figure, []))).toBe(words);
  });
});

test.each([
  [{}, -1, row(1), "/facilities/implementation/EFirst/all?year=2026&quarter=1"],
  [{}, 7, row(1), "/facilities/implementation/EFirst/ip/7?year=2026&quarter=1"],
  [
    { implementingPartnerId: 3 },
    -1,
    row(1, { calMonth: 10 }),
    "/facilities/implementation/EFirst/ip/3?year=2026&month=10",
  ],
  [{ provinceId: 5 }, -1, row(4), "/facilities/implementation/EFirst/province/5?year=2026&quarter=4"],
  [
    { districtId: 9 },
    7,
    row(2, { calMonth: 1 }),
    "/facilities/implementation/EFirst/district/9?year=2026&month=1&implementingPartnerId=7",
  ],
])("a bar of the scope %j and the partner %s links to its facilities", (scope, partner, of, link) => {
  expect(modeLink("EFirst", scope, partner, of)).toBe(link);
});

test.each([
  [{}, "National Overview", "overview", {}],
  [{ provinceId: 1 }, "Provincial Overview", "province", { provinceId: 1 }],
  [{ districtId: 2 }, "District Overview", "district", { districtId: 2 }],
  [{ implementingPartnerId: 3 }, "IP Level", "implementing partner", { implementingPartnerId: 3 }],
])("the heading, noun and variables of the scope %j", (scope, heading, what, variables) => {
  expect([overviewHeading(scope), scopeWhat(scope), scopeVariables(scope)]).toEqual([heading, what, variables]);
});

test("the chosen partner is a filter in every scope except that of a partner", () => {
  expect(scopeVariables({ provinceId: 1 }, 7)).toEqual({ provinceId: 1, implementingPartnerId: 7 });
  expect(scopeVariables({ implementingPartnerId: 3 }, 7)).toEqual({ implementingPartnerId: 3 });
});

test("the text of a chart by value contains the number of facilities or computers", () => {
  const rows = [
    { param: "4.3.1", value: 1200 },
    { param: "4.2", value: 34 },
  ];
  expect(paramsOf(libraryVersion, rows, { facilities: 3324, assessed: 1300 })).toBe(
    "1,234 of 1,300 assessed facilities name a version, of 3,324 facilities in the scope.",
  );
  expect(paramsOf(libraryVersion, rows, undefined)).toBeUndefined();
  expect(paramsOf(cpuCores, rows, undefined)).toBe(
    "Of 1,234 computers, by the latest TDB of each facility in this period.",
  );
});
