import { createReadStream } from "node:fs";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type CsvError, parse } from "csv-parse";

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

/**
 * Reads a CSV file (RFC 4180, UTF-8 with or without BOM, any line ends) as it streams by, and goes on after a malformed row
 * where that is possible, so that one run names them all. Empty lines are passed over.
 */
export async function readCsv(file: string): Promise<CsvContent> {
  const refused = new Map<number, Finding>();
  const refuse = (line: number, reason: string) => {
    if (!refused.has(line)) refused.set(line, { file, line, reason });
  };
  const records: CsvRow[] = [];
  let lastLine = 0;
  // The parser counts a CRLF within a cell as two lines.
  let surplus = 0;
  const parser = parse({
    bom: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      const { code, lines, message } = error as CsvError & { lines: number };
      refuse(code === "CSV_QUOTE_NOT_CLOSED" ? lastLine + 1 : lines - surplus, reasons[code] ?? `is malformed: ${message}`);
      return undefined;
    },
    on_record: (cells: string[], { lines }) => {
      surplus += countIn(cells, /\r\n/g);
      lastLine = lines - surplus;
      records.push({ line: lastLine - countIn(cells, /\r\n|\n|\r/g), cells });
      return null;
    },
  });
  try {
    await pipeline(createReadStream(file), parser, new Writable({ objectMode: true, write: (_row, _, done) => done() }));
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    refuse(0, fileReasons[code] ?? `cannot be read: ${message}`);
    return { header: [], rows: [], errors: [...refused.values()] };
  }
  const [header, ...rows] = records;
  if (!header && refused.size === 0) refuse(1, "is empty: the first line must name the columns");
  // Where the header itself is malformed, the first good row is no header.
  if (!header || [...refused.keys()].some((line) => line < header.line))
    return { header: [], rows: [], errors: [...refused.values()] };
  const columns = header.cells.length;
  for (const { line, cells } of rows) {
    if (cells.length !== columns) refuse(line, `has ${cells.length} cells where the first line names ${columns} columns`);
  }
  return { header: header.cells, rows: rows.filter(({ cells }) => cells.length === columns), errors: [...refused.values()] };
}
