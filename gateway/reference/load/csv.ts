import { createReadStream } from "node:fs";
import { setImmediate } from "node:timers/promises";

import { type BadCell, type CsvRow, readRows } from "./csvRows.ts";
import { decodeCsv, whyNoText, withDelimiter } from "./csvText.ts";
import type { Encoding } from "./encodings.rules.ts";
import { fold } from "../../input/identity.rules.ts";
import { cutTo } from "../../input/text.rules.ts";

/** An error or warning about a file: the line (1 is the first physical line, 0 the file itself) and what is wrong. */
export type Finding = { file: string; line: number; column?: string; reason: string };

type CsvContent = { header: string[]; rows: CsvRow[]; errors: Finding[] };

const fileReasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "may not be read",
  EISDIR: "is a folder",
};

/**
 * Receives each row, and each malformed line: with the name of the column if it is known, and with the value in the
 * reason.
 */
export type CsvSink = { row: (row: CsvRow) => void; fault: (line: number, reason: string, column?: string) => void };

/** The number of bytes that are read at a time: about twenty rows of facilities, which take one or two milliseconds. */
const stretch = 4096;

async function* inStretches(text: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  for await (const piece of text) {
    // As bytes, because a cut through a text could divide a character.
    const bytes = Buffer.from(piece);
    for (let from = 0; from < bytes.length; from += stretch) {
      yield bytes.subarray(from, from + stretch);
      // Lets other requests run meanwhile.
      await setImmediate();
    }
  }
}

/** How a file is read, as far as it is known: otherwise it is guessed, and the first row has the headings. */
export type CsvManner = { encoding?: Encoding; delimiter?: string; headerLine?: number };

/**
 * Reads a stream of CSV as spreadsheets save it: RFC 4180, with commas, semicolons or tabs, any line ends. If possible it continues after a malformed row, so that one run reports all of them.
 * Empty lines are skipped. A row may end after its last filled cell, or have more empty cells than the first row; with
 * more filled cells it is malformed.
 *
 * @throws errors of the source and of the sink
 */
export async function scanCsv(
  bytes: AsyncIterable<Buffer>,
  { row, fault }: CsvSink,
  { encoding, delimiter: given, headerLine = 1 }: CsvManner = {},
): Promise<{ delimiter: string }> {
  let header: string[] | undefined;
  const refuse = (line: number, reason: string, { index, text: read }: BadCell) => {
    const value = cutTo(40, fold(read));
    fault(line, value === "" ? reason : `'${value}': ${reason}`, header?.[index]);
  };
  let why: string | undefined;
  async function* checked() {
    let isFirst = true;
    for await (const piece of bytes) {
      if (isFirst && encoding === undefined) why = whyNoText(piece);
      isFirst = false;
      if (why === undefined) yield piece;
    }
  }
  const { text, delimiter, hasSeparatorLine } = await withDelimiter(decodeCsv(checked(), encoding));
  let isSeparatorLine = hasSeparatorLine;
  await readRows(inStretches(text), given ?? delimiter, {
    fault: refuse,
    row: (one) => {
      if (isSeparatorLine) {
        isSeparatorLine = false;
        return;
      }
      if (one.line < headerLine) return;
      header ??= one.cells.map(fold);
      const { length } = header;
      if (one.cells.length === length) row(one);
      else if (one.cells.slice(length).every((cell) => fold(cell) === ""))
        row({ ...one, cells: [...one.cells, ...Array<string>(length).fill("")].slice(0, length) });
      else fault(one.line, `has ${one.cells.length} cells where the first line names ${header.length} columns`);
    },
  });
  if (why !== undefined) fault(1, why);
  return { delimiter: given ?? delimiter };
}

/** Reads a whole CSV file. Every malformed row is reported. */
export async function readCsv(file: string): Promise<CsvContent> {
  const errors: Finding[] = [];
  const rows: CsvRow[] = [];
  const refuse = (line: number, reason: string, column?: string) =>
    void errors.push({ file, line, ...(column ? { column } : {}), reason });
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
  // If the header is malformed, the first good row is not the header.
  if (!header || errors.some(({ line }) => line < header.line)) return none();
  return { header: header.cells, rows, errors };
}
