import type { FastifyReply } from "fastify";

import { named, sendLines } from "./lines.ts";

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

/** Whether an Accept header asks for CSV by name, and for nothing else as much. */
export function prefersCsv(accept: string | undefined): boolean {
  const asked = (accept ?? "").split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    const q = Number(parameters.find((each) => each.startsWith("q="))?.slice(2) ?? 1);
    return { type, q: Number.isFinite(q) ? q : 0 };
  });
  const csv = asked.find(({ type }) => type === "text/csv")?.q ?? 0;
  return csv > 0 && asked.every(({ type, q }) => type === "text/csv" || type === "*/*" || q < csv);
}

/** One line of a CSV file. Texts that a spreadsheet program would run as a formula are neutralised; numbers stay numbers. */
export const csvRow = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(",")}\r\n`;

const type = "text/csv; charset=utf-8";

/** Answers a few rows as a CSV file in one piece, so that it can have an ETag. @throws what reading the rows throws */
export async function csvText(
  reply: FastifyReply,
  fileName: string,
  header: readonly string[],
  rows: AsyncIterable<readonly CsvCell[]>,
): Promise<FastifyReply> {
  let text = byteOrderMark + csvRow(header);
  for await (const row of rows) text += csvRow(row);
  return named(reply, fileName, type).send(text);
}

/** Answers rows as a CSV file to be saved under `fileName`: see sendLines. */
export function sendCsv(
  reply: FastifyReply,
  fileName: string,
  header: readonly string[],
  rows: AsyncIterable<readonly CsvCell[]>,
): Promise<FastifyReply> {
  return sendLines(reply, { fileName, type, head: byteOrderMark + csvRow(header) }, rows, csvRow);
}
