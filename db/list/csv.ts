import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { listAsBytes, type Taker } from "../engine/copy.ts";
import type { Order } from "./page.ts";

/**
 * Writes tables, mostly as CSV: CRLF, quotes where they are needed, and a leading apostrophe for texts that a spreadsheet program would
 * run as a formula. Long lists come from PostgreSQL as bytes (COPY) and are passed on as bytes: only cells that need
 * quotes or an apostrophe become strings.
 */

export type CsvCell = string | number | boolean | null;

/** A spreadsheet program treats a text that begins like this as a formula. */
const formulaLike = /^[=+\-@\t\r]/;
const needsQuotes = /[",\r\n]|^\s|\s$/;

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = formulaLike.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lineEnd = "\r\n";

/**
 * One line of a CSV file. Texts that a spreadsheet program would run as a formula are neutralised; numbers stay
 * numbers.
 */
export const csvRow = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(",")}${lineEnd}`;

/** For each byte, 1 if a text that contains it, in the way that `textWith` says, can be passed on unchanged. */
const safeBytes = (textWith: (letter: string) => string) =>
  Uint8Array.from({ length: 256 }, (_, byte) => {
    const text = textWith(String.fromCharCode(byte));
    return byte < 128 && byte !== backslash && cellText(text) === text ? 1 : 0;
  });
const [tab, newline, backslash, comma] = [9, 10, 92, 44];
const isSafeFirst = safeBytes((letter) => `${letter}x`);
const isSafeLast = safeBytes((letter) => `x${letter}`);
/** Inside a text, a byte of a longer character (128 and above) never needs a change. */
const isSafeWithin = safeBytes((letter) => `x${letter}x`).fill(1, 128);

/** Characters that COPY escapes with a backslash. Other characters after a backslash stand for themselves. */
const escaped: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
const unescaped = (text: string): string | null =>
  text === "\\N" ? null : text.replaceAll(/\\(.)/gs, (_, letter: string) => escaped[letter] ?? letter);

const pieceLength = 256 * 1024;

/**
 * Converts COPY's rows to lines of CSV. Only cells that must change become strings.
 *
 * @param areTexts for each column: whether it is a text that could be taken for a formula
 * @yields pieces, each valid only until the next one is requested
 */
async function* csvOf(pieces: AsyncIterable<Buffer>, areTexts: readonly boolean[]): AsyncGenerator<Buffer, void> {
  let out = Buffer.allocUnsafeSlow(0);
  let filled = 0;
  // One buffer is used for all pieces: new ones would fill the memory before they are garbage-collected.
  let input = Buffer.allocUnsafeSlow(0);
  let end = 0;
  for await (const piece of pieces) {
    if (input.length < end + piece.length) input = Buffer.concat([input.subarray(0, end)], 2 * (end + piece.length));
    end += piece.copy(input, end);
    // The worst case: a single double quote becomes four bytes.
    if (out.length < filled + 4 * end) out = Buffer.concat([out.subarray(0, filled)], pieceLength + 4 * input.length);
    let [column, start, isSafe] = [0, 0, true];
    /** start of the incomplete row in `input`, and in `out` */
    let [row, written] = [0, filled];
    for (let at = 0; at < end; at += 1) {
      const byte = input[at]!;
      if (byte !== tab && byte !== newline) {
        if (isSafeWithin[byte] === 0) isSafe = false;
        out[filled] = byte;
        filled += 1;
        continue;
      }
      if (
        at > start &&
        (!isSafe || (areTexts[column] && (isSafeFirst[input[start]!] === 0 || isSafeLast[input[at - 1]!] === 0)))
      ) {
        const text = unescaped(input.toString("utf8", start, at));
        filled -= at - start;
        filled += out.write(areTexts[column] ? cellText(text) : (text ?? ""), filled);
      }
      start = at + 1;
      isSafe = true;
      if (byte === tab) {
        out[filled] = comma;
        filled += 1;
        column += 1;
        continue;
      }
      filled += out.write(lineEnd, filled, "latin1");
      column = 0;
      row = start;
      written = filled;
    }
    filled = written;
    input.copyWithin(0, row, end);
    end -= row;
    if (filled < pieceLength) continue;
    yield out.subarray(0, filled);
    filled = 0;
  }
  yield out.subarray(0, filled);
}

/** Converts COPY's rows to cells. A cell that is no text is a number if it looks like one. */
async function* rowsOf(pieces: AsyncIterable<Buffer>, areTexts: readonly boolean[]): AsyncGenerator<CsvCell[], void> {
  const cellOf = (text: string, column: number): CsvCell => {
    const value = unescaped(text);
    return value !== null && !areTexts[column] && /^-?\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : value;
  };
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield line.split("\t").map(cellOf);
  }
}

type KeyOf<Row, Value> = { [Key in keyof Row]: Row[Key] extends Value ? Key : never }[keyof Row] & string;
type Column = { isText: boolean; value: RawBuilder<unknown> };

/** The columns of a list as cells, by their keys. */
const cellsOf = <Row>() => {
  const column = (key: string) => sql`${sql.ref(`listed.${key}`)}`;
  return {
    text: (key: KeyOf<Row, string | null>): Column => ({ isText: true, value: column(key) }),
    /** A whole number, day, time, uuid or hash: it never needs quotes or an apostrophe. */
    plain: (key: KeyOf<Row, string | number | null>): Column => ({ isText: false, value: column(key) }),
    yesNo: (key: KeyOf<Row, boolean>): Column => ({
      isText: false,
      value: sql`case when ${column(key)} then 'Yes' else 'No' end`,
    }),
    /** Bytes as MB (1024² bytes) with two decimal places, rounded half up. */
    megabytes: (key: KeyOf<Row, number>): Column => ({
      isText: false,
      value: sql`((${column(key)} * 100 + 524288) >> 20) / 100.0::float8`,
    }),
  };
};

/** A long list as a table: its header; `copy` streams its lines of CSV (see `listAsBytes`), `copyRows` its cells. */
export type LongTable = {
  header: readonly string[];
  copy: (take: Taker, signal: AbortSignal) => Promise<void>;
  copyRows: (take: (rows: AsyncIterable<CsvCell[]>) => Promise<void>, signal: AbortSignal) => Promise<void>;
};

/**
 * All rows of a list, in its order, as a table, read by one statement.
 *
 * @param columns the cells by heading. They are made from the columns of the list, so that a column means the same
 *   everywhere.
 */
export function listLongTable<DB, TB extends keyof DB, Row>(
  handle: Handle,
  query: SelectQueryBuilder<DB, TB, Row>,
  { columns: keys, descending }: Order,
  columns: (cells: ReturnType<typeof cellsOf<Row>>) => Record<string, Column>,
): LongTable {
  const byHeading = columns(cellsOf<Row>());
  const cells = Object.values(byHeading);
  let rows = query;
  for (const [index, { column }] of keys.entries())
    rows = rows.select((typeof column === "string" ? sql.ref(column) : column).as(`order${index}`)) as typeof rows;
  const order = sql.join(
    keys.map((_, index) => sql`${sql.ref(`listed.order${index}`)} ${sql.raw(descending ? "desc" : "asc")}`),
  );
  const listed = sql`select ${sql.join(cells.map(({ value }) => value))} from ${rows} as listed order by ${order}`;
  const areTexts = cells.map(({ isText }) => isText);
  return {
    header: Object.keys(byHeading),
    copy: (take, signal) => listAsBytes(handle, listed, (pieces) => take(csvOf(pieces, areTexts)), signal),
    copyRows: (take, signal) => listAsBytes(handle, listed, (pieces) => take(rowsOf(pieces, areTexts)), signal),
  };
}
