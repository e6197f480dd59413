import { graphql } from "../gql/gql.ts";
import type { Figures_DashboardRowFragment } from "../gql/graphql.ts";
import type { BarChart, ChartLook, ChartRow, ChartTarget, ChartTone } from "../ui/chart/barChart.ts";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { inFiscalOrder, rowLabel, type RowPeriod, rowWords } from "./periods.ts";

export const periodRowFragment = graphql(`
  fragment Figures_DashboardRow on DashboardRow {
    year quarter calMonth state facilities assessed
    sumTrainedStaff sumSmartCareFunctional sumPrimaryPower sumPrimaryPowerWorking sumBackupPower sumBackupPowerWorking
    notRecordedSmartCareFunctional notRecordedPrimaryPower notRecordedPrimaryPowerWorking notRecordedBackupPower notRecordedBackupPowerWorking
    efirst efast elast partial notDeployed notOperational
  }
`);

type DashboardRow = Figures_DashboardRowFragment;
type Sum = Exclude<
  keyof DashboardRow,
  keyof RowPeriod | "__typename" | " $fragmentName" | "state" | "facilities" | "assessed"
>;
/**
 * A row of a dashboard by month, quarter or year: its sums, the number of facilities behind them, and whether the
 * period is over.
 */
export type PeriodRow = RowPeriod &
  Pick<DashboardRow, "state" | "facilities" | "assessed"> &
  Partial<Pick<DashboardRow, Sum>>;
export type ParamRow = { param: string; value: number };

/** What a chart by period shows. */
export type PeriodFigure = {
  title: string;
  layout: "grouped" | "stacked";
  valueTitle: string;
  /**
   * A series without a sum counts the facilities for which nothing was recorded. `unknown`: the facilities whose
   * assessment records no answer. `isInTable`: only the table has it, because four series are the most that can be read.
   */
  series: {
    sum?: Sum;
    unknown?: Extract<Sum, `notRecorded${string}`>;
    label: string;
    tone: ChartTone;
    isInTable?: boolean;
  }[];
  /** What a share means: a percentage of the facilities assessed, or an average for each of them. */
  share: "part" | "mean";
};
/** What a chart by value shows. */
export type ParamFigure = {
  title: string;
  valueTitle: string;
  rowTitle: string;
  none: string;
  order: (one: ParamRow, other: ParamRow) => number;
};

const noAssessments = "No assessments in this period";
/** Shown for a scope without facilities, where zeros would look like a failure. */
const noFacilities = "No facility belongs here yet, so that nothing could be assessed.";
const noTdbs = "No TDBs in this period";

export const functionality: PeriodFigure = {
  title: "Functionality Status",
  layout: "grouped",
  valueTitle: "Facilities",
  series: [
    {
      sum: "sumSmartCareFunctional",
      unknown: "notRecordedSmartCareFunctional",
      label: "Functional facilities",
      tone: "deep",
    },
    {
      ...{ sum: "sumPrimaryPower", unknown: "notRecordedPrimaryPower", label: "Primary power", tone: "accentHollow" },
      isInTable: true,
    },
    {
      sum: "sumPrimaryPowerWorking",
      unknown: "notRecordedPrimaryPowerWorking",
      label: "Primary power working",
      tone: "accent",
    },
    {
      ...{ sum: "sumBackupPower", unknown: "notRecordedBackupPower", label: "Backup power", tone: "neutralHollow" },
      isInTable: true,
    },
    {
      sum: "sumBackupPowerWorking",
      unknown: "notRecordedBackupPowerWorking",
      label: "Backup power working",
      tone: "neutral",
    },
  ],
  share: "part",
};

export const training: PeriodFigure = {
  title: "Training Distribution",
  layout: "grouped",
  valueTitle: "Staff trained",
  series: [{ sum: "sumTrainedStaff", label: "Staff trained", tone: "accent" }],
  share: "mean",
};

/**
 * The modes of the implementation mode chart, in its order. The last bar counts the facilities without a recorded mode.
 */
