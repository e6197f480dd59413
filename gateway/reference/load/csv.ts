import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type CsvError, parse } from "csv-parse";

import { decodeCsv, withDelimiter } from "./csvText.ts";

/** Something to be said about a file: where it stands (line 1 is the first physical line, 0 the file itself) and why. */
export type Finding = { file: string; line: number; column?: string; reason: string };

/** A row with the physical line on which it begins. */
export type CsvRow = { line: number; cells: string[] };

export type CsvContent = { header: string[]; rows: CsvRow[]; errors: Finding[] };

const reasons: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote (") opened in the row that begins here is never closed: nothing from here on was read',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after a closing quote ("): quotes within a quoted cell are doubled ("")',
  INVALID_OPENING_QUOTE: 'there is a quote (") within a cell that does not begin with one: quote the cell and double the quote',
};

const fileReasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "may not be read",
  EISDIR: "is a folder",
};

const countIn = (cells: string[], pattern: RegExp): number =>
  cells.reduce((sum, cell) => sum + (cell.match(pattern)?.length ?? 0), 0);

/** What is done with what a file holds, in its order: each row (the first one names the columns), and each line that is malformed. */
export type CsvSink = { row: (row: CsvRow) => void; fault: (line: number, reason: string) => void };

/**
 * Reads CSV as spreadsheets save it as it streams by: RFC 4180, with commas or semicolons, UTF-8 with or without BOM or Windows-1252, any
 * line ends. It goes on after a malformed row where that is possible, so that one run names them all. Empty lines are passed over. No row
 * has another number of cells than the first one.
 *
 * @throws what the source throws, and what the sink throws
 */
export async function scanCsv(bytes: AsyncIterable<Buffer>, { row, fault }: CsvSink): Promise<void> {
  const refused = new Set<number>();
  const refuse = (line: number, reason: string) => {
    if (!refused.has(line)) fault(line, reason);
    refused.add(line);
    // The first fault of a line is told. Lines far behind are not looked at again.
    if (refused.size > 10_000) for (const first of refused) if (refused.size > 5_000) refused.delete(first);
  };
  let lastLine = 0;
  let columns: number | undefined;
  // The parser counts a CRLF within a cell as two lines.
  let surplus = 0;
  const { text, delimiter } = await withDelimiter(decodeCsv(bytes));
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      const { code, lines, message } = error as CsvError & { lines: number };
      refuse(code === "CSV_QUOTE_NOT_CLOSED" ? lastLine + 1 : lines - surplus, reasons[code] ?? `is malformed: ${message}`);
      return undefined;
    },
    // The line goes along as the first cell.
    on_record: (cells: string[], { lines }) => {
      surplus += countIn(cells, /\r\n/g);
      lastLine = lines - surplus;
      return [String(lastLine - countIn(cells, /\r\n|\n|\r/g)), ...cells];
    },
  });
  const take = (one: CsvRow): void => {
    columns ??= one.cells.length;
    if (one.cells.length === columns) row(one);
    else refuse(one.line, `has ${one.cells.length} cells where the first line names ${columns} columns`);
  };
  await pipeline(Readable.from(text), parser, async (records: AsyncIterable<string[]>) => {
    for await (const [line, ...cells] of records) take({ line: Number(line), cells });
  });
}

/** Reads a CSV file whole, with every malformed row named. */
export async function readCsv(file: string): Promise<CsvContent> {
  const errors: Finding[] = [];
  const rows: CsvRow[] = [];
  const refuse = (line: number, reason: string) => void errors.push({ file, line, reason });
  const none = () => ({ header: [], rows: [], errors });
  try {
    await scanCsv(createReadStream(file), { row: (one) => void rows.push(one), fault: refuse });
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    refuse(0, fileReasons[code] ?? `cannot be read: ${message}`);
    return none();
  }
  const header = rows.shift();
  if (!header && errors.length === 0) refuse(1, "is empty: the first line must name the columns");
  // Where the header itself is malformed, the first good row is no header.
  if (!header || errors.some(({ line }) => line < header.line)) return none();
  return { header: header.cells, rows, errors };
}
