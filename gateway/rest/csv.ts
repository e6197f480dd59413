import type { FastifyReply } from "fastify";

import { type CsvCell, csvRow } from "../../db/list/csv.ts";
import { named, sendLines } from "./lines.ts";

export type { CsvCell } from "../../db/list/csv.ts";

/** CSV files of all nouns: UTF-8 with BOM, CRLF, a header row, streamed in constant memory. */

export const csvType = "text/csv; charset=utf-8";
/** The beginning of a CSV file: BOM and header row. */
export const csvHead = (header: readonly string[]): string => `\uFEFF${csvRow(header)}`;

/** Sends a few rows as a CSV file in one piece, so that it can have an ETag. @throws errors of reading the rows */
export async function csvText(
  reply: FastifyReply,
  fileName: string,
  header: readonly string[],
  rows: AsyncIterable<readonly CsvCell[]>,
): Promise<FastifyReply> {
  let text = csvHead(header);
  for await (const row of rows) text += csvRow(row);
  return named(reply, fileName, csvType).send(text);
}

/** Sends rows as a CSV file to be saved under `fileName`; see `sendLines`. */
export function sendCsv(
  reply: FastifyReply,
  fileName: string,
  header: readonly string[],
  rows: AsyncIterable<readonly CsvCell[]>,
): Promise<FastifyReply> {
  return sendLines(reply, { fileName, type: csvType, head: csvHead(header) }, rows, csvRow);
}
