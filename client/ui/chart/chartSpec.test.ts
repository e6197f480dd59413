import { describe, expect, test } from "vitest";
import { type BarChart, withoutSeries } from "./barChart.ts";
import { figuresOnBars } from "./chartLayers.ts";
import { chartHeight, chartSpec, isLying } from "./chartSpec.ts";
import type { ChartPalette } from "./palette.ts";

const palette: ChartPalette = {
  deep: "#1",
  accent: "#2",
  neutral: "#4",
  onNeutral: "#5",
  mode1: "#11",
  mode2: "#12",
  mode3: "#13",
  mode4: "#14",
  mode5: "#15",
  mode6: "#16",
  ink: "#5",
  inkSoft: "#6",
  line: "#7",
  lineStrong: "#9",
  surface: "#8",
  font: "system-ui",
};
const chart = (layout: BarChart["layout"], series: number, rows: number): BarChart => ({
  layout,
  valueTitle: "Facilities",
  series: Array.from({ length: series }, (_, index) => ({ label: `Series ${index}`, tone: "accent" })),
  rows: Array.from({ length: rows }, (_, index) => ({
    label: `Row ${index}`,
    title: `Row ${index}`,
    values: Array(series).fill(index),
  })),
});

const labelled = (one: BarChart, label: string): BarChart => ({
  ...one,
  rows: one.rows.map((row) => ({ ...row, label })),
});

test.each([
  ["five series by quarter on a phone", chart("grouped", 5, 4), 310, false],
  ["five series by month on a phone", chart("grouped", 5, 12), 310, true],
  ["five series by month on a wide screen", chart("grouped", 5, 12), 660, false],
  ["stacks by month on a phone", chart("stacked", 3, 12), 310, true],
  [
    "eight quarters whose names do not fit beside each other",
    labelled(chart("grouped", 5, 8), "QTR 1 2026"),
    560,
    true,
  ],
  ["eight quarters whose names fit", labelled(chart("grouped", 5, 8), "QTR 1 2026"), 660, false],
  ["named values, at any width", chart("lying", 1, 2), 900, true],
])("whether bars are horizontal, because vertical ones would be too thin: %s", (_, one, width, lying) => {
  expect(isLying(one, width)).toBe(lying);
});

test("a chart of horizontal bars has height for each bar; charts of vertical bars have the same height", () => {
  expect(chartHeight(chart("lying", 1, 30), 600)).toBeGreaterThan(30 * 30);
  expect(chartHeight(chart("grouped", 5, 4), 600)).toBe(chartHeight(chart("stacked", 3, 12), 600));
});

const shares = { ...chart("grouped", 3, 4), isShares: true };

test.each([
  ["one bar a row, whose total is written", chart("grouped", 1, 4), false, 40, undefined],
  ["horizontal bars", chart("grouped", 3, 4), true, 40, "after"],
  ["numbers with room", chart("grouped", 3, 4), false, 40, "level"],
  ["shares in thin bars", shares, false, 32, "turned"],
  ["shares in bars without room for a figure", shares, false, 30, undefined],
  ["shares with room", shares, false, 90, "level"],
  ["shares that have room without their sign", shares, false, 60, "bare"],
])("how the figures of bars side by side are written: %s", (_, one, lying, group, expected) => {
  expect(figuresOnBars(one, lying, group)).toBe(expected);
});

describe("the specification", () => {
  test("has a datum for every bar, with the total of its row", () => {
    const spec = chartSpec(chart("stacked", 3, 2), palette, { width: 600 });
    const { values } = spec.data as { values: { row: number; one: number; value: number; total: number }[] };
    expect(values.map(({ row, one, value, total }) => [row, one, value, total])).toEqual([
      [0, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 2, 0, 0],
      [1, 0, 1, 3],
      [1, 1, 1, 3],
      [1, 2, 1, 3],
    ]);
  });
  test("has the heading and an opaque background for a picture", () => {
    const spec = chartSpec(chart("grouped", 5, 4), palette, {
      width: 960,
      heading: { name: "Name", title: "Title", notes: ["FY 2026"] },
    });
    expect(spec).toMatchObject({ title: { text: ["Title"], subtitle: ["FY 2026"] }, background: "#8" });
  });
});

