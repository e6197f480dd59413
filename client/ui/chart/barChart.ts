/** What a bar chart shows, without what draws it (chartSpec.ts, which is fetched with the drawing). */

/** How a series is painted: solid in deep, plain or light accent or a neutral, or hollow with an outline of it. */
export type ChartTone = "deep" | "accent" | "light" | "neutral" | "soft" | "bad" | "accentHollow" | "neutralHollow" | "hollow";
/** A series that is `aside` stands in the stack and not in its total. */
export type ChartSeries = { label: string; tone: ChartTone; aside?: boolean };
/** What a place on the axis looks like where its figures are not those of a period that is over: nobody was counted, it runs, it lies ahead. */
export type ChartLook = "nobody" | "running" | "ahead";
/**
 * A place on the axis with one figure for each series. `title` says in full what `label` shortens, `under` of how many the figures are, in two
 * lengths, and `looks` is said in full by `state`.
 */
export type ChartRow = { label: string; title: string; values: number[]; under?: { long: string; short: string }; look?: ChartLook; state?: string };
/** What a series aims at, as a line across its bars: a figure for each row, or none. */
export type ChartTarget = { series: number; values: (number | undefined)[] };
/** One bar, by the places of its row and its series. */
export type Bar = { row: number; series: number };
/** A chart: bars of each row side by side, stacked upon each other, one lying bar for each row, or a line for each series (NaN: no figure). */
export type BarChart = {
  layout: "grouped" | "stacked" | "lying" | "line";
  /** What the figures count, the name of their axis. */
  valueTitle: string;
  /** What the rows are, where their labels do not say so. */
  rowTitle?: string;
  series: ChartSeries[];
  rows: ChartRow[];
  /** The figures are shares, from 0 to 1. */
  isShares?: boolean;
  /** The figures have decimals. */
  isMean?: boolean;
  targets?: ChartTarget[];
  /** The highest figure of all charts that stand side by side. */
  most?: number;
};

/** A figure of the chart in words: "1,204", "41.2%", "3.5". */
export function figureText({ isShares, isMean }: BarChart, value: number): string {
  if (isShares) return `${Math.round(value * 1000) / 10}%`;
  return (isMean ? Math.round(value * 10) / 10 : value).toLocaleString("en");
}

/** What the bars of a row come to, without those that stand aside. */
export const totalOf = ({ series }: BarChart, values: readonly number[]): number =>
  values.reduce((sum, value, index) => (series[index]?.aside ? sum : sum + value), 0);

/** The end of the longest bar. */
export const mostOf = ({ layout, rows, targets = [] }: BarChart): number =>
  Math.max(0, ...targets.flatMap(({ values }) => values.map((value) => value ?? 0)), ...rows.map(({ values }) => (layout === "stacked" ? values.reduce((sum, one) => sum + one, 0) : Math.max(0, ...values.filter((value) => !Number.isNaN(value))))));
