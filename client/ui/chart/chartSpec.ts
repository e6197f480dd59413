import type { TopLevelSpec } from "vega-lite";
import { figureText, mostOf, panelsOf, totalOf } from "./barChart.ts";
import type { BarChart } from "./barChart.ts";
import { bands, barFigures, figuresOnBars, lines, partFigures, unders } from "./chartLayers.ts";
import { lineLayers, lineRoom } from "./lineLayers.ts";
import { paint } from "./palette.ts";
import type { ChartPalette } from "./palette.ts";

/** The heading of a picture of a chart: what it says, and what it shows, of whom and when. Its file has the name. */
export type ChartHeading = { name: string; title: string; notes: string[] };

const axisRoom = 64;
const uprightHeight = 320;
/** About as high is the area in which upright bars stand. */
const plotHeight = 240;
/** The axis below horizontal bars; where each has its figure there is none. */
const feet = { axis: 56, none: 12 };
const lyingSteps = { least: 38, most: 132 };
const digitWidth = 7.5;
/** How wide an exported picture is. */
export const pictureWidth = 960;
const pictureMargin = 32;
const characterWidth = 7.2;
const titleCharacter = 6.4;
/** Panels stand beside each other where each has this width. Their names and labels need room too. */
const leastPanel = 300;
const panelGap = 20;
const panelRoom = {
  ...{ name: 26, height: 254, lying: { beside: 132 } },
  ...{ upright: { beside: 58, below: 54 }, plain: { beside: 58, below: 34 } },
};
/** Narrower charts write the names at the ends of lines in several lines. */
const isNarrow = (width: number): boolean => width < 420;
const barInGroup = 13;
const groupGap = 16;

/** Whether each bar has its figure, so that horizontal ones need no axis. Bars of changes need it: they go both ways. */
const isWritten = (chart: BarChart): boolean => chart.series.length === 1 && leastOf(chart) === 0;
const lyingFoot = (chart: BarChart): number => (isWritten(chart) ? feet.none : feet.axis);

const barsBesideEachOther = ({ layout, series }: BarChart): number => (layout === "grouped" ? series.length : 1);

/**
 * Whether the bars are horizontal: always if the layout says so (rows with long names), otherwise if upright bars would
 * be too thin, or their labels would overlap.
 */
export function isLying(chart: BarChart, width: number): boolean {
  if (chart.layout === "lying") return true;
  if (chart.layout === "lines") return false;
  const step = (width - axisRoom) / Math.max(1, chart.rows.length);
  const widestName =
    characterWidth *
    Math.max(0, ...chart.rows.map(({ label, under }) => Math.max(label.length, under?.short.length ?? 0)));
  return step < Math.max(36, widestName) || step / barsBesideEachOther(chart) < 8;
}

/** How many panels stand beside each other, and how wide each is. */
function panelGrid(panels: number, width: number): { columns: number; width: number } {
  const columns = width >= 2 * leastPanel + panelGap ? Math.min(2, panels) : 1;
  return { columns, width: (width - panelGap * (columns - 1)) / columns };
}

/** The height a chart needs at this width. */
export function chartHeight(chart: BarChart, width: number): number {
  const panels = panelsOf(chart);
  if (panels.length < 2) return heightOf(chart, width);
  const grid = panelGrid(panels.length, width);
  const heights = panels.map((panel) => panelHeight(panel.chart, grid.width) + panelRoom.name);
  return Math.ceil(panels.length / grid.columns) * (Math.max(...heights) + panelGap);
}

const roomOf = (chart: BarChart, width: number) =>
  isLying(chart, width)
    ? { ...panelRoom.lying, below: lyingFoot(chart) - 10 }
    : hasUnder(chart)
      ? panelRoom.upright
      : panelRoom.plain;

const panelHeight = (chart: BarChart, width: number): number =>
  isLying(chart, width) ? heightOf(chart, width) : panelRoom.height;

function heightOf(chart: BarChart, width: number): number {
  if (!isLying(chart, width)) return uprightHeight;
  const bars = barsBesideEachOther(chart);
  const foot = lyingFoot(chart);
  const roomy = (uprightHeight - foot) / Math.max(1, chart.rows.length);
  const step = bars > 1 ? bars * barInGroup + groupGap : Math.min(lyingSteps.most, Math.max(lyingSteps.least, roomy));
  return Math.round(chart.rows.length * step + foot);
}

