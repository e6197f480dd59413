import { createReadStream } from "node:fs";
import { setImmediate } from "node:timers/promises";

import { type CsvRow, type CsvSink, readRows } from "./csvRows.ts";
import { decodeCsv, withDelimiter } from "./csvText.ts";

/** Something to be said about a file: where it stands (line 1 is the first physical line, 0 the file itself) and why. */
export type Finding = { file: string; line: number; column?: string; reason: string };

export type CsvContent = { header: string[]; rows: CsvRow[]; errors: Finding[] };

const fileReasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "may not be read",
  EISDIR: "is a folder",
};

/**
 * Reads CSV as spreadsheets save it as it streams by: RFC 4180, with commas or semicolons, UTF-8 with or without BOM or Windows-1252, any
 * line ends. It goes on after a malformed row where that is possible, so that one run names them all. Empty lines are passed over. No row
 * has another number of cells than the first one.
 *
 * @throws what the source throws, and what the sink throws
 */
export async function scanCsv(bytes: AsyncIterable<Buffer>, { row, fault }: CsvSink): Promise<void> {
  let columns: number | undefined;
  const { text, delimiter } = await withDelimiter(decodeCsv(bytes));
  const rows = readRows(delimiter, {
    fault,
    row: (one) => {
      columns ??= one.cells.length;
      if (one.cells.length === columns) row(one);
      else fault(one.line, `has ${one.cells.length} cells where the first line names ${columns} columns`);
    },
  });
  for await (const piece of text) {
    rows.take(piece);
    // Other people's requests go on meanwhile.
    await setImmediate();
  }
  rows.end();
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
