import { type BarChart, figureText } from "./barChart.ts";
import { lineTones } from "./lineSeries.ts";
import { type ChartPalette, paint } from "./palette.ts";

/** The layers of a chart of lines: a line for each series, named at its end. */

const shapes = ["circle", "square", "triangle-up", "diamond"];

const lineHeight = 13;
const letterWidth = 6.4;
const gap = 10;
/** Where a name begins, after the mark of its line. */
const nameAt = gap + 14;

type Datum = Record<string, unknown>;
/** The end of a line: its row, what is written there, and how far up, in the units of the axis. */
type End = { label: string; series: string; value: number; at: number; name: string; lines: number };

const isDrawn = ({ values, look }: BarChart["rows"][number], one: number): boolean =>
  look !== "nobody" && look !== "ahead" && Number.isFinite(values[one]);

/** A longer text on two lines, broken where the longer one is shortest. */
function onTwoLines(text: string): string {
  if (text.length <= 12) return text;
  const words = text.split(" ");
  const ways = words.map((_, at) => [words.slice(0, at).join(" "), words.slice(at).join(" ")].filter(Boolean));
  const longest = (lines: string[]) => Math.max(...lines.map(({ length }) => length));
  return ways.reduce((best, way) => (longest(way) < longest(best) ? way : best)).join("\n");
}

/**
 * The name of a series and its last figure. On a narrow chart each word of the name has its own line; of more than four
 * names none has more than two.
 */
function nameOf(chart: BarChart, row: BarChart["rows"][number], one: number, isNarrow: boolean): string {
  const { label } = chart.series[one]!;
  const value = row.values[one]!;
  const figure = chart.isShares ? `${Math.round(100 * value)}%` : figureText(chart, value);
  const words = row.under ? figure : (row.words?.[one] ?? figure);
  if (chart.series.length > 4) return isNarrow ? onTwoLines(`${label} ${figure}`) : `${label} ${figure}`;
  return [isNarrow ? label.replaceAll(" ", "\n") : label, isNarrow ? words.replace(" (", "\n(") : words].join("\n");
}

/**
 * The ends of the lines. Names that would lie on each other are stacked around their middle, between the ends of the
 * axis. `perPixel`: the value of a pixel; `top`: the end of the axis.
 */
function endsOf(chart: BarChart, isNarrow: boolean, perPixel = 0, top = 0): End[] {
  const ends = chart.series.flatMap(({ label: series }, one) => {
    const row = chart.rows.findLast((each) => isDrawn(each, one));
    if (!row) return [];
    const [value, name] = [row.values[one]!, nameOf(chart, row, one, isNarrow)];
    return [{ label: row.label, series, value, at: value, name, lines: name.split("\n").length }];
  });
  const heightOf = ({ lines }: End) => lines * lineHeight * perPixel;
  /** Where a stack around this middle begins. */
  const bottomOf = (middle: number, height: number) => Math.max(0, Math.min(middle - height / 2, top - height));
  const stacks: { ends: End[]; height: number; bottom: number }[] = [];
  for (const end of ends.toSorted((one, other) => one.value - other.value)) {
    let stack = { ends: [end], height: heightOf(end), bottom: bottomOf(end.value, heightOf(end)) };
    for (let below = stacks.at(-1); below && below.bottom + below.height > stack.bottom; below = stacks.at(-1)) {
      stacks.pop();
      const all = [...below.ends, ...stack.ends];
      const height = below.height + stack.height;
      const middle = all.reduce((sum, { value }) => sum + value, 0) / all.length;
      stack = { ends: all, height, bottom: bottomOf(middle, height) };
    }
    stacks.push(stack);
  }
  for (const { ends: stacked, bottom } of stacks) {
    let from = bottom;
    for (const end of stacked) {
      end.at = from + heightOf(end) / 2;
      from += heightOf(end);
    }
  }
  return ends;
}

/** How long the axis of periods can be, so that the names at the ends of the lines have room in this width. */
export function lineRoom(chart: BarChart, width: number, isNarrow: boolean): number {
  if (chart.layout !== "lines") return width;
  const places = chart.rows.length;
  const rooms = endsOf(chart, isNarrow).map(({ label, name }) => {
    const last = chart.rows.findIndex((row) => row.label === label);
    const needed = nameAt + letterWidth * Math.max(...name.split("\n").map(({ length }) => length));
    return ((width - needed) * places) / (last + 0.5);
  });
  return Math.min(width, ...rooms);
}