/** The space between groups, as a fraction of a step. It limits the width of bars if there are only a few. */
function padding(chart: BarChart, lying: boolean, length: number): number {
  const bars = barsBesideEachOther(chart);
  const widest = bars > 1 ? bars * 40 : lying ? 44 : 72;
  return Math.max(bars > 1 ? 0.22 : 0.32, 1 - (widest * chart.rows.length) / length);
}

/** The end of an axis with about five steps, at a round figure. */
function roundEnd(end: number): number {
  const power = 10 ** Math.floor(Math.log10(end / 5));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= end / 5 / Math.SQRT2) ?? 10);
  return Math.ceil(end / step - 1e-9) * step;
}

const hasUnder = ({ rows }: BarChart): boolean => rows.some(({ under }) => under !== undefined);

type OnBars = ReturnType<typeof figuresOnBars>;

/** The least figure, if it is below 0: only changes are. */
const leastOf = ({ rows }: BarChart): number =>
  Math.min(0, ...rows.flatMap(({ values }) => values.filter(Number.isFinite)));

/** The figure of a row with one bar, as it is written beside it: in words, unless bars go both ways and have less room. */
const rowText = (chart: BarChart, { words, values }: BarChart["rows"][number]): string =>
  (leastOf(chart) < 0 ? undefined : words?.[0]) ?? figureText(chart, values[0] ?? 0);

/** How far the figures' axis must reach beyond the longest bar of each side, for the figure that is written there. */
function beyondBars(chart: BarChart, most: number, onBars: OnBars, lying: boolean, width: number): number {
  if (!lying) return most * (onBars === "turned" ? 0.15 : 0.08);
  const texts = chart.layout === "lying" ? chart.rows.map((row) => rowText(chart, row)) : [figureText(chart, most)];
  const room = 14 + Math.max(...texts.map(({ length }) => length)) * digitWidth;
  const least = leastOf(chart);
  return ((most - least) * room) / Math.max(room, width - 2 * axisRoom - (least < 0 ? 2 : 1) * room);
}

/**
 * Where the places of an axis are narrower than their labels, only each second, third … has one, the last before the
 * future in any case.
 */
const isNamed = ({ rows }: BarChart, at: number, every: number): boolean =>
  (rows.findLastIndex(({ look }) => look !== "ahead") - at) % every === 0;

/** A bar in words: "QTR 4, Jul to Sep 2026, Primary power working: 78% (294 of 377)". */
function saidOf(chart: BarChart, { title, values, words, under }: BarChart["rows"][number], one: number): string {
  const figure = words?.[one] ?? figureText(chart, values[one] ?? 0);
  const of = words || !under ? "" : `, ${under.long}`;
  return `${title}, ${chart.series[one]!.label}: ${figure}${of}`;
}

/**
 * The bars as rows of data. `room` is how far a figure reaches beyond the end of its bar: where the line of the target
 * lies there, it is written beyond that.
 * `row` and `one` are the indexes of the row, after those before it, and the series.
 */
function data(
  chart: BarChart,
  first: number,
  every: number,
  room: number,
): Record<string, string | number | boolean>[] {
  const writtenAt = (value: number, aim = 0) => (aim > value - room / 8 && aim < value + room ? aim : value);
  return chart.rows.flatMap((row, at) =>
    chart.series.map(({ label }, one) => ({
      hasLabel: isNamed(chart, at, every),
      isLast: at === chart.rows.length - 1,
      label: row.label,
      title: row.title,
      series: label,
      value: row.values[one] ?? 0,
      writtenAt: writtenAt(row.values[one] ?? 0, chart.targets?.find(({ series }) => series === one)?.values[at]),
      row: first + at,
      one,
      total: totalOf(chart, row.values),
      written: rowText(chart, row),
      under: row.under?.long ?? "",
      underShort: row.under?.short ?? "",
      look: row.look ?? "",
      said: saidOf(chart, row, one),
      state: row.state ?? "",
      ...Object.fromEntries(
        row.values.map((value, index) => [`v${index}`, row.words?.[index] ?? figureText(chart, value)]),
      ),
    })),
  );
}

