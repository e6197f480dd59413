import { functionality, implementationMode, libraryVersion, paramChart, periodChart } from "../../dash/figures.ts";
import type { PeriodRow } from "../../dash/figures.ts";
import type { SituationAnswer } from "../../situation/SituationSection.tsx";
import type { BarChart } from "../../ui/chart/barChart.ts";

/** The made-up data of the page about the style. */

const quarters = [30, 34, 33, 38, 41, 47, 55, 59].map((assessed) => ({
  __typename: "SituationQuarter" as const,
  ...{ assessed, functional: Math.round(assessed * 0.69), notRecordedFunctional: 1, power: assessed - 12 },
  ...{ notRecordedPower: 0, expected: 70, silent: 70 - assessed },
}));

const ofFigure = { __typename: "SituationFigure" } as const;

export const exampleSituation: SituationAnswer = {
  __typename: "Situation",
  ...{ asAt: "2026-11-22T10:00:00Z", quarterStart: "2026-10-01", level: "PROVINCE", newestLibraryVersion: "4.3.1" },
  facilities: { ...ofFigure, value: 1204 },
  assessed: { ...ofFigure, value: 59, change: 4 },
  functional: { ...ofFigure, value: 41, notRecorded: 1, change: 0 },
  power: { ...ofFigure, value: 47, notRecorded: 0, change: -3 },
  silent: { ...ofFigure, value: 11, of: 70 },
  oldVersion: { ...ofFigure, of: 41 },
  withoutPosition: { ...ofFigure, value: 0 },
  functionalTarget: 80,
  ...{ quarters, worklist: [], units: [] },
};

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
const drawn = { ...functionality, series: functionality.series.filter(({ isInTable }) => !isInTable) };

export const exampleCharts: { title: string; chart: BarChart }[] = [
  {
    title: functionality.title,
    chart: periodChart(drawn, rows, true, [{ sum: "sumSmartCareFunctional", year: 2026, percent: 70 }]),
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
