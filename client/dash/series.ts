import type { Mode } from "../../gateway/facility/mode.rules.ts";
import { type ModePeriod, routes } from "../routes.ts";
import { counted } from "../ui/text/counted.ts";
import { attainmentOf } from "../../gateway/target/attainment.rules.ts";
import type { Drawing } from "./ChartCard.tsx";
import { periodFinding } from "./finding.ts";
import { emptyPeriods, periodChart, type PeriodFigure, type PeriodRow } from "./figures.ts";
import type { RowAims } from "./FiguresTable.tsx";
import type { ChartSettings } from "./overviewParams.ts";
import { entireYear, inFiscalOrder, type RowPeriod } from "./periods.ts";
import { allPartners, scopeVariables } from "./scope.ts";
import type { OverviewScope } from "./scope.ts";
import { measures, type TargetAnswer } from "../target/measures.ts";

/** With more years than this, the axis has one place for each year. */
const mostYearsInParts = 2;

/**
 * The views that a chart by period fetches: months and quarters together, so that switching the view only redraws;
 * whole years if there are many.
 */
export function seriesVariables({ year, quarter, years, partner }: ChartSettings, scope: OverviewScope) {
  const isByYear = years > mostYearsInParts;
  return {
    year,
    quarter,
    years,
    byMonth: isByYear ? ("YEARLY" as const) : ("MONTHLY" as const),
    byQuarter: isByYear ? ("YEARLY" as const) : ("QUARTERLY" as const),
    ...scopeVariables(scope, partner),
  };
}

/** The target and the attainment in each row, for the series that have a target. */
function aimsOf({ series }: PeriodFigure, rows: readonly PeriodRow[], targets: readonly TargetAnswer[]): RowAims[] {
  return series.flatMap(({ sum, label }) => {
    const cells = rows.map((row) => {
      const target = targets.find(({ measure, year }) => measures[measure].sum === sum && year === row.year);
      if (!target || sum === undefined) return undefined;
      const attained =
        row.state === "AHEAD"
          ? null
          : attainmentOf({ value: row[sum] ?? 0, assessed: row.assessed, percent: target.percent });
      return attained === null ? `${target.percent}%` : `${target.percent}%, ${attained}% attained`;
    });
    return cells.some((cell) => cell !== undefined) ? [{ label, cells }] : [];
  });
}

/** Explains bars that do not count all facilities. */
export const unknownNote = "Where an answer is not recorded, no bar counts the facility; the table says how many.";
const hasUnknown = ({ series }: PeriodFigure, rows: readonly PeriodRow[]): boolean =>
  series.some(({ unknown }) => unknown !== undefined && rows.some((row) => (row[unknown] ?? 0) > 0));

/** The series that are drawn. */
export const drawnSeries = ({ series }: PeriodFigure) => series.filter(({ isInTable }) => !isInTable);

/** Many months, and the sides of a comparison, are lines: bars of them are thin, and their ways cannot be compared. */
export const areLines = ({ layout }: PeriodFigure, { view, quarter, years }: ChartSettings, isComparison: boolean) =>
  layout === "grouped" &&
  (view === "monthly" ? isComparison || years <= mostYearsInParts : isComparison && quarter === entireYear);

/** The chart of a figure's rows with the settings of the controls, and the number of facilities behind it. */
export function drawPeriods(
  figure: PeriodFigure,
  rows: readonly PeriodRow[],
  isShares: boolean,
  targets: readonly TargetAnswer[] = [],
  isLines = false,
): Drawing & { hasUnknown: boolean } {
  const facilities = rows[0]?.facilities ?? 0;
  const aims = targets.map(({ measure, year, percent }) => ({ sum: measures[measure].sum, year, percent }));
  const drawn = { ...figure, series: drawnSeries(figure) };
  const chart = periodChart(drawn, rows, isShares, aims);
  return {
    finding: periodFinding(figure, rows),
    chart: isLines ? { ...chart, layout: "lines" } : chart,
    table: periodChart(figure, rows, isShares, aims),
    empty: emptyPeriods(rows),
    hasUnknown: hasUnknown(figure, rows),
    of: `Under each period: the facilities assessed in it, of ${counted(facilities, "facility", "facilities")} in the scope.${hasUnknown(figure, rows) ? ` ${unknownNote}` : ""}`,
    aims: aimsOf(figure, inFiscalOrder(rows), targets),
    counts: inFiscalOrder(rows).map((row) => ({
      ...{ assessed: row.assessed, facilities: row.facilities, isAhead: row.state === "AHEAD" },
      notRecorded: figure.series.map(({ unknown }) => (unknown === undefined ? 0 : (row[unknown] ?? 0))),
    })),
  };
}

/**
 * The link to the list of the facilities that a bar of the mode chart counts: those of its mode, scope, partner and
 * period.
 */
export function modeLink(
  mode: Mode | "none" | undefined,
  scope: OverviewScope,
  partner: number,
  row: RowPeriod | undefined,
): string | undefined {
  if (mode === undefined || mode === "none" || row === undefined) return undefined;
  const { year, quarter, calMonth } = row;
  const period: ModePeriod = calMonth == null ? { year, quarter } : { year, month: calMonth };
  const link = routes.facilitiesByMode(mode, scopeVariables(scope, partner), period);
  const isInPlace = scope.provinceId !== undefined || scope.districtId !== undefined;
  return isInPlace && partner !== allPartners ? `${link}&implementingPartnerId=${partner}` : link;
}
