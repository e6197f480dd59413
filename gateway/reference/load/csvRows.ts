/** The rows of a CSV text as RFC 4180 has it, with the physical line of each: every malformed row is named, and the ones behind it are read. */

/** A row with the physical line on which it begins. */
export type CsvRow = { line: number; cells: string[] };

/** What is done with what a file holds, in its order: each row (the first one names the columns), and each line that is malformed. */
export type CsvSink = { row: (row: CsvRow) => void; fault: (line: number, reason: string) => void };

const reasons = {
  open: 'a quote (") opened in the row that begins here is never closed: nothing from here on was read',
  closed: 'there is text after a closing quote ("): quotes within a quoted cell are doubled ("")',
  within: 'there is a quote (") within a cell that does not begin with one: quote the cell and double the quote',
};

const [quote, lineFeed, carriageReturn] = ['"', "\n", "\r"].map((sign) => sign.charCodeAt(0)) as [number, number, number];

/** Where in a cell the reader is: before its first sign, in a bare one, in a quoted one, behind a quote in it, or behind what is malformed in the row. */
type State = "start" | "bare" | "quoted" | "quote" | "malformed";

/** Takes a text piece by piece, in which `delimiter` separates the cells of a row and any line end the rows. Empty lines are passed over. */
export function readRows(delimiter: "," | ";", { row, fault }: CsvSink): { take: (piece: string) => void; end: () => void } {
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
    fault(begins, reason);
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

  /** Takes one sign that ends what is before it; the others are taken in stretches. */
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
    if (state === "quoted") fault(begins, reasons.open);
    else endRow();
  };
  return { take, end };
}
