import type { BarChart, ChartTone } from "./barChart.ts";
import { type ChartPalette, paint } from "./palette.ts";

/** A chart of lines: one for each series over the places of the axis, with its name beside its end. */

const nameHeight = 15;
const nameCharacter = 6.8;
const nameGap = 10;

/** How wide the names of the lines may be, at this width of the chart. */
export const roomForNames = ({ series }: BarChart, width: number): number =>
  Math.ceil(Math.min(width / 3, nameGap + nameCharacter * Math.max(...series.map(({ label }) => label.length))));

/** Where names stand that belong to these ends of lines: as near as they can without touching each other. */
export function placesOfNames(ends: readonly number[], [start, end]: readonly [number, number], height: number) {
  const gap = (nameHeight * (end - start)) / height;
  const order = ends.map((_, at) => at).toSorted((one, other) => ends[one]! - ends[other]!);
  const places = [...ends];
  for (const [rank, at] of order.entries())
    if (rank > 0) places[at] = Math.max(places[at]!, places[order[rank - 1]!]! + gap);
  for (const [back, at] of order.toReversed().entries())
    places[at] = Math.min(places[at]!, back === 0 ? end : places[order[order.length - back]!]! - gap);
  return places;
}

type Axes = { place: object; figure: object; tooltip: object; domain: readonly [number, number]; height: number };

/** The lines, a point for each known figure, and the names. */
export function lineLayers(chart: BarChart, palette: ChartPalette, { place, figure, ...axes }: Axes, width: number) {
  const { series, rows } = chart;
  const domain = series.map(({ label }) => label);
  const colour = (channel: "stroke" | "fill", value: (tone: ChartTone) => string) => ({
    [channel]: {
      ...{ field: "series", type: "nominal", sort: null, legend: null },
      scale: { domain, range: series.map(({ tone }) => value(tone)) },
    },
  });
  const strokeOf = (tone: ChartTone) => paint(tone, palette).fill;
  const isKnown = { filter: "datum.value !== null" };
  const ends = series.map((_, one) => rows.findLast(({ values }) => !Number.isNaN(values[one]))?.values[one] ?? 0);
  const names = placesOfNames(ends, axes.domain, axes.height);
  return [
    {
      mark: { type: "line", aria: false, strokeWidth: 2, tooltip: null },
      encoding: {
        ...{ x: place, y: figure },
        ...colour("stroke", strokeOf),
        strokeDash: {
          ...{ field: "series", type: "nominal", sort: null, legend: null },
          scale: { domain, range: series.map(({ dashed }) => (dashed ? [5, 4] : [1, 0])) },
        },
      },
    },
    {
      transform: [isKnown],
      mark: { type: "point", size: 44, filled: true, stroke: palette.surface, strokeWidth: 1 },
      encoding: {
        ...{ x: place, y: figure, tooltip: axes.tooltip, description: { field: "said", type: "nominal" } },
        ...colour("fill", strokeOf),
      },
    },
    {
      data: { values: domain.map((name, at) => ({ name, value: names[at] })) },
      mark: {
        ...{ type: "text", aria: false, tooltip: null, align: "left", baseline: "middle", fontSize: 12 },
        ...{ dx: nameGap, limit: roomForNames(chart, width) - nameGap, color: palette.ink },
      },
      encoding: { x: { value: "width" }, y: figure, text: { field: "name" } },
    },
  ];
}