export const chartModes = ["EFirst", "EFast", "ELast", "Partial", "NotDeployed", "NotOperational", "none"] as const;

export const implementationMode: PeriodFigure = {
  title: "Implementation Mode",
  layout: "stacked",
  valueTitle: "Facilities",
  series: [
    { sum: "efirst", label: "E-First", tone: "mode1" },
    { sum: "efast", label: "E-Fast", tone: "mode2" },
    { sum: "elast", label: "E-Last", tone: "mode3" },
    { sum: "partial", label: "Partial Deployment", tone: "mode4" },
    { sum: "notDeployed", label: "SmartCare not deployed", tone: "mode5" },
    { sum: "notOperational", label: "Not operational", tone: "mode6" },
    { label: "Not assessed", tone: "hollow" },
  ],
  share: "part",
};

const byNumber = (one: ParamRow, other: ParamRow): number =>
  one.param.localeCompare(other.param, "en", { numeric: true });

export const libraryVersion: ParamFigure = {
  title: "Library Version Summary",
  valueTitle: "Facilities",
  rowTitle: "Library version",
  none: noAssessments,
  order: (one, other) => byNumber(other, one),
};

export const cpuCores: ParamFigure = {
  title: "CPU Cores",
  valueTitle: "Computers",
  rowTitle: "CPU cores",
  none: noTdbs,
  order: byNumber,
};

export const cpus64Bit: ParamFigure = {
  title: "64-Bit CPUs",
  valueTitle: "Computers",
  rowTitle: "CPU",
  none: noTdbs,
  order: (one, other) => byNumber(other, one),
};

const lookOf = ({ state, assessed }: PeriodRow): ChartLook | undefined => {
  if (state === "AHEAD") return "ahead";
  if (state === "RUNNING") return "running";
  return assessed === 0 ? "nobody" : undefined;
};

/** The state of a period that is not over, in words. */
const stateWords: Record<ChartLook, string> = { nobody: "nobody assessed", running: "so far", ahead: "lies ahead" };

const underOf = (row: PeriodRow): ChartRow["under"] => {
  if (row.state === "AHEAD") return { long: "ahead", short: "ahead" };
  const assessed = formatNumber(row.assessed);
  return row.state === "RUNNING"
    ? { long: `${assessed} assessed so far`, short: `${assessed} …` }
    : { long: `${assessed} assessed`, short: assessed };
};

/** "54% (26 of 48)" */
const countWords = (share: number, count: number, of: number): string =>
  of === 0 ? "–" : `${Math.round(share * 1000) / 10}% (${formatNumber(count)} of ${formatNumber(of)})`;

/** The target of a series in a fiscal year, in percent of the facilities assessed. */
export type SeriesTarget = { sum: Sum; year: number; percent: number };

/** The lines of the targets: the share itself, or the number of assessed facilities that it stands for. */
function targetsOf(
  series: PeriodFigure["series"],
  rows: readonly PeriodRow[],
  targets: readonly SeriesTarget[],
  isShares: boolean,
): ChartTarget[] {
  return series.flatMap(({ sum }, one) => {
    const values = rows.map(({ year, state, assessed }) => {
      const aim =
        state === "AHEAD" || assessed === 0
          ? undefined
          : targets.find((each) => each.sum === sum && each.year === year);
      return aim && (aim.percent / 100) * (isShares ? 1 : assessed);
    });
    return values.some((value) => value !== undefined) ? [{ series: one, values }] : [];
  });
}

/**
 * The bars of a figure by month, quarter or year in fiscal order: numbers, or shares of the facilities that were
 * assessed.
 */
