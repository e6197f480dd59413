import type { BarChart, ChartTone } from "./barChart.ts";
import { type ChartPalette, paint } from "./palette.ts";

/** A chart of lines: one for each series over the places of the axis, with its name beside its end. */

const nameHeight = 15;
const nameGap = 10;

/** Where names stand that belong to these ends of lines: as near as they can without touching each other. */
export function placesOfNames(ends: readonly number[], [start, end]: readonly [number, number], height: number) {
  const gap = (nameHeight * (end - start)) / height;
  const order = ends.map((_, at) => at).toSorted((one, other) => ends[one]! - ends[other]!);
  // Names that would touch stand together, around the middle of their ends (isotonic regression).
  const blocks: { sum: number; count: number }[] = [];
  for (const [rank, at] of order.entries()) {
    let block = { sum: ends[at]! - rank * gap, count: 1 };
    for (let last = blocks.at(-1); last && last.sum / last.count > block.sum / block.count; last = blocks.at(-1)) {
      blocks.pop();
      block = { sum: last.sum + block.sum, count: last.count + block.count };
    }
    blocks.push(block);
  }
  const highest = end - (ends.length - 1) * gap;
  const bases = blocks.flatMap(({ sum, count }) => Array<number>(count).fill(Math.min(sum / count, highest)));
  return ends.map((_, at) => bases[order.indexOf(at)]! + order.indexOf(at) * gap);
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
        ...{ dx: nameGap, limit: width / 3 - nameGap, color: palette.ink },
      },
      encoding: { x: { value: "width" }, y: figure, text: { field: "name" } },
    },
  ];
}