const formatOf = ({ isShares, isMean }: BarChart): string => (isShares ? ".1~%" : isMean ? ",.1~f" : ",d");

function tooltip(chart: BarChart) {
  return [
    { field: "title", type: "nominal" as const, title: "title" },
    ...chart.series.map(({ label }, one) => ({ field: `v${one}`, type: "nominal" as const, title: label })),
    ...(chart.layout === "stacked"
      ? [{ field: "total", type: "quantitative" as const, title: "Total", format: formatOf(chart) }]
      : []),
    ...(hasUnder(chart) ? [{ field: "under", type: "nominal" as const, title: "Of" }] : []),
  ];
}

function config(palette: ChartPalette, labelLimit: number) {
  return {
    font: palette.font,
    background: "transparent",
    view: { stroke: null },
    axis: {
      labelColor: palette.inkSoft,
      labelFontSize: 12,
      labelLimit,
      titleColor: palette.inkSoft,
      titleFontSize: 12,
      titleFontWeight: "normal" as const,
      titlePadding: 10,
      gridColor: palette.line,
      domainColor: palette.line,
      ticks: false,
      labelPadding: 8,
    },
    legend: {
      labelColor: palette.ink,
      labelFontSize: 13,
      labelLimit: 260,
      symbolType: "square" as const,
      symbolSize: 130,
    },
    title: {
      color: palette.ink,
      fontSize: 20,
      fontWeight: 600 as const,
      anchor: "start" as const,
      frame: "bounds" as const,
      offset: 20,
      subtitleColor: palette.inkSoft,
      subtitleFontSize: 13,
      subtitleLineHeight: 19,
      subtitlePadding: 8,
    },
  };
}

/** A text in lines of at most so many characters: Vega cuts longer ones. */
const linesOf = (text: string, characters: number): string[] =>
  (text.match(new RegExp(`.{1,${characters}}(?:\\s|$)`, "g")) ?? [text]).map((line) => line.trim());
const titleOf = ({ title }: ChartHeading): string[] => linesOf(title, 68);
const notesOf = ({ notes }: ChartHeading): string[] => notes.flatMap((note) => linesOf(note, 115));

/** The height that a picture needs above and below the chart, for its margins, heading and legend. */
const pictureRoom = (heading: ChartHeading, hasLegend: boolean): number =>
  2 * pictureMargin + 28 + 24 * titleOf(heading).length + 19 * notesOf(heading).length + (hasLegend ? 88 : 0);

type SpecSize = { width: number; clickable?: boolean; heading?: ChartHeading };

/** The Vega-Lite specification of a chart. With a heading it is that of a picture, which must be complete in itself. */
export function chartSpec(chart: BarChart, palette: ChartPalette, size: SpecSize): TopLevelSpec {
  const { width, heading } = size;
  const panels = panelsOf(chart);
  // Vega-Lite fits only single charts into a size, so the room for labels is taken off here.
  const grid = panelGrid(panels.length, heading ? width - 2 * pictureMargin : width);
  const around = {
    padding: heading ? pictureMargin : { left: 0, right: 4, top: 8, bottom: 4 },
    ...(heading ? { title: { text: titleOf(heading), subtitle: notesOf(heading) }, background: palette.surface } : {}),
    // A picture has room for every name, and nothing that tells a name that is cut.
    config: config(palette, Math.max(150, width * 0.4)),
  };
  if (panels.length < 2) {
    const room = heading ? pictureRoom(heading, chart.layout !== "lines" && chart.series.length > 1) : 0;
    const height = heightOf(chart, width) + room;
    const layers = { ...around, ...layersOf(chart, palette, size), height };
    if (chart.layout !== "lines")
      return { ...layers, width, autosize: { type: "fit", contains: "padding" } } as TopLevelSpec;
    // Vega measures what reaches out before it shortens the axis, which moves the names at the ends of lines.
    const axis = lineRoom(chart, grid.width - axisRoom, isNarrow(width));
    return { ...layers, width: axis, autosize: { type: "fit-y", contains: "padding" } } as TopLevelSpec;
  }
  return {
    ...around,
    columns: grid.columns,
    spacing: panelGap,
    align: "none",
    concat: panels.map(({ name, first, chart: panel }) => {
      const { beside, below } = roomOf(panel, grid.width);
      return {
        title: { text: name, fontSize: 14, subtitle: [], offset: 2, anchor: "start", frame: "bounds" },
        width: Math.min(...panels.map((each) => lineRoom(each.chart, grid.width - beside, isNarrow(grid.width)))),
        height: panelHeight(panel, grid.width) - below,
        ...layersOf(panel, palette, { ...size, width: grid.width }, { first, most: mostOf(chart), isPanel: true }),
      };
    }),
    resolve: { scale: { fill: "shared", stroke: "shared" } },
  } as TopLevelSpec;
}

