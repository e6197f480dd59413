import { pipeline } from "node:stream/promises";

import { type CsvError, parse } from "csv-parse";
import { parse as parseText } from "csv-parse/sync";

/**
 * The rows of a CSV text (RFC 4180), each with its physical line. Every malformed row is reported, and reading goes on
 * after it. Where a later cell of a malformed row opens a quote, the row goes on to the quote's end, and its report
 * says how far.
 */

/** A row with the physical line on which it begins. */
export type CsvRow = { line: number; cells: string[] };

/** A malformed cell: its place in the row, and the part of it that was read. */
export type BadCell = { index: number; text: string };
/**
 * Receives the contents of a file in order: each row (the first one has the column names), and each malformed line with
 * its malformed cell.
 */
type RowSink = { row: (row: CsvRow) => void; fault: (line: number, reason: string, cell: BadCell) => void };

const reasons = {
  open: 'a quote (") opened in the row that begins here is never closed: nothing from here on was read',
  closed: 'there is text after a closing quote ("): quotes within a quoted cell are doubled ("")',
  within: 'there is a quote (") within a cell that does not begin with one: quote the cell and double the quote',
};

/**
 * Reads a text in UTF-8 that comes in pieces. `delimiter` separates cells, any kind of line end separates rows. Empty
 * lines are skipped.
 *
 * @throws errors of the text and of the sink
 */
export async function readRows(text: AsyncIterable<Buffer>, delimiter: string, { row, fault }: RowSink): Promise<void> {
  const options = { delimiter, record_delimiter: ["\r\n", "\n", "\r"], relax_column_count: true, relax_quotes: true };
  // The line of the next row. csv-parse's own count takes a CRLF within quotes for two lines.
  let line = 1;
  const take = ({ record: cells, raw }: { record: string[]; raw: string }) => {
    const begins = line;
    line += raw.split(/\r\n?|\n/).length - 1;
    if (/^[\r\n]*$/.test(raw)) return;
    // With `relax_quotes` a misplaced quote becomes part of the cell's text. As an error it would spoil the rows after
    // it.
    // A code as a formula, ="0123", is often written without the quotes that it needs.
    const index = cells.findIndex(
      (cell) => cell.includes('"') && !/^="[^"]*"$/.test(cell) && !raw.includes(`"${cell.replaceAll('"', '""')}"`),
    );
    if (index < 0) return row({ line: begins, cells });
    const [before = "", after = ""] = cells[index]!.split('"');
    // A line end within the row, not the one that ends it.
    const ends = begins + raw.trimEnd().split(/\r\n?|\n/).length - 1;
    const extent = ends > begins ? ` (the row goes on to line ${ends}, because of a quote)` : "";
    fault(begins, `${before === "" ? reasons.closed : reasons.within}${extent}`, { index, text: before || after });
  };
  let open: { index: number; raw: string } | undefined;
  const parser = parse({
    ...options,
    raw: true,
    skip_records_with_error: true,
    // The only error that is left: a quote that is never closed.
    on_skip: (error, raw) => void (open = { index: (error as CsvError)["column"] as number, raw: raw! }),
  });
  await pipeline(text, parser, async (rows: AsyncIterable<Parameters<typeof take>[0]>) => {
    for await (const one of rows) take(one);
  });
  if (open) fault(line, reasons.open, { index: open.index, text: parseText(`${open.raw}"`, options)[0]![open.index]! });
}
