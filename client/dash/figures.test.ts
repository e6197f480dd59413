import { describe, expect, test } from "vitest";
import { cpuCores, cpus64Bit, emptyParams, emptyPeriods, functionality, implementationMode, libraryVersion, paramChart, periodChart, training } from "./figures.ts";
import { modeLink } from "./modeLink.ts";
import { overviewHeading, scopeVariables, scopeWhat } from "./scope.ts";

const quarter = (one: number, sums = {}) => ({ quarter: one, calMonth: null, ...sums });

test("a chart by quarter has a row per quarter and a figure per series", () => {
  const rows = [quarter(2, { efirst: 1, efast: 2, elast: 3 }), quarter(1, { efirst: 4, efast: 5, elast: 6 })];
  const chart = periodChart(implementationMode, 2026, rows);
  expect(chart.series.map(({ label }) => label)).toEqual(["E-First", "E-Fast", "E-Last"]);
  expect(chart.rows).toEqual([
    { label: "QTR 1", title: "QTR 1, Oct to Dec 2025", values: [4, 5, 6] },
    { label: "QTR 2", title: "QTR 2, Jan to Mar 2026", values: [1, 2, 3] },
  ]);
});

test("a chart by month names the month and its calendar year", () => {
  const { rows } = periodChart(training, 2026, [{ quarter: 1, calMonth: 12, sumTrainedStaff: 7 }]);
  expect(rows).toEqual([{ label: "DEC", title: "Dec 2025", values: [7] }]);
});

test.each([
  ["versions, newest first", libraryVersion, ["2.9.0", "2.10.1", "2.10.0"], ["2.10.1", "2.10.0", "2.9.0"]],
  ["cores, fewest first", cpuCores, ["16", "2", "4"], ["2", "4", "16"]],
  ["64-bit first", cpus64Bit, ["32-bit", "64-bit"], ["64-bit", "32-bit"]],
])("%s", (_, figure, params, ordered) => {
  const chart = paramChart(figure, params.map((param) => ({ param, value: 1 })));
  expect(chart.rows.map(({ label }) => label)).toEqual(ordered);
});

describe("nothing to show", () => {
  test.each([
    ["zeros everywhere", training, [quarter(1, { sumTrainedStaff: 0 })], "No assessments in this period"],
    ["no rows", functionality, [], "No assessments in this period"],
    ["zeros here, figures elsewhere", training, [quarter(1, { sumSmartCareFunctional: 2 })], "No trained staff recorded in this period"],
    ["a figure", training, [quarter(1, { sumTrainedStaff: 1 })], undefined],
  ])("%s", (_, figure, rows, words) => {
    expect(emptyPeriods(figure, periodChart(figure, 2026, rows), rows)).toBe(words);
  });
  test.each([
    [libraryVersion, "No assessments in this period"],
    [cpuCores, "No TDBs in this period"],
  ])("$title", (figure, words) => {
    expect(emptyParams(figure, paramChart(figure, []))).toBe(words);
  });
});

test.each([
  [{}, -1, quarter(1), "/facilities/implementation/EFirst/all?year=2026&quarter=1"],
  [{}, 7, quarter(1), "/facilities/implementation/EFirst/ip/7?year=2026&quarter=1"],
  [{ implementingPartnerId: 3 }, -1, { quarter: 1, calMonth: 10 }, "/facilities/implementation/EFirst/ip/3?year=2026&month=10"],
  [{ provinceId: 5 }, -1, quarter(4), "/facilities/implementation/EFirst/province/5?year=2026&quarter=4"],
  [{ districtId: 9 }, 7, { quarter: 2, calMonth: 1 }, "/facilities/implementation/EFirst/district/9?year=2026&month=1&implementingPartnerId=7"],
])("a bar of %j, partner %s, leads to its facilities", (scope, partner, row, link) => {
  expect(modeLink("EFirst", scope, partner, 2026, row)).toBe(link);
});

test.each([
  [{}, "National Overview", "overview", {}],
  [{ provinceId: 1 }, "Provincial Overview", "province", { provinceId: 1 }],
  [{ districtId: 2 }, "District Overview", "district", { districtId: 2 }],
  [{ implementingPartnerId: 3 }, "IP Level", "implementing partner", { implementingPartnerId: 3 }],
])("scope %j", (scope, heading, what, variables) => {
  expect([overviewHeading(scope), scopeWhat(scope), scopeVariables(scope)]).toEqual([heading, what, variables]);
});

test("the chosen partner narrows every scope but a partner's own", () => {
  expect(scopeVariables({ provinceId: 1 }, 7)).toEqual({ provinceId: 1, implementingPartnerId: 7 });
  expect(scopeVariables({ implementingPartnerId: 3 }, 7)).toEqual({ implementingPartnerId: 3 });
});
