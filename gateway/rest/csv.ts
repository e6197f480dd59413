import type { FastifyReply } from "fastify";

import { sendLines } from "./lines.ts";

/** CSV files of all nouns: UTF-8 with BOM, CRLF, a header row, streamed in constant memory. */

export type CsvCell = string | number | boolean | null;

/** A spreadsheet program would take a text that begins like this for a formula. */
const formulaLike = /^[=+\-@\t\r]/;
const needsQuotes = /[",\r\n]|^\s|\s$/;
const byteOrderMark = "\uFEFF";

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = formulaLike.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line of a CSV file. Texts that a spreadsheet program would run as a formula are neutralised; numbers stay numbers. */
export const csvRow = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(",")}\r\n`;

/** Answers rows as a CSV file to be saved under `fileName`: see sendLines. */
export function sendCsv(
  reply: FastifyReply,
  fileName: string,
  header: readonly string[],
  rows: AsyncIterable<readonly CsvCell[]>,
): Promise<FastifyReply> {
  return sendLines(reply, { fileName, type: "text/csv; charset=utf-8", head: byteOrderMark + csvRow(header) }, rows, csvRow);
}
