import { type BarChart, type ChartTone, figureText } from "./barChart.ts";
import type { ChartPalette } from "./palette.ts";

/** What a chart draws in addition to its bars: markings of periods, denominators and targets. */

/** `room`: the length of the axis of places. */
type Axes = { place: object; lying: boolean; room: number };

/** The place of a text below the labels of the axis. */
const belowAxis = { baseline: "top", dy: 26 };

/**
 * The backgrounds of periods that are not over, or in which nobody was counted, with why where there is room: the
 * denominator below says it too.
 */
export function bands({ rows, layout }: BarChart, palette: ChartPalette, { place, lying, room }: Axes): object[] {
  if (rows.every(({ look }) => look === undefined)) return [];
  const isLines = layout === "lines";
  const along = lying ? "y" : "x";
  const [across, end] = lying ? ["x", "width"] : ["y", "height"];
  const band = [{ filter: "datum.one === 0 && datum.look !== ''" }, { calculate: "true", as: "isBand" }];
  return [
    {
      transform: band,
      mark: { type: "rect", aria: false, strokeDash: [3, 3], strokeWidth: isLines ? 0 : 1, tooltip: null },
      encoding: {
        [along]: place,
        [across]: { value: 0 },
        [`${across}2`]: { value: end },
        fill: {
          condition: {
            test: `datum.look === ${isLines ? "'ahead' || datum.look === " : ""}'nobody'`,
            value: palette.line,
          },
          value: "transparent",
        },
        fillOpacity: { condition: { test: "datum.look === 'nobody'", value: 0.45 }, value: 0.2 },
        stroke: { condition: { test: "datum.look === 'nobody'", value: "transparent" }, value: palette.lineStrong },
      },
    },
    ...(lying || isLines || room / rows.length > 120
      ? [
          {
            transform: [
              ...band,
              { filter: isLines ? "datum.look === 'ahead' && datum.isLast" : "datum.look !== 'running'" },
            ],
            mark: {
              ...{ type: "text", aria: false, color: palette.inkSoft, fontSize: 11 },
              ...(lying ? { align: "left" } : isLines ? belowAxis : { baseline: "bottom", dy: -8 }),
              ...(isLines ? { align: "right", dx: room / rows.length / 2 } : {}),
            },
            encoding: { [along]: place, [across]: { value: lying ? 8 : "height" }, text: { field: "state" } },
          },
        ]
      : []),
  ];
}

/** A chart of lines says once what lies ahead. */
const notAhead = { filter: "datum.look !== 'ahead'" };

/** The denominators, under each place of the axis. */
export function unders(chart: BarChart, palette: ChartPalette, { place, lying, room }: Axes): object[] {
  if (chart.rows.every(({ under }) => under === undefined)) return [];
  const isLines = chart.layout === "lines";
  const isLong = lying || room / chart.rows.length > 92;
  return [
    {
      transform: [{ filter: "datum.one === 0 && datum.hasLabel" }, ...(isLines ? [notAhead] : [])],
      mark: {
        type: "text",
        aria: false,
        color: palette.inkSoft,
        fontSize: 11,
        ...(lying ? { align: "right", dx: -8, dy: 8 } : belowAxis),
      },
      encoding: {
        [lying ? "y" : "x"]: place,
        [lying ? "x" : "y"]: { value: lying ? 0 : "height" },
        text: { field: isLong ? "under" : "underShort" },
      },
    },
  ];
}

/** Least part of a stack that has its figure, as a share of the whole. */
const leastPart = { lying: 0.07, upright: 0.05 };
/** The widths of a digit of a bar's figure, and of the gap beside it. */
const figureWidth = { digit: 6.2, gap: 4 };

/**
 * How the figures of bars that stand side by side are written: after the end of a horizontal one; above an upright one
 * as they are, without the percent sign, or turned, whichever has room.
 */
export function figuresOnBars(
  chart: BarChart,
  lying: boolean,
  group: number,
): "after" | "level" | "bare" | "turned" | undefined {
  const { layout, series, rows, isShares } = chart;
  if (layout !== "grouped" || series.length < 2) return undefined;
  if (lying) return "after";
  const across = group / series.length - figureWidth.gap;
  const digits = Math.max(...rows.flatMap(({ values }) => values.map((value) => figureText(chart, value).length)));
  if (across >= (isShares ? 4 : digits) * figureWidth.digit) return "level";
  if (isShares && across >= 2 * figureWidth.digit) return "bare";
  return across >= figureWidth.digit ? "turned" : undefined;
}

/** The figures of bars that stand side by side. A zero is written, so that it is no gap. */
export function barFigures(
  palette: ChartPalette,
  { place, offset, figure, lying }: Places,
  format: string,
  way: NonNullable<ReturnType<typeof figuresOnBars>>,
): object {
  const [along, across] = lying ? ["y", "x"] : ["x", "y"];
  const turned = { align: "left", baseline: "middle", dx: 4 };
  return {
    transform: [
      { filter: "datum.look !== 'nobody' && datum.look !== 'ahead'" },
      { calculate: way === "bare" ? "round(100 * datum.value)" : "datum.value", as: "figure" },
    ],
    mark: {
      ...{ type: "text", aria: false, color: palette.ink, fontSize: 11 },
      ...(way === "after" ? turned : way === "turned" ? { ...turned, angle: 270 } : { baseline: "bottom", dy: -3 }),
    },
    encoding: {
      ...{ [along]: place, [across]: { ...figure, field: "writtenAt" }, ...offset },
      text: { field: "figure", type: "quantitative", format: way === "bare" ? "d" : format },
    },
  };
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
      opacity: { condition: { test: `datum.value >= ${leastPart[lying ? "lying" : "upright"]}`, value: 1 }, value: 0 },
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