export function periodChart(
  { layout, valueTitle, series, share }: PeriodFigure,
  rows: readonly PeriodRow[],
  isShares = false,
  targets: readonly SeriesTarget[] = [],
): BarChart {
  const shown = isShares ? series.filter(({ sum }) => sum !== undefined) : series;
  const isSeveral = new Set(rows.map(({ year }) => year)).size > 1;
  const valueOf = (row: PeriodRow, sum: Sum | undefined) => {
    if (row.state === "AHEAD") return 0;
    if (sum === undefined) return row.facilities - row.assessed;
    if (!isShares) return row[sum] ?? 0;
    return row.assessed === 0 ? 0 : (row[sum] ?? 0) / row.assessed;
  };
  return {
    layout,
    valueTitle: !isShares
      ? valueTitle
      : share === "part"
        ? "Share of facilities assessed"
        : `${valueTitle} per facility assessed`,
    isShares: isShares && share === "part",
    isMean: isShares && share === "mean",
    series: shown.map(({ sum, label, tone }) => ({ label, tone, aside: sum === undefined })),
    targets: targetsOf(shown, inFiscalOrder(rows), targets, isShares),
    rows: inFiscalOrder(rows).map((row) => {
      const look = lookOf(row);
      return {
        label: rowLabel(row, isSeveral),
        title: row.calMonth == null && row.quarter !== -1 ? `${rowLabel(row)}, ${rowWords(row)}` : rowWords(row),
        values: shown.map(({ sum }) => valueOf(row, sum)),
        ...(isShares && share === "part" && row.state !== "AHEAD"
          ? { words: shown.map(({ sum }) => countWords(valueOf(row, sum), (sum && row[sum]) ?? 0, row.assessed)) }
          : {}),
        under: underOf(row),
        ...(look
          ? { look, state: look === "nobody" ? `0 of ${formatNumber(row.facilities)} assessed` : stateWords[look] }
          : {}),
      };
    }),
  };
}

/** "36 %"; less than one percent is not shown as zero. */
export const percent = (share: number): string =>
  share > 0 && share < 0.005 ? "<\u00a01\u00a0%" : `${Math.round(100 * share)}\u00a0%`;

/** The bars of a figure by value, each with its share of all. */
export function paramChart({ valueTitle, rowTitle, order }: ParamFigure, rows: readonly ParamRow[]): BarChart {
  const all = rows.reduce((sum, { value }) => sum + value, 0);
  const words = (value: number) => (all === 0 ? "0" : `${formatNumber(value)} (${percent(value / all)})`);
  return {
    layout: "lying",
    valueTitle,
    rowTitle,
    series: [{ label: valueTitle, tone: "accent" }],
    rows: [...rows]
      .sort(order)
      .map(({ param, value }) => ({ label: param, title: param, values: [value], words: [words(value)] })),
  };
}

const isFlat = ({ rows }: BarChart): boolean => rows.every(({ values }) => values.every((value) => value === 0));

/** The reason why a chart by period is empty: no facility was assessed. Undefined if one was. */
export function emptyPeriods(rows: readonly PeriodRow[]): string | undefined {
  if (rows.some(({ assessed }) => assessed > 0)) return undefined;
  if (rows.length > 0 && rows.every(({ state }) => state === "AHEAD"))
    return "This period lies ahead: nothing can have been assessed in it yet.";
  if (rows.every(({ facilities }) => facilities === 0)) return noFacilities;
  const isRunning = rows.some(({ state }) => state === "RUNNING");
  return `${noAssessments}: 0 of ${counted(rows[0]?.facilities ?? 0, "facility", "facilities")} assessed${isRunning ? " so far" : ""}.`;
}

/**
 * The denominator of figures by value, in words: the assessed facilities for library versions, once known; all listed
 * computers otherwise.
 */
export function paramsOf(
  figure: ParamFigure,
  rows: readonly ParamRow[],
  known: { facilities: number; assessed: number } | undefined,
): string | undefined {
  const sum = rows.reduce((all, { value }) => all + value, 0);
  if (figure !== libraryVersion)
    return `Of ${counted(sum, "computer")}, by the latest TDB of each facility in this period.`;
  return (
    known &&
    `${formatNumber(sum)} of ${formatNumber(known.assessed)} assessed facilities name a version, of ${counted(known.facilities, "facility", "facilities")} in the scope.`
  );
}

/** The reason why a chart by value is empty; undefined if it is not. */
export const emptyParams = (figure: ParamFigure, chart: BarChart): string | undefined =>
  isFlat(chart) ? figure.none : undefined;
