import type { BarChart, ChartTone } from "../ui/chart/barChart.ts";
import { mapFiguresOf, positionsOf } from "./answerMap.ts";
import type { AnswerTable, Cell } from "./answerTable.ts";

/** A table as a chart: the rows are along the axis, and some columns of figures are its series. */

export const chartKinds = ["bar", "line", "share", "map"] as const;
export type ChartKind = (typeof chartKinds)[number];
/** A chart of a table: `by` are the columns that name the rows, `of` the columns of figures. */
export type ChartChoice = { kind: ChartKind; by: string[]; of: string[] };

/** With more rows or series a chart is not readable. */
export const mostChartRows = 60;
export const mostChartSeries = 6;

const tones: ChartTone[] = ["deep", "accent", "light", "neutral", "hollow", "bad"];
const period = /(^|\.)(year|quarter|month|calMonth|weekday)$/;

const places = ({ columns }: AnswerTable, names: readonly string[]) => names.map((name) => columns.findIndex((column) => column.name === name)).filter((at) => at >= 0);
const labelOf = (row: readonly Cell[], at: readonly number[]) => at.map((place) => row[place] ?? "none").join(" · ");
const isUnique = ({ rows }: AnswerTable, at: readonly number[]) => new Set(rows.map((row) => labelOf(row, at))).size === rows.length;

/** The columns of figures. */
export const figuresOf = ({ columns }: AnswerTable): string[] => columns.filter(({ isNumeric }) => isNumeric).map(({ name }) => name);

/** The default chart of a table; undefined if it has no rows or no figures. */
export function suggestedChart(table: AnswerTable): ChartChoice | undefined {
  const figures = figuresOf(table);
  const texts = table.columns.filter(({ isNumeric }) => !isNumeric).map(({ name }) => name);
  const periods = figures.filter((name) => period.test(name));
  const of = figures.filter((name) => !period.test(name)).slice(0, mostChartSeries);
  if (of.length === 0 || table.rows.length === 0) return undefined;
  // A table with positions is a list of places.
  if (positionsOf(table)) return { kind: "map", by: [texts[0] ?? table.columns[0]!.name], of: mapFiguresOf(table).slice(0, 1) };
  const [first] = texts.length > 0 ? texts : periods.length > 0 ? periods : [table.columns[0]!.name];
  const by = [first!];
  for (const name of [...texts, ...periods]) {
    if (isUnique(table, places(table, by))) break;
    if (!by.includes(name)) by.push(name);
  }
  const isOverTime = texts.length === 0 && periods.length > 0;
  return { kind: isOverTime ? "line" : "bar", by: isOverTime ? periods : by, of: of.filter((name) => !by.includes(name)) };
}

/** The chosen chart, as far as the table has its columns. Otherwise the default is used. */
export function fittingChart(table: AnswerTable, choice: Partial<ChartChoice>): ChartChoice | undefined {
  const suggested = suggestedChart(table);
  if (!suggested) return undefined;
  const known = (names: readonly string[] = [], all = table.columns.map(({ name }) => name)) => names.filter((name) => all.includes(name));
  const [by, of] = [known(choice.by), known(choice.of, figuresOf(table)).slice(0, mostChartSeries)];
  const kind = choice.kind ?? suggested.kind;
  // A map of points needs no figure.
  const others = suggested.of.length > 0 || kind === "map" ? suggested.of : figuresOf(table).slice(0, mostChartSeries);
  return { kind, by: by.length > 0 ? by : suggested.by, of: of.length > 0 ? of : others };
}

/** The chart in the form that client/ui/chart draws. Only the first `mostChartRows` rows are drawn, so sort before. */
export function chartOf(table: AnswerTable, { kind, by, of }: ChartChoice): BarChart {
  const [names, figures] = [places(table, by), places(table, of)];
  const values = (row: readonly Cell[]) => figures.map((at) => (typeof row[at] === "number" ? row[at] : kind === "line" ? Number.NaN : 0));
  const isShare = kind === "share" && figures.length > 1;
  const whole = kind === "share" && !isShare ? table.rows.reduce((sum, row) => sum + values(row)[0]!, 0) : 0;
  const used = new Map<string, number>();
  const rows = table.rows.slice(0, mostChartRows).map((row) => {
    const numbers = values(row);
    const of = isShare ? numbers.reduce((sum, value) => sum + value, 0) : whole;
    const text = labelOf(row, names);
    // The axis needs distinct labels.
    const times = (used.get(text) ?? 0) + 1;
    used.set(text, times);
    const label = times > 1 ? `${text} (${times})` : text;
    return { label, title: label, values: kind === "share" ? numbers.map((value) => (of === 0 ? 0 : value / of)) : numbers };
  });
  const all = rows.flatMap((row) => row.values);
  const isShares = kind === "share" || (of.every((name) => /(^|\.)share$/.test(name)) && all.every((value) => value <= 1));
  return {
    layout: kind === "line" ? "line" : isShare ? "stacked" : "grouped",
    valueTitle: of.length === 1 ? of[0]! : kind === "share" ? "Share" : "",
    series: of.map((label, index) => ({ label, tone: tones[index % tones.length]! })),
    rows,
    isShares,
    isMean: !isShares && all.some((value) => !Number.isNaN(value) && !Number.isInteger(value)),
  };
}
