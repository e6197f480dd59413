import type { BarChart, ChartTone } from "./barChart.ts";
import type { ChartPalette } from "./palette.ts";

/** What a chart draws in addition to its bars: markings of periods, denominators and targets. */

type Axes = { place: object; lying: boolean };

/** The backgrounds of periods that are not over, or in which nobody was counted. */
export function bands({ rows }: BarChart, palette: ChartPalette, { place, lying }: Axes): object[] {
  if (rows.every(({ look }) => look === undefined)) return [];
  const along = lying ? "y" : "x";
  const [across, end] = lying ? ["x", "width"] : ["y", "height"];
  const band = [{ filter: "datum.one === 0 && datum.look !== ''" }, { calculate: "true", as: "isBand" }];
  return [
    {
      transform: band,
      mark: { type: "rect", aria: false, strokeDash: [3, 3], strokeWidth: 1, tooltip: null },
      encoding: {
        [along]: place,
        [across]: { value: 0 },
        [`${across}2`]: { value: end },
        fill: { condition: { test: "datum.look === 'nobody'", value: palette.line }, value: "transparent" },
        fillOpacity: { value: 0.45 },
        stroke: { condition: { test: "datum.look === 'nobody'", value: "transparent" }, value: palette.lineStrong },
      },
    },
    {
      transform: [...band, { filter: "datum.look !== 'running'" }],
      mark: {
        type: "text",
        aria: false,
        color: palette.inkSoft,
        fontSize: 11,
        ...(lying ? { align: "left" as const } : { angle: 270, align: "left" as const }),
      },
      encoding: {
        [along]: place,
        [across]: lying ? { value: 8 } : { value: "height" },
        ...(lying ? {} : { yOffset: { value: -8 } }),
        text: { field: "state" },
      },
    },
  ];
}

/** The denominators, under each place of the axis. */
export function unders(
  chart: BarChart,
  palette: ChartPalette,
  { place, lying, room }: Axes & { room: number },
): object[] {
  if (chart.rows.every(({ under }) => under === undefined)) return [];
  const isLong = lying || room / chart.rows.length > 92;
  return [
    {
      transform: [{ filter: "datum.one === 0" }],
      mark: {
        type: "text",
        aria: false,
        color: palette.inkSoft,
        fontSize: 11,
        ...(lying ? { align: "right", dx: -8, dy: 14 } : { baseline: "top", dy: 26 }),
      },
      encoding: {
        [lying ? "y" : "x"]: place,
        [lying ? "x" : "y"]: { value: lying ? 0 : "height" },
        text: { field: isLong ? "under" : "underShort" },
      },
    },
  ];
}

/** Least width of a bar beside others that has its figure above it, and that has it there upright; and of its text. */
const leastAcross = { level: 30, upright: 11 };
const nameCharacter = 5.9;
/** Least part of a stack that has its figure, as a share of the whole. */
const leastPart = 0.07;

/** How the figures of bars that stand side by side are written above them, if there is room: level, or upright. */
export function figuresOnBars(
  { layout, series }: BarChart,
  lying: boolean,
  group: number,
): keyof typeof leastAcross | undefined {
  if (layout !== "grouped" || series.length < 2 || lying) return undefined;
  const across = group / series.length;
  return across >= leastAcross.level ? "level" : across >= leastAcross.upright ? "upright" : undefined;
}

/** The figures of bars that stand side by side: above each of them. A zero is written, so that it is no gap. */
export const barFigures = (
  palette: ChartPalette,
  { place, offset, figure }: Places,
  format: string,
  way: "level" | "upright",
): object => ({
  transform: [{ filter: "datum.look !== 'nobody' && datum.look !== 'ahead'" }],
  mark: {
    ...{ type: "text", aria: false, color: palette.ink, fontSize: 11 },
    ...(way === "level" ? { baseline: "bottom", dy: -3 } : { angle: 270, align: "left", baseline: "middle", dx: 4 }),
  },
  encoding: { x: place, y: figure, ...offset, text: { field: "value", type: "quantitative", format } },
});

/** The room above a bar that its figure takes. */
const figureRoom = { level: 18, upright: 34 };

/**
 * The first row on whose bars there is room for the names of all series, and for each of them whether it is written in
 * the bar, otherwise above its figure. `height` is that of the chart's area, `most` the end of its axis.
 */