/** A property of the figure of a bar, and that of a bar below 0, if the axis begins below. */
const bySign = <Value extends string | number>(start: number, above: Value, below: Value) =>
  start < 0 ? { expr: `datum.total < 0 ? ${JSON.stringify(below)} : ${JSON.stringify(above)}` } : above;

/** The axis of the figures, and what is written on the bars. */
function axisOf(chart: BarChart, width: number, highest = mostOf(chart)) {
  const lying = isLying(chart, width);
  const single = chart.series.length === 1;
  const isWhole = chart.isShares === true && chart.layout === "stacked";
  const labelled = !isWhole && (single || chart.layout === "stacked");
  const most = Math.max(chart.isShares ? 0.01 : 1, highest);
  const group = ((width - axisRoom) / Math.max(1, chart.rows.length)) * (1 - padding(chart, false, width - axisRoom));
  const onBars = figuresOnBars(chart, lying, group);
  // Changes can be less than 0: those bars go the other way.
  const lowest = leastOf(chart);
  const beyond = labelled || onBars ? beyondBars(chart, most, onBars, lying, width) : 0;
  const reach = most + beyond;
  // No share of a whole is above 100 %, though a figure may be written there.
  const isAbove = chart.isShares === true && reach > 1 && most <= 1 && lowest === 0;
  const end = isAbove ? reach : roundEnd(reach);
  const start = lowest < 0 ? -roundEnd(beyond - lowest) : 0;
  return { lying, single, isWhole, labelled, most, onBars, isAbove, end, start };
}