test("the names at the ends of lines do not lie on each other, and none lies below the axis", () => {
  const one = chart("lines", 8, 12);
  const rows = one.rows.map((row) => ({ ...row, values: [0, 0, 1, 1, 40, 41, 100, Number.NaN] }));
  const { layer } = JSON.parse(JSON.stringify(chartSpec({ ...one, rows }, palette, { width: 600 }))) as {
    layer: { data?: { values: { name: string; at: number }[] } }[];
  };
  const ends = layer.at(-1)!.data!.values;
  expect(ends.map(({ name }) => name)).toEqual([0, 0, 1, 1, 40, 41, 100].map((value, at) => `Series ${at} ${value}`));
  const heights = ends.map(({ at }) => at).toSorted((a, b) => a - b);
  const gaps = heights.map((at, index) => at - (heights[index - 1] ?? 0));
  // A line of text is 13 pixels high, and the axis of about 240 ends at 100.
  expect(Math.min(...gaps.slice(1))).toBeGreaterThan(5.4);
  expect(heights[0]).toBeGreaterThan(2.7);
});

test("many names at the ends of lines have two lines each on a narrow chart, so that the axis has room", () => {
  const one = chart("lines", 8, 12);
  const series = one.series.map((each, at) => ({
    ...each,
    label: at === 0 ? "No implementing partner" : `Part ${at}`,
  }));
  const narrow = chartSpec({ ...one, series }, palette, { width: 320 }) as { width: number };
  const text = JSON.stringify(narrow);
  expect(text).toMatch(/"name":"No implementing\\npartner \d+"/);
  expect(text).toMatch(/"name":"Part 1 \d+"/);
  expect(narrow.width).toBeGreaterThan(100);
});

test("a figure is written beyond the line of a target that would lie on it", () => {
  const one = { ...chart("grouped", 2, 3), targets: [{ series: 1, values: [undefined, 1.05, 9] }] };
  const { values } = chartSpec(one, palette, { width: 600 }).data as { values: { writtenAt: number; one: number }[] };
  expect(values.filter((each) => each.one === 1).map(({ writtenAt }) => writtenAt)).toEqual([0, 1.05, 2]);
});

test("bars of changes below 0 go the other way, and the axis has room for their figures", () => {
  const one = chart("lying", 1, 3);
  const changes = { ...one, rows: one.rows.map((row, at) => ({ ...row, values: [[-8, 0, 4][at]!] })) };
  const text = JSON.stringify(chartSpec(changes, palette, { width: 600 }));
  const [, start, end] = /"domain":\[(-?\d+),(\d+)\],"nice"/.exec(text)!;
  expect([Number(start) < -8, Number(end) > 4]).toEqual([true, true]);
  expect(text).toContain('datum.total < 0 ? \\"right\\" : \\"left\\"');
});

test("without a series a chart has the figures, words and targets of the others", () => {
  const row = { label: "QTR 1", title: "QTR 1", values: [1, 2, 3], words: ["one", "two", "three"] };
  const targets = [0, 1, 2].map((series) => ({ series, values: [10 * series] }));
  const {
    series,
    rows,
    targets: aims,
  } = withoutSeries({ ...chart("grouped", 3, 1), rows: [row], targets }, ["Series 1"]);
  expect(series.map(({ label }) => label)).toEqual(["Series 0", "Series 2"]);
  expect(rows).toEqual([{ ...row, values: [1, 3], words: ["one", "three"] }]);
  expect(aims).toEqual([
    { series: 0, values: [0] },
    { series: 1, values: [20] },
  ]);
});