export function namedRow(
  { rows, series }: BarChart,
  way: "level" | "upright",
  height: number,
  most: number,
): { row: number; isInBar: boolean[] } | undefined {
  for (const [row, { values, look }] of rows.entries()) {
    if (look === "nobody" || look === "ahead") continue;
    const room = series.map(({ label }, one) => {
      const [bar, name] = [((values[one] ?? 0) / most) * height, label.length * nameCharacter + 8];
      return { isInBar: bar >= name, isAbove: height - bar - figureRoom[way] >= name };
    });
    if (room.every(({ isInBar, isAbove }) => isInBar || isAbove))
      return { row, isInBar: room.map(({ isInBar }) => isInBar) };
  }
  return undefined;
}

/** The names of the series, on the bars of one row, in place of a legend. */
export function barNames(
  { series }: BarChart,
  palette: ChartPalette,
  { place, offset, figure }: Places,
  way: "level" | "upright",
  { row, isInBar }: { row: number; isInBar: boolean[] },
): object[] {
  return [true, false].flatMap((inBar) => {
    const named = series.flatMap((_, one) => (isInBar[one] === inBar ? [one] : []));
    if (named.length === 0) return [];
    return {
      transform: [{ filter: `datum.row === ${row} && indexof(${JSON.stringify(named)}, datum.one) >= 0` }],
      mark: {
        ...{ type: "text", aria: false, tooltip: null, fontSize: 11, angle: 270, align: "left", baseline: "middle" },
        dx: inBar ? 6 : figureRoom[way],
      },
      encoding: {
        ...{ x: place, ...offset, y: inBar ? { value: "height" } : figure, text: { field: "series" } },
        color: inBar ? inksOf(series, palette) : { value: palette.ink },
      },
    };
  });
}

const lightTones = new Set<ChartTone>(["hollow", "accentHollow", "neutralHollow"]);
/** Their colours, and so those of texts on them, are nearly the same in both themes. */
const fixedTones = new Set<ChartTone>(["neutral", "mode2", "mode4", "mode5"]);
const darkTones = new Set<ChartTone>(["mode1", "mode3", "mode6"]);

/** The colour of a text on a series' bars. */
function inkOn(tone: ChartTone, palette: ChartPalette): string {
  if (darkTones.has(tone)) return "#ffffff";
  if (fixedTones.has(tone)) return palette.onNeutral;
  return lightTones.has(tone) ? palette.ink : palette.surface;
}

/** The colours of texts on the bars of each series. */
const inksOf = (series: BarChart["series"], palette: ChartPalette): object => ({
  condition: series.map(({ tone }, one) => ({ test: `datum.one === ${one}`, value: inkOn(tone, palette) })),
  value: palette.ink,
});

/** The figures of the parts of a whole: within each part that is large enough. */
export function partFigures({ series }: BarChart, palette: ChartPalette, { place, figure, lying }: Places): object {
  const [along, across] = lying ? ["y", "x"] : ["x", "y"];
  return {
    mark: { type: "text", aria: false, fontSize: 11 },
    encoding: {
      [along]: place,
      [across]: { ...figure, bandPosition: 0.5 },
      detail: { field: "one", type: "nominal" },
      order: { field: "one", type: "quantitative" },
      opacity: { condition: { test: `datum.value >= ${leastPart}`, value: 1 }, value: 0 },
      color: inksOf(series, palette),
      text: { field: "value", type: "quantitative", format: ".0%" },
    },
  };
}

type Places = { place: object; offset: object; figure: object; lying: boolean };

/** The targets: a line across each bar, with a light edge so that it is visible on the bar too. */
export function lines(
  { rows, series, targets = [] }: BarChart,
  palette: ChartPalette,
  { place, offset, figure, lying }: Places,
): object[] {
  const values = targets.flatMap(({ series: one, values: aims }) =>
    aims.flatMap((value, at) =>
      value === undefined ? [] : [{ label: rows[at]!.label, series: series[one]!.label, value, isBand: true }],
    ),
  );
  if (values.length === 0) return [];
  const [along, across] = lying ? ["y", "x"] : ["x", "y"];
  return [
    { stroke: palette.surface, strokeWidth: 5 },
    { stroke: palette.ink, strokeWidth: 2 },
  ].map((paint) => ({
    data: { values },
    mark: { type: "bar", aria: false, tooltip: null, fill: "transparent", ...paint },
    encoding: { [along]: place, [across]: figure, [`${across}2`]: { field: "value" }, ...offset },
  }));
}