/** The data and the layers of a chart, or of one panel, with the place of its first row and the chart's highest bar. */
function layersOf(
  chart: BarChart,
  palette: ChartPalette,
  { width, clickable = false, heading }: SpecSize,
  { first, most: highest, isPanel } = { first: 0, most: mostOf(chart), isPanel: false },
): { data: object; layer: object[] } {
  const { lying, single, isWhole, labelled, most, onBars, isAbove, end, start } = axisOf(chart, width, highest);
  const isLines = chart.layout === "lines";
  const room = lineRoom(chart, width - axisRoom, isNarrow(width));
  const gap = isLines ? 0 : padding(chart, lying, lying ? heightOf(chart, width) - lyingFoot(chart) : room);
  const widest = characterWidth * Math.max(0, ...chart.rows.map(({ label }) => label.length));
  const every = isLines ? Math.max(1, Math.ceil(((widest + 4) * chart.rows.length) / room)) : 1;
  const [along, across] = lying ? (["y", "x"] as const) : (["x", "y"] as const);
  const paints = chart.series.map(({ tone }) => paint(tone, palette));
  const domain = chart.series.map(({ label }) => label);
  const legend =
    !single && heading
      ? {
          ...{ title: null, direction: "horizontal" as const, columns: 3 },
          ...{ orient: "bottom" as const, offset: 44 },
        }
      : null;
  const strokes = paints.map(({ fill, stroke }) =>
    chart.layout === "stacked" && fill === stroke ? palette.surface : stroke,
  );

  const place = {
    field: "label",
    type: "nominal" as const,
    sort: null,
    scale: { domain: chart.rows.map(({ label }) => label), paddingInner: gap, paddingOuter: gap / 2 },
    axis: {
      ...{ title: chart.rowTitle ?? null, labelAngle: 0, grid: false },
      ...(every > 1 ? { values: chart.rows.flatMap(({ label }, at) => (isNamed(chart, at, every) ? label : [])) } : {}),
      ...(lying && hasUnder(chart) ? { labelOffset: -6 } : {}),
    },
  };
  const figure = (field: "value" | "total") => ({
    field,
    type: "quantitative" as const,
    title: linesOf(chart.valueTitle, Math.floor((lying ? width - 2 * axisRoom : plotHeight) / titleCharacter)),
    stack: field === "value" && chart.layout === "stacked" ? ("zero" as const) : null,
    scale: isWhole ? { domain: [0, 1] } : { domain: [start, end], nice: false },
    axis:
      lying && isWritten(chart)
        ? null
        : chart.isShares
          ? {
              ...(isAbove ? { values: [0, 0.2, 0.4, 0.6, 0.8, 1] } : { tickCount: 5 }),
              ...{ format: ".0%", domain: false, labelSeparation: 8 },
            }
          : {
              labelSeparation: 8,
              tickMinStep: 1,
              tickCount: Math.min(5, Math.ceil(most)),
              format: ",d",
              domain: false,
            },
  });
  const series = (range: string[]) => ({
    field: "series",
    type: "nominal" as const,
    sort: null,
    scale: { domain, range },
    legend,
  });

  const offset =
    chart.layout === "grouped" && !single
      ? { [`${along}Offset`]: { field: "series", type: "nominal", sort: null, scale: { domain, paddingInner: 0.14 } } }
      : {};

  const bars = {
    transform: [{ filter: "datum.value !== 0" }],
    mark: {
      type: "bar" as const,
      strokeWidth: 1,
      ...(chart.layout === "stacked" ? {} : { cornerRadiusEnd: 2 }),
      ...(clickable ? { cursor: "pointer" as const } : {}),
    },
    encoding: {
      [along]: place,
      [across]: figure("value"),
      ...offset,
      fill: series(paints.map(({ fill }) => fill)),
      stroke: series(strokes),
      order: { field: "one", type: "quantitative" },
      tooltip: tooltip(chart),
      description: { field: "said", type: "nominal" },
    },
  };
  const figures = {
    transform: [{ filter: "datum.one === 0 && datum.look !== 'nobody' && datum.look !== 'ahead'" }],
    mark: {
      type: "text" as const,
      aria: false,
      color: palette.ink,
      fontSize: 12,
      ...(lying
        ? { align: bySign(start, "left", "right"), dx: bySign(start, 6, -6) }
        : { baseline: bySign(start, "bottom", "top"), dy: bySign(start, -5, 5) }),
    },
    encoding: {
      [along]: place,
      [across]: { ...figure("total"), field: chart.layout === "stacked" ? "total" : "writtenAt" },
      text:
        chart.layout === "lying"
          ? { field: "written" }
          : { field: "total", type: "quantitative" as const, format: formatOf(chart) },
    },
  };

  const places = { place, offset, figure: figure("value"), lying };
  const perPixel =
    (end - start) / (lying ? room : isPanel ? panelRoom.height - roomOf(chart, width).below : plotHeight);
  const values = data(chart, first, every, perPixel * (lying ? 44 : onBars === "turned" ? 34 : 18));
  if (isLines) {
    const axes = { place, figure: figure("value"), perPixel, top: end, isNarrow: isNarrow(width), clickable };
    return {
      data: { values },
      layer: [
        ...bands(chart, palette, { place, lying, room }),
        ...lineLayers(chart, palette, values, { ...axes, tooltip: tooltip(chart) }),
        ...unders(chart, palette, { place, lying, room }),
      ],
    };
  }
  return {
    data: { values },
    layer: [
      ...bands(chart, palette, { place, lying, room }),
      bars,
      ...(labelled ? [figures] : []),
      ...(onBars ? [barFigures(palette, places, chart.isShares ? ".0%" : formatOf(chart), onBars)] : []),
      ...(isWhole ? [partFigures(chart, palette, places)] : []),
      ...lines(chart, palette, places),
      ...unders(chart, palette, { place, lying, room }),
    ],
  };
}
