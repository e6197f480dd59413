import { formatNumber } from "../text/counted.ts";

/** The data of a bar chart. The code that draws it is fetched separately (chartSpec.ts). */

/**
 * How a series is painted: filled with a depth of the accent, a neutral colour or that of a mode; or hollow, with an
 * outline only.
 */
export type ChartTone = "deep" | "accent" | "neutral" | "accentHollow" | "neutralHollow" | "hollow" | ModeTone;
/** The colour of a mode, the same as on the map. */
export type ModeTone = `mode${1 | 2 | 3 | 4 | 5 | 6}`;
/** An `aside` series is part of the stack, but not of its total. */
export type ChartSeries = { label: string; tone: ChartTone; aside?: boolean };
/**
 * The marking of a place on the axis whose period has no final figures: nobody was counted, the period is running, or
 * it lies in the future.
 */
export type ChartLook = "nobody" | "running" | "ahead";
/**
 * A place on the axis with one figure for each series. `title` is the full form of `label`. `under` is the denominator
 * in words, in a long and a short form. `state` is `look` in words. Rows with the same `panel` are drawn together below
 * its name, on the same scale as the other panels. `words` are the figures in words, if they say more than the numbers.
 */
export type ChartRow = {
  label: string;
  title: string;
  values: number[];
  words?: string[];
  under?: { long: string; short: string };
  look?: ChartLook;
  state?: string;
  panel?: string;
};
/** The target of a series, drawn as a line across its bars: for each row a figure, or none. */
export type ChartTarget = { series: number; values: (number | undefined)[] };
/** One bar, by the indexes of its row and its series. */
export type Bar = { row: number; series: number };
/**
 * A chart. Each row has bars side by side (grouped), stacked bars, one horizontal bar (lying), or a point on the line of
 * each series (lines), where a figure that is not known is NaN.
 */
export type BarChart = {
  layout: "grouped" | "stacked" | "lying" | "lines";
  /** What the figures count: the title of their axis. */
  valueTitle: string;
  /** What the rows are, if their labels do not say so. */
  rowTitle?: string;
  series: ChartSeries[];
  rows: ChartRow[];
  /** The figures are shares, from 0 to 1. */
  isShares?: boolean;
  /** The figures are means, shown with one decimal. */
  isMean?: boolean;
  targets?: ChartTarget[];
};

/** A figure of the chart in words: "1,204", "41.2%", "3.5". */
export function figureText({ isShares, isMean }: BarChart, value: number): string {
  if (isShares) return `${Math.round(value * 1000) / 10}%`;
  return formatNumber(isMean ? Math.round(value * 10) / 10 : value);
}

/** The total of a row, without the `aside` series. */
export const totalOf = ({ series }: BarChart, values: readonly number[]): number =>
  values.reduce((sum, value, index) => (series[index]?.aside ? sum : sum + value), 0);

/** The chart without the series of these labels. */
export function withoutSeries(chart: BarChart, hidden: readonly string[]): BarChart {
  if (hidden.length === 0) return chart;
  const kept = chart.series.flatMap(({ label }, at) => (hidden.includes(label) ? [] : [at]));
  const of = <Value>(values: readonly Value[]) => kept.map((at) => values[at]!);
  return {
    ...chart,
    series: of(chart.series),
    rows: chart.rows.map((row) => ({
      ...row,
      values: of(row.values),
      ...(row.words ? { words: of(row.words) } : {}),
    })),
    targets: (chart.targets ?? [])
      .filter(({ series }) => kept.includes(series))
      .map((target) => ({ ...target, series: kept.indexOf(target.series) })),
  };
}

/** The panels of a chart: one without a name if its rows name none. `first` is the place of its first row in the chart. */
export function panelsOf(chart: BarChart): { name: string | undefined; first: number; chart: BarChart }[] {
  return [...new Set(chart.rows.map(({ panel }) => panel))].map((name) => {
    const isOwn = (at: number) => chart.rows[at]!.panel === name;
    const targets = chart.targets?.map(({ series, values }) => ({
      series,
      values: values.filter((_, at) => isOwn(at)),
    }));
    return {
      name,
      first: chart.rows.findIndex((_, at) => isOwn(at)),
      chart: { ...chart, rows: chart.rows.filter((_, at) => isOwn(at)), ...(targets ? { targets } : {}) },
    };
  });
}

/** The highest bar, stack or target. */
export const mostOf = ({ layout, rows, targets = [] }: BarChart): number =>
  Math.max(
    0,
    ...targets.flatMap(({ values }) => values.map((value) => value ?? 0)),
    ...rows.map(({ values }) =>
      layout === "stacked" ? values.reduce((sum, one) => sum + one, 0) : Math.max(0, ...values.filter(Number.isFinite)),
    ),
  );
