import type { BarChart } from "./barChart.ts";
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
