/** The rows of a CSV text (RFC 4180), each with its physical line. Every malformed row is reported, and reading goes on after it. */

/** A row with the physical line on which it begins. */
export type CsvRow = { line: number; cells: string[] };

/** A malformed cell: its place in the row, and the part of it that was read. */
export type BadCell = { index: number; text: string };
/** Receives the contents of a file in order: each row (the first one has the column names), and each malformed line with its malformed cell. */
export type RowSink = { row: (row: CsvRow) => void; fault: (line: number, reason: string, cell: BadCell) => void };

const reasons = {
  open: 'a quote (") opened in the row that begins here is never closed: nothing from here on was read',
  closed: 'there is text after a closing quote ("): quotes within a quoted cell are doubled ("")',
  within: 'there is a quote (") within a cell that does not begin with one: quote the cell and double the quote',
};

const [quote, lineFeed, carriageReturn] = ['"', "\n", "\r"].map((sign) => sign.charCodeAt(0)) as [number, number, number];

/** The state of the reader: before a cell's first character, in an unquoted cell, in a quoted one, after a quote in a quoted one, or after an error in the row. */
type State = "start" | "bare" | "quoted" | "quote" | "malformed";

/** Reads a text piece by piece. `delimiter` separates cells, any kind of line end separates rows. Empty lines are skipped. */
export function readRows(delimiter: string, { row, fault }: RowSink): { take: (piece: string) => void; end: () => void } {
  const between = delimiter.charCodeAt(0);
  let state = "start" as State;
  let cells: string[] = [];
  let cell = "";
  let line = 1;
  let begins = 1;
  let isAfterReturn = false;

  const endCell = () => {
    cells.push(cell);
    cell = "";
    state = "start";
  };
  const refuse = (reason: string) => {
    fault(begins, reason, { index: cells.length, text: cell });
    state = "malformed";
  };
  const endRow = () => {
    if (state !== "malformed" && (state !== "start" || cells.length > 0)) {
      endCell();
      row({ line: begins, cells });
    }
    cells = [];
    cell = "";
    state = "start";
  };

  /** Handles a delimiter, quote or line end. All other characters are taken in runs. */
  const sign = (code: number) => {
    const isOfPair = code === lineFeed && isAfterReturn;
    isAfterReturn = code === carriageReturn;
    const isLineEnd = code === lineFeed || code === carriageReturn;
    if (isLineEnd && !isOfPair) line += 1;
    if (state === "quoted" && code !== quote) cell += String.fromCharCode(code);
    else if (isLineEnd) {
      if (!isOfPair) endRow();
      begins = line;
    } else if (state === "malformed") return;
    else if (code === between) endCell();
    else if (state === "start") state = "quoted";
    else if (state === "bare") refuse(reasons.within);
    else if (state === "quoted") state = "quote";
    else {
      cell += '"';
      state = "quoted";
    }
  };
  const take = (piece: string) => {
    let from = 0;
    for (let at = 0; at <= piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (at < piece.length && code !== quote && code !== between && code !== lineFeed && code !== carriageReturn) continue;
      if (at > from) {
        isAfterReturn = false;
        if (state === "quote") refuse(reasons.closed);
        else if (state !== "malformed") cell += piece.slice(from, at);
        if (state === "start") state = "bare";
      }
      if (at < piece.length) sign(code);
      from = at + 1;
    }
  };
  const end = () => {
    if (state === "quoted") fault(begins, reasons.open, { index: cells.length, text: cell });
    else endRow();
  };
  return { take, end };
}
