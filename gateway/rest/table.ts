import type { FastifyReply } from "fastify";
import { z } from "zod";

import { type CsvCell, csvRow } from "../../db/list/csv.ts";
import { prefers } from "./answer.ts";
import { named, sendLines } from "./lines.ts";
import { sheetEnd, sheetHead, sheetRow, workbookType } from "./workbook/sheet.rules.ts";
import { withinSheet, workbook } from "./workbook/workbook.ts";

export type { CsvCell } from "../../db/list/csv.ts";

/** Tables of all nouns as files: CSV (UTF-8 with BOM, CRLF, a header row) or an Excel workbook of the same cells. */

export const csvType = "text/csv; charset=utf-8";
/** The beginning of a CSV file: BOM and header row. */
export const csvHead = (header: readonly string[]): string => `\uFEFF${csvRow(header)}`;

const formats = ["csv", "xlsx"] as const;
export type TableFormat = (typeof formats)[number];
export const formatRule = z
  .enum(formats, "must be csv or xlsx")
  .default("csv")
  .describe("xlsx: an Excel workbook of the same columns, in which numbers and days are numbers and days");
/** The types of the answer, for the description of a call. */
export const tableTypes = ["text/csv", workbookType];
/** The format that an Accept header asks for; undefined if it asks for another answer. */
export const tableFormatOf = (accept: string | undefined): TableFormat | undefined => {
  if (prefers(accept, "text/csv")) return "csv";
  return prefers(accept, workbookType) ? "xlsx" : undefined;
};
/** The parameter of a list's file that the list itself does not have. */
export const fileShape = { format: formatRule };

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

/**
 * Sends rows as a file to be saved as `name` with the format's ending, in constant memory; see `sendLines`.
 *
 * @throws Problem INVALID if there are more rows than a sheet of Excel holds, before or while the file is sent
 */
export function sendTable(
  reply: FastifyReply,
  { name, format }: { name: string; format: TableFormat },
  header: readonly string[],
  rows: AsyncIterable<readonly CsvCell[]>,
): Promise<FastifyReply> {
  const fileName = `${name}.${format}`;
  if (format === "csv") return sendLines(reply, { fileName, type: csvType, head: csvHead(header) }, rows, csvRow);
  return sendLines(
    reply,
    { fileName, type: workbookType, head: sheetHead(header), tail: sheetEnd, pack: workbook },
    withinSheet(rows),
    sheetRow,
  );
}