/** The targets as dashed lines, each named above its beginning. */
function targetLayers({ rows, series, targets = [], isShares }: BarChart, palette: ChartPalette, encoding: object) {
  // Sides of a comparison with the same target have one line.
  const lines = new Map(targets.map((target) => [JSON.stringify(target.values), target]));
  const values = [...lines.values()].flatMap(({ series: one, values: aims }) =>
    aims.flatMap((value, at) => (value === undefined ? [] : [{ label: rows[at]!.label, value, one }])),
  );
  if (values.length === 0) return [];
  const names = values
    .filter(({ one }, at) => values[at - 1]?.one !== one)
    .map((first) => ({
      ...first,
      name: `Target${isShares ? ` ${Math.round(100 * first.value)}%` : ""}${lines.size > 1 ? `, ${series[first.one]!.label}` : ""}`,
    }));
  const text = { type: "text", aria: false, align: "left", baseline: "bottom", dx: -8, dy: -3, fontSize: 11 };
  return [
    {
      data: { values },
      mark: { type: "line", aria: false, tooltip: null, stroke: palette.ink, strokeWidth: 1.5, strokeDash: [5, 4] },
      encoding: { ...encoding, detail: { field: "one", type: "nominal" } },
    },
    ...[{ stroke: palette.surface, strokeWidth: 3 }, { color: palette.ink }].map((look) => ({
      data: { values: names },
      mark: { ...text, ...look },
      encoding: { ...encoding, text: { field: "name" } },
    })),
  ];
}

type Axes = {
  place: object;
  figure: object;
  perPixel: number;
  top: number;
  isNarrow: boolean;
  clickable: boolean;
  tooltip: object;
};

/**
 * A line for each series, with a point for each figure. Nothing connects what lies on both sides of a period in which
 * nobody was counted; the way to a period that is still running is dotted.
 */
export function lineLayers(chart: BarChart, palette: ChartPalette, data: Datum[], axes: Axes): object[] {
  const { place, figure, perPixel, top, isNarrow, clickable, tooltip } = axes;
  const domain = chart.series.map(({ label }) => label);
  const range = chart.series.map(({ tone }) => paint(tone, palette).fill);
  const colour = { field: "series", type: "nominal", sort: null, scale: { domain, range }, legend: null };
  const shape = { ...colour, scale: { domain, range: chart.series.map((_, at) => shapes[at % shapes.length]) } };
  const encoding = { x: place, y: figure };
  const running = chart.rows.findIndex(({ look }) => look === "running");
  const rows = data.map((datum, at) => {
    const [row, one] = [Math.floor(at / chart.series.length), at % chart.series.length];
    return { ...datum, at: row, value: isDrawn(chart.rows[row]!, one) ? datum["value"] : null };
  });
  const path = (some: object[], dash: object) => ({
    data: { values: some },
    mark: { type: "line", aria: false, tooltip: null, strokeWidth: 2, strokeJoin: "round", ...dash },
    encoding: { ...encoding, stroke: colour, detail: colour },
  });
  const isOpen = ({ at }: { at: number }) => running >= 0 && (at === running || at === running - 1);
  const paths = [0, lineTones.length].flatMap((first) => {
    const own = rows.filter(
      (_, at) => Math.floor((at % chart.series.length) / lineTones.length) * lineTones.length === first,
    );
    if (own.length === 0) return [];
    return [
      path(
        own.filter(({ at }) => at !== running),
        first > 0 ? { strokeDash: [7, 3] } : {},
      ),
      ...(running > 0 ? [path(own.filter(isOpen), { strokeDash: [1, 4], strokeCap: "round" })] : []),
    ];
  });
  const known = rows.filter(({ value }) => value !== null);
  const ends = { values: endsOf(chart, isNarrow, perPixel, top) };
  // Vega puts the first line of a text there, not its middle.
  const firstLine = { expr: `${-lineHeight / 2} * (datum.lines - 1)` };
  return [
    ...targetLayers(chart, palette, encoding),
    ...paths,
    {
      data: { values: known.map((datum) => ({ ...datum, isBand: true })) },
      mark: { type: "point", aria: false, tooltip: null, size: 36, opacity: 1 },
      encoding: {
        ...{ ...encoding, shape, stroke: colour },
        fill: { ...colour, condition: { test: "datum.look === 'running'", value: palette.surface } },
      },
    },
    {
      data: { values: known },
      // Wide enough for a pointer.
      mark: { type: "point", filled: true, size: 420, opacity: 0, ...(clickable ? { cursor: "pointer" } : {}) },
      encoding: { ...encoding, tooltip, detail: colour, description: { field: "said", type: "nominal" } },
    },
    {
      data: ends,
      mark: { type: "rule", aria: false, tooltip: null, xOffset: 4, x2Offset: gap - 2 },
      encoding: { ...encoding, x2: { field: "label" }, y2: { field: "at" }, stroke: colour },
    },
    {
      data: ends,
      mark: { type: "point", aria: false, tooltip: null, xOffset: gap + 4, yOffset: firstLine, size: 36, opacity: 1 },
      encoding: { x: place, y: { ...figure, field: "at" }, shape, stroke: colour, fill: colour },
    },
    {
      data: ends,
      mark: {
        ...{ type: "text", aria: false, align: "left", baseline: "middle", dx: nameAt, dy: firstLine, fontSize: 11 },
        ...{ lineBreak: "\n", lineHeight, color: palette.ink },
      },
      encoding: { x: place, y: { ...figure, field: "at" }, text: { field: "name" } },
    },
  ];
}
