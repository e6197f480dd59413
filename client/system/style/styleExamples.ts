import { functionality, implementationMode, libraryVersion, paramChart, periodChart } from "../../dash/figures.ts";
import type { PeriodRow } from "../../dash/figures.ts";
import { rowLabel, rowWords } from "../../dash/periods.ts";
import { drawnSeries } from "../../dash/series.ts";
import type { BarChart } from "../../ui/chart/barChart.ts";
import { lineSeries } from "../../ui/chart/lineSeries.ts";

/** The made-up data of the page about the style. */

/** In the last quarter one figure is better, one as it was and one worse. */
const quarters = [30, 34, 33, 38, 41, 47, 55, 59].map((assessed, at) => ({
  __typename: "SituationQuarter" as const,
  ...{ assessed, functional: at === 6 ? 41 : Math.round(assessed * 0.69), notRecordedFunctional: 1 },
  ...{ power: at === 6 ? 50 : assessed - 12, notRecordedPower: 0, expected: 70, silent: 70 - assessed },
}));

export const exampleCounts = { facilities: 1204, functionalTarget: 80, quarters };

const quarterOf = (quarter: number, state: PeriodRow["state"], assessed: number): PeriodRow => ({
  ...{ year: 2026, quarter, calMonth: null, state, facilities: 124, assessed },
  sumSmartCareFunctional: Math.round(assessed * (0.5 + quarter / 20)),
  sumPrimaryPowerWorking: Math.round(assessed * 0.8),
  sumBackupPowerWorking: quarter === 3 ? 0 : Math.round(assessed * 0.3),
  ...{ efirst: Math.round(assessed * 0.3), efast: Math.round(assessed * 0.25), elast: Math.round(assessed * 0.15) },
  ...{ partial: 0, notDeployed: Math.round(assessed * 0.2), notOperational: 0 },
});
/** A quarter without visits, one that is running, and one that lies ahead. */
const rows = [
  quarterOf(1, "ENDED", 48),
  quarterOf(2, "ENDED", 0),
  quarterOf(3, "RUNNING", 59),
  quarterOf(4, "AHEAD", 0),
];
const drawn = { ...functionality, series: drawnSeries(functionality) };

/** Months, of which nobody was assessed in one, one is running and the last lie ahead. */
const months = [10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((calMonth, at): PeriodRow => ({
  ...quarterOf(1 + Math.floor(at / 3), at < 8 ? "ENDED" : at === 8 ? "RUNNING" : "AHEAD", at === 3 ? 0 : 40 + 3 * at),
  calMonth,
}));
const target = [{ sum: "sumSmartCareFunctional" as const, year: 2026, percent: 70 }];

export const exampleCharts: { title: string; chart: BarChart }[] = [
  {
    title: functionality.title,
    chart: periodChart(drawn, rows, true, target),
  },
  {
    title: `${functionality.title} by month`,
    chart: { ...periodChart(drawn, months, true, target), layout: "lines" },
  },
  {
    title: "Eight partners by month",
    chart: {
      layout: "lines",
      valueTitle: "Visits",
      series: lineSeries(["Partner A", "Partner B", "Partner C", "Partner D", "E", "F", "G", "No partner"]),
      rows: months.map((month, at) => ({
        label: rowLabel(month),
        title: rowWords(month),
        values: [9, 8, 7.6, 6, 5, 3, 2.8, 0].map((height, one) => Math.round(3 * height + ((at * (one + 3)) % 7))),
      })),
    },
  },
  { title: implementationMode.title, chart: periodChart(implementationMode, rows) },
  {
    title: libraryVersion.title,
    chart: paramChart(libraryVersion, [
      { param: "4.3.1", value: 24 },
      { param: "4.2.5", value: 12 },
      { param: "4.1.0", value: 0 },
    ]),
  },
];
