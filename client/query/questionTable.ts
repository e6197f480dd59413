import { figureOf, figureWords, groupWords, queryOf, type Question } from "./question.ts";
import { keys } from "./questionKeys.ts";

/** The answer of a question as a table in words: the same on the screen and in a file. */

type Row = Record<string, unknown>;
type QuestionColumn = { id: string; header: string; isNumeric: boolean; cell: (row: Row) => string | undefined };

/** The address at which a question is answered. */
export const answerAddressOf = (question: Question) => `/graphql?query=${encodeURIComponent(queryOf(question, true))}`;

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
