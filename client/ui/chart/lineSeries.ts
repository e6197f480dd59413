import type { ChartSeries, ChartTone } from "./barChart.ts";

/** The colours of lines that have none of their own. After four, the lines are dashed and the colours begin again. */
export const lineTones: ChartTone[] = ["deep", "accent", "neutral", "mode4"];

/** More lines are not told apart. */
export const mostLines = 2 * lineTones.length;

/** A series for each of these names, for a chart of lines. */
export const lineSeries = (labels: readonly string[]): ChartSeries[] =>
  labels.map((label, at) => ({ label, tone: lineTones[at % lineTones.length]! }));
