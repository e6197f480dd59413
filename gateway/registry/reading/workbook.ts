import { setImmediate } from "node:timers/promises";

import { type Entry, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js/lib/zip-core-native.js";
import sax from "sax";

import { cellStyles, dayText } from "./workbookDays.ts";

/**
 * Reads the sheets of a workbook (.xlsx) row by row. Its parts are unpacked and parsed piece by piece; only the shared
 * texts are in memory. What unpacks to more than a list of facilities can need is refused before it fills the memory.
 */

/** Why a workbook cannot be read, as a sentence. */
export class WorkbookFault extends Error {}

const mostEntries = 1000;
const mostUnpacked = 256 * 1024 * 1024;
/** A part that is larger than this may unpack to so many times its size: sheets are packed 10 to 30 times. */
const [largePart, mostTimes] = [16 * 1024 * 1024, 100];
const mostTexts = 64 * 1024 * 1024;
const mostCells = 500;
const mostText = 32_768;

const tooLarge = () =>
  new WorkbookFault("the workbook unpacks to more than a list of facilities can need: save its sheet as CSV");
const noWorkbook = () =>
  new WorkbookFault("the file is an archive, but no workbook of the form .xlsx: save the list as .xlsx or as CSV");

/** A row that was read. An element of the file has the name `local`, without the prefix of its namespace. */
type Handlers = {
  open?: (local: string, attributes: Record<string, string>) => void;
  text?: (text: string) => void;
  close?: (local: string) => void;
  /** receives the part as it is; then it is not parsed */
  whole?: (text: string) => void;
};
const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Stops reading a part without an error. */
const enough = new Error("enough");

/** Unpacks a part of the workbook and parses it. All parts together may have `mostUnpacked` bytes. */
function partReader() {
  let unpacked = 0;
  return async (
    entry: Entry,
    { open, text, close, whole }: Handlers,
    isEnough: () => boolean = () => false,
  ): Promise<void> => {
    if (entry.directory || !entry.getData) throw noWorkbook();
    if (entry.uncompressedSize > mostUnpacked) throw tooLarge();
    const parser = sax.parser(true, { position: false });
    Object.assign(parser, {
      onerror: (error: Error) => {
        throw new WorkbookFault(
          `the workbook is damaged (${entry.filename}: ${error.message.split("\n")[0]}): open it, and save it again`,
        );
      },
      onopentag: ({ name, attributes }: sax.Tag) => open?.(localName(name), attributes),
      ontext: (part: string) => text?.(part),
      oncdata: (part: string) => text?.(part),
      onclosetag: (name: string) => close?.(localName(name)),
    });
    const decoder = new TextDecoder();
    const take = whole ?? ((piece: string) => void parser.write(piece));
    let size = 0;
    const limited = new WritableStream<Uint8Array>({
      async write(piece) {
        // The size in the directory of the archive may be wrong, so the unpacked bytes are counted.
        unpacked += piece.length;
        size += piece.length;
        if (unpacked > mostUnpacked || (size > largePart && size > mostTimes * entry.compressedSize)) throw tooLarge();
        for (let from = 0; from < piece.length; from += 16_384) {
          take(decoder.decode(piece.subarray(from, from + 16_384), { stream: true }));
          if (isEnough()) throw enough;
          await setImmediate();
        }
      },
    });
    try {
      await entry.getData(limited, { useWebWorkers: false, checkSignature: true });
      if (!whole) parser.close();
    } catch (error) {
      if (error === enough) return;
      if (error instanceof WorkbookFault) throw error;
      throw new WorkbookFault("the workbook is damaged: open it, and save it again");
    }
  };
}
type ReadPart = ReturnType<typeof partReader>;

/** The texts that cells name by their number. Readings of East Asian names (rPh) are left out. */
async function sharedTexts(read: ReadPart, entry: Entry | undefined): Promise<string[]> {
  const texts: string[] = [];
  if (!entry) return texts;
  let size = 0;
  let current = "";
  let isText = false;
  let isPhonetic = false;
  await read(entry, {
    open: (name) => {
      if (name === "si") current = "";
      if (name === "rPh") isPhonetic = true;
      if (name === "t") isText = !isPhonetic;
    },
    text: (part) => {
      if (!isText) return;
      size += part.length;
      if (size > mostTexts) throw tooLarge();
      current += part;
    },
    close: (name) => {
      if (name === "t") isText = false;
      if (name === "rPh") isPhonetic = false;
      if (name === "si") texts.push(current);
    },
  });
  return texts;
}

/** The number of a column: A is 0, AA is 26. */
const columnOf = (reference: string): number =>
  [.../^[A-Z]*/.exec(reference)![0]].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
/** A number as it is shown: without the digits that binary fractions add, and without an exponent. */
const numberText = (text: string): string => {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return text;
  const shown = Number(value.toPrecision(15));
  return Math.abs(shown) >= 1e15 && Number.isInteger(shown) ? BigInt(shown).toString() : String(shown);
};

/** A character that XML does not allow, as a text names it (ECMA-376, ST_Xstring). */
const unescaped = (text: string): string =>
  text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

export type SheetRow = { line: number; cells: string[] };
/** What the cells of a workbook name by a number, and the day from which it counts. */
type Book = {
  texts: readonly string[];
  days: ReadonlySet<number>;
  digits: ReadonlyMap<number, number>;
  from: Parameters<typeof dayText>[1];
};
/** A merged cell of several rows. */
type Span = { column: number; top: number; bottom: number; text: string };

/** The merged cells of several rows, by their first one. A sheet names them after its rows. */
async function spansOf(read: ReadPart, entry: Entry): Promise<Map<number, Span[]>> {
  const spans = new Map<number, Span[]>();
  let before = "";
  await read(entry, {
    whole: (piece) => {
      const text = before + piece;
      const last = text.lastIndexOf("<");
      before = text.slice(last);
      if (text.includes("mergeCell"))
        for (const [, column, from, to] of text
          .slice(0, last)
          .matchAll(/mergeCell [^>]*ref="([A-Z]+)(\d+):[A-Z]+(\d+)"/g)) {
          const [top, bottom] = [Number(from), Number(to)];
          if (bottom > top)
            spans.set(top, [...(spans.get(top) ?? []), { column: columnOf(column!), top, bottom, text: "" }]);
        }
    },
  });
  return spans;
}

/** Writes the text of a merged cell into each of its rows. */
function spanFiller(spans: ReadonlyMap<number, Span[]>): (row: SheetRow) => SheetRow {
  let open: Span[] = [];
  return ({ line, cells }) => {
    open = open.filter(({ bottom }) => bottom >= line);
    for (const { column, text } of open) {
      while (cells.length <= column) cells.push("");
      cells[column] ||= text;
    }
    open.push(...(spans.get(line) ?? []).map((span) => ({ ...span, text: cells[span.column] ?? "" })));
    return { line, cells };
  };
}

async function readSheet(
  read: ReadPart,
  entry: Entry,
  { texts, days, digits, from }: Book,
  take: (row: SheetRow) => void,
  isEnough?: () => boolean,
): Promise<void> {
  let line = 0;
  let cells: string[] = [];
  let at = -1;
  let type = "n";
  let style = 0;
  let value = "";
  let isValue = false;
  const textOf = (): string => {
    if (type === "s") return unescaped(texts[Number(value)] ?? "");
    if (type === "b") return String(value === "1");
    if (type !== "n") return unescaped(value);
    const shown = numberText(value);
    if (digits.has(style) && /^\d+$/.test(shown)) return shown.padStart(digits.get(style)!, "0");
    return (days.has(style) ? dayText(value, from) : null) ?? shown;
  };
  await read(
    entry,
    {
      open: (name, attributes) => {
        if (name === "row") {
          line = Number(attributes["r"]) || line + 1;
          [cells, at] = [[], -1];
        } else if (name === "c") {
          at = attributes["r"] === undefined ? at + 1 : columnOf(attributes["r"]);
          [type, style, value] = [attributes["t"] ?? "n", Number(attributes["s"] ?? 0), ""];
          if (at >= mostCells)
            throw new WorkbookFault(`row ${line} has more than ${mostCells} columns: remove those that are not needed`);
        } else if (name === "v" || name === "t") isValue = true;
      },
      text: (part) => {
        if (isValue && value.length < mostText) value += part;
      },
      close: (name) => {
        if (name === "v" || name === "t") isValue = false;
        else if (name === "c") {
          while (cells.length < at) cells.push("");
          cells[at] = textOf();
        } else if (name === "row" && cells.some((cell) => cell.trim() !== "")) take({ line, cells });
      },
    },
    isEnough,
  );
}

/**
 * Opens a workbook. `sheets`: the names of its visible sheets, in their order.
 *
 * @throws WorkbookFault
 */
export async function openWorkbook(bytes: Buffer) {
  const zip = new ZipReader(new Uint8ArrayReader(bytes));
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      if (entries.size >= mostEntries) throw tooLarge();
      entries.set(entry.filename.replace(/^\//, ""), entry);
    }
  } catch (error) {
    throw error instanceof WorkbookFault ? error : noWorkbook();
  }
  const read = partReader();
  const [workbook, relations] = ["xl/workbook.xml", "xl/_rels/workbook.xml.rels"].map((name) => entries.get(name));
  if (!workbook || !relations) throw noWorkbook();
  const targets = new Map<string, string>();
  await read(relations, {
    open: (name, { Id: id, Target: target }) => {
      if (name === "Relationship" && id && target)
        targets.set(id, target.startsWith("/") ? target.slice(1) : `xl/${target}`);
    },
  });
  const found = new Map<string, Entry>();
  let from: Book["from"] = "1899-12-30";
  await read(workbook, {
    open: (name, attributes) => {
      if (name === "workbookPr" && /^(1|true)$/.test(attributes["date1904"] ?? "")) from = "1904-01-01";
      // The prefix of this attribute's namespace is any.
      const id = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1];
      const entry = name === "sheet" ? entries.get(targets.get(id ?? "") ?? "") : undefined;
      if (entry && (attributes["state"] ?? "visible") === "visible") found.set(attributes["name"] ?? "", entry);
    },
  });
  const texts = await sharedTexts(read, entries.get("xl/sharedStrings.xml"));
  const { days, digits, ...styles } = cellStyles();
  const styled = entries.get("xl/styles.xml");
  if (styled) await read(styled, styles);
  const book = { texts, days, digits, from };
  const entryOf = (sheet: string) => found.get(sheet)!;
  return {
    sheets: [...found.keys()],
    /** Reads all rows of a sheet that have a filled cell. */
    async rows(sheet: string, take: (row: SheetRow) => void): Promise<void> {
      const fill = spanFiller(await spansOf(read, entryOf(sheet)));
      await readSheet(read, entryOf(sheet), book, (row) => take(fill(row)));
    },
    /** The first rows of a sheet. */
    async firstRows(sheet: string, most: number): Promise<SheetRow[]> {
      const first: SheetRow[] = [];
      await readSheet(
        read,
        entryOf(sheet),
        book,
        (row) => void (first.length < most && first.push(row)),
        () => first.length >= most,
      );
      return first;
    },
  };
}
