import {
  dayBefore,
  namedPeriodOf,
  type Period,
  periodBefore,
  periodEnd,
  type RelativePeriod,
} from "../../gateway/calendar/fiscal.rules.ts";
import { rangeBefore, rangeOf } from "../../gateway/calendar/rangeDays.rules.ts";
import { type Figure, figureOf, hasPeriods, queryOf, type Question } from "./question.ts";
import { at, keys, type Row } from "./questionKeys.ts";
import { formatNumber } from "../ui/text/counted.ts";

/** The answer of a question as a table in words: the same on the screen and in a file. */

type QuestionColumn = { id: string; header: string; isNumeric: boolean; cell: (row: Row) => string | undefined };

/** The address at which a question is answered. */
export const answerAddressOf = (question: Question) => `/graphql?query=${encodeURIComponent(queryOf(question, true))}`;

/** A group in words: the values of its keys. */
export const groupWords = ({ by, and }: Question, row: Row): string[] =>
  (and ? [by, and] : [by]).map((key) => keys[key].wordsOf(row) ?? "Not recorded");

const rounded = (value: number) => formatNumber(Math.round(100 * value) / 100);
const tenths = (value: number) => formatNumber(Math.round(10 * value) / 10);
/** A value in words: "69 %", "1,204", "2.35", "-12.5 points". */
function valueWords(unit: Figure["unit"], value: number | null): string {
  if (value === null) return "–";
  if (unit === "share") return `${tenths(100 * value)} %`;
  if (unit === "points") return `${tenths(100 * value)} points`;
  if (unit === "percent") return `${tenths(value)} %`;
  return rounded(value);
}

/** A figure in words: "69 %", "41 of 59". Of a change also what it is now, and was before. */
export function figureWords(question: Question, row: Row) {
  const { valueOf, of, unit, state: stateUnit, isChange } = figureOf(question);
  const value = valueOf(row);
  const part = of?.(row);
  const state = (name: string) =>
    valueWords(stateUnit, (at(row, "measure", name) as number | null | undefined) ?? null);
  return {
    value: isChange && value !== null && value > 0 ? `+${valueWords(unit, value)}` : valueWords(unit, value),
    of:
      part && (value !== null || isChange)
        ? `${formatNumber(part.count)} ${stateUnit === "share" ? "of" : "÷"} ${formatNumber(part.of)}`
        : undefined,
    ...(isChange ? { now: state("now"), before: state("before") } : {}),
  };
}

export function columnsOf(question: Question): QuestionColumn[] {
  const { label, isChange, of } = figureOf(question);
  const figure = (id: "value" | "now" | "before" | "of", header: string): QuestionColumn => ({
    ...{ id, header, isNumeric: true },
    cell: (row) => figureWords(question, row)[id],
  });
  const rank: QuestionColumn = {
    ...{ id: "rank", header: "Rank", isNumeric: true },
    cell: (row) => (row["rank"] as number | null | undefined)?.toString(),
  };
  return [
    ...(question.order === "name" ? [] : [rank]),
    ...(question.and ? [question.by, question.and] : [question.by]).map((key, index) => ({
      ...{ id: key, header: keys[key].label, isNumeric: false },
      cell: (row: Row) => groupWords(question, row)[index],
    })),
    figure("value", label),
    ...(isChange ? [figure("now", "Now"), figure("before", "Before")] : []),
    ...(of ? [figure("of", "Of")] : []),
  ];
}

/** A figure in a file: a number where its words have no unit, without the plus of a change, and nothing for a dash. */
function figureInFile(words: string): string | number {
  if (words === "–") return "";
  return /^[+-]?[\d,]+(\.\d+)?$/.test(words) ? Number(words.replaceAll(",", "")) : words.replace(/^\+/, "");
}

/** The table for a file: its header, and its rows. */
export function fileRowsOf(question: Question, rows: readonly Row[]): (string | number)[][] {
  const columns = columnsOf(question);
  const cells = (row: Row) =>
    columns.map(({ isNumeric, cell }) => (isNumeric ? figureInFile(cell(row) ?? "") : (cell(row) ?? "")));
  return [columns.map(({ header }) => header), ...rows.map(cells)];
}

/**
 * The days of a question's period, if today is this day; undefined of a state of today. `before`: those with which a
 * change compares them, if each group has the same.
 */
export function daysOf(question: Question, today: string) {
  const { subject, range } = question;
  const isAgainst = figureOf(question).isChange && !hasPeriods(question);
  if (subject !== "sites") {
    const days = rangeOf(range, today);
    return { ...days, before: isAgainst ? rangeBefore(days) : undefined };
  }
  if (range === "") return undefined;
  const daysIn = (period: Period) => ({ start: period.start, end: dayBefore(periodEnd(period)) });
  const period = namedPeriodOf({ relative: range as RelativePeriod }, today);
  return { ...daysIn(period), before: isAgainst ? daysIn(periodBefore(period)) : undefined };
}
