import type { BarChart, ChartTone } from "../ui/chart/chartSpec.ts";
import { inFiscalOrder, rowLabel, rowWords } from "./periods.ts";
import type { RowPeriod } from "./periods.ts";

const sums = [
  "sumTrainedStaff",
  "sumSmartCareFunctional",
  "sumPrimaryPower",
  "sumPrimaryPowerWorking",
  "sumBackupPower",
  "sumBackupPowerWorking",
  "efirst",
  "efast",
  "elast",
] as const;
type Sum = (typeof sums)[number];
/** A row of a dashboard by month or quarter, with the sums that its chart asked for. */
export type PeriodRow = RowPeriod & Partial<Record<Sum, number>>;
export type ParamRow = { param: string; value: number };

/** What a chart by period shows, and what it says when there is nothing to show. */
export type PeriodFigure = {
  title: string;
  layout: "grouped" | "stacked";
  valueTitle: string;
  series: { sum: Sum; label: string; tone: ChartTone }[];
  /** Said when other sums of the period are not zero. */
  none: string;
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
const noTdbs = "No TDBs in this period";

export const functionality: PeriodFigure = {
  title: "Functionality Status",
  layout: "grouped",
  valueTitle: "Facilities",
  series: [
    { sum: "sumSmartCareFunctional", label: "Functional facilities", tone: "deep" },
    { sum: "sumPrimaryPower", label: "Primary power", tone: "accentHollow" },
    { sum: "sumPrimaryPowerWorking", label: "Primary power working", tone: "accent" },
    { sum: "sumBackupPower", label: "Backup power", tone: "neutralHollow" },
    { sum: "sumBackupPowerWorking", label: "Backup power working", tone: "neutral" },
  ],
  none: "No functional facilities and no power in this period",
};

export const training: PeriodFigure = {
  title: "Training Distribution",
  layout: "grouped",
  valueTitle: "Staff trained",
  series: [{ sum: "sumTrainedStaff", label: "Staff trained", tone: "accent" }],
  none: "No trained staff recorded in this period",
};

/** The modes of the implementation mode chart, in its order. */
export const chartModes = ["EFirst", "EFast", "ELast"] as const;

export const implementationMode: PeriodFigure = {
  title: "Implementation Mode",
  layout: "stacked",
  valueTitle: "Facilities",
  series: [
    { sum: "efirst", label: "E-First", tone: "deep" },
    { sum: "efast", label: "E-Fast", tone: "accent" },
    { sum: "elast", label: "E-Last", tone: "light" },
  ],
  none: "No facilities in E-First, E-Fast or E-Last in this period",
};

const byNumber = (one: ParamRow, other: ParamRow): number => one.param.localeCompare(other.param, "en", { numeric: true });

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

/** The bars of a figure by month or quarter, in fiscal order. */
export function periodChart({ layout, valueTitle, series }: PeriodFigure, fiscalYear: number, rows: readonly PeriodRow[]): BarChart {
  return {
    layout,
    valueTitle,
    series: series.map(({ label, tone }) => ({ label, tone })),
    rows: inFiscalOrder(rows).map((row) => ({
      label: rowLabel(row),
      title: row.calMonth == null ? `${rowLabel(row)}, ${rowWords(fiscalYear, row)}` : rowWords(fiscalYear, row),
      values: series.map(({ sum }) => row[sum] ?? 0),
    })),
  };
}

/** The bars of a figure by value. */
export function paramChart({ valueTitle, rowTitle, order }: ParamFigure, rows: readonly ParamRow[]): BarChart {
  return {
    layout: "lying",
    valueTitle,
    rowTitle,
    series: [{ label: valueTitle, tone: "accent" }],
    rows: [...rows].sort(order).map(({ param, value }) => ({ label: param, title: param, values: [value] })),
  };
}

const isFlat = ({ rows }: BarChart): boolean => rows.every(({ values }) => values.every((value) => value === 0));

/** Why a chart by period would be empty; undefined when it is not. */
export function emptyPeriods(figure: PeriodFigure, chart: BarChart, rows: readonly PeriodRow[]): string | undefined {
  if (!isFlat(chart)) return undefined;
  return rows.some((row) => sums.some((sum) => (row[sum] ?? 0) > 0)) ? figure.none : noAssessments;
}

/** Why a chart by value would be empty; undefined when it is not. */
export const emptyParams = (figure: ParamFigure, chart: BarChart): string | undefined => (isFlat(chart) ? figure.none : undefined);
