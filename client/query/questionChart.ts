import type { BarChart } from "../ui/chart/barChart.ts";
import { lineSeries, mostLines } from "../ui/chart/lineSeries.ts";
import { type Figure, figureOf, persOf, type Question } from "./question.ts";
import { calendarKeys, keys, type Row } from "./questionKeys.ts";
import { figureWords, groupWords } from "./questionTable.ts";

/** The answer of a question as a chart: lines where it is of periods and a second key, otherwise a bar for each group. */

/** `groupOf`: the group that a bar stands for. `note`: what the chart leaves out. */
type QuestionChart = { chart: BarChart; groupOf: (row: number) => Row | undefined; note?: string };

/** More bars are not drawn: the table has all. */
const mostBars = 30;

const drawnValue = ({ valueOf, unit }: Figure, row: Row | undefined): number => {
  const value = row && valueOf(row);
  return value == null ? Number.NaN : unit === "points" ? 100 * value : value;
};
const units = { points: " (points)", percent: " (%)", share: "", ratio: "", count: "" };
const common = (figure: Figure) => ({
  valueTitle: `${figure.label}${units[figure.unit]}`,
  ...(figure.unit === "share" ? { isShares: true } : figure.unit === "count" ? {} : { isMean: true }),
});
/** A month with a short year, so that twelve stand beside each other; a district without its province. */
const shortened = (name: string) => name.replace(/,[^·]*/, "").replace(/^([A-Z][a-z]{2}) 20(\d\d)$/, "$1 ’$2");

const perYear: Partial<Record<string, number>> = { month: 12, quarter: 4, year: 1 };
type Period = { year: number; quarter: number; calMonth?: number };
/** The place of a group's period among all, by months or quarters of fiscal years, or by years; and back. */
const placeOf = ({ year, quarter, calMonth = 10 }: Period, of: number) =>
  year * of + (of === 12 ? (calMonth + 2) % 12 : of === 4 ? quarter - 1 : 0);
function periodAt(place: number, of: number): Period {
  const within = place % of;
  return {
    ...{ year: Math.floor(place / of), quarter: of === 4 ? within + 1 : Math.floor(within / 3) + 1 },
    ...(of === 12 ? { calMonth: ((within + 9) % 12) + 1 } : {}),
  };
}

/** A line for each value of the other key over the periods, of at most so many with the highest figures. */
function lineChart(question: Question, rows: readonly Row[]): QuestionChart | undefined {
  const { by, and, first, way, per } = question;
  const [time, other] = and && calendarKeys.includes(and) ? [and, by] : [by, and];
  const of = perYear[time];
  // Of the first groups only, a line would have gaps.
  if (other === undefined || of === undefined || first !== undefined) return undefined;
  const figure = figureOf(question);
  const wordsOf = (row: Row) => keys[other].wordsOf(row) ?? "Not recorded";
  const groups = new Map(rows.map((row) => [`${placeOf(row as Period, of)} ${wordsOf(row)}`, row]));
  const places = rows.map((row) => placeOf(row as Period, of));
  const start = Math.min(...places);
  const periods = Array.from({ length: Math.max(...places) - start + 1 }, (_, at) => start + at);
  if (periods.length < 2) return undefined;
  // What is only counted is 0 where the answer leaves out an empty group.
  const none = way === undefined && per === undefined && Object.keys(persOf(question)).length > 0 ? 0 : Number.NaN;
  const valueOf = (place: number, name: string) => {
    const row = groups.get(`${place} ${name}`);
    return row ? drawnValue(figure, row) : none;
  };
  const most = (name: string) =>
    Math.max(...periods.map((place) => valueOf(place, name)).filter((one) => !Number.isNaN(one)));
  const known = [...new Set(rows.map(wordsOf))].filter((name) => Number.isFinite(most(name)));
  const ranked = known.toSorted((one, two) => most(two) - most(one)).slice(0, mostLines);
  if (ranked.length === 0) return undefined;
  const names = known.filter((name) => ranked.includes(name));
  return {
    chart: {
      ...{ layout: "lines", ...common(figure), series: lineSeries(names.map(shortened)) },
      rows: periods.map((place) => {
        const title = keys[time].wordsOf(periodAt(place, of))!;
        const words = names.map((name) => {
          const row = groups.get(`${place} ${name}`);
          return row ? figureWords(question, row).value : none === 0 ? "0" : "–";
        });
        return { label: shortened(title), title, words, values: names.map((name) => valueOf(place, name)) };
      }),
    },
    groupOf: () => undefined,
    ...(known.length > names.length
      ? { note: `The chart shows the ${names.length} of ${known.length} with the highest figures.` }
      : {}),
  };
}

/** The groups as a bar each; undefined where there is no figure to draw. */
function barChart(question: Question, rows: readonly Row[]): QuestionChart | undefined {
  const figure = figureOf(question);
  const known = rows.filter((row) => figure.valueOf(row) !== null);
  const drawn = known.slice(0, mostBars);
  if (drawn.length === 0) return undefined;
  return {
    chart: {
      layout: calendarKeys.includes(question.by) && !question.and ? "grouped" : "lying",
      ...common(figure),
      series: [{ label: figure.label, tone: "accent" }],
      rows: drawn.map((row) => {
        const { value, of } = figureWords(question, row);
        const title = groupWords(question, row).join(" · ");
        return {
          ...{ label: shortened(title), title, words: [value], values: [drawnValue(figure, row)] },
          ...(of ? { under: { long: of, short: of } } : {}),
        };
      }),
    },
    groupOf: (row) => drawn[row],
    ...(known.length > drawn.length ? { note: `The chart shows the first ${mostBars}.` } : {}),
  };
}

/** The chart of an answer; of bars only those of the first groups (`shown`), where there is little room. */
export const chartOf = (question: Question, rows: readonly Row[], shown: readonly Row[]): QuestionChart | undefined =>
  lineChart(question, rows) ?? barChart(question, shown);
