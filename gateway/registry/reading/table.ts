import { fold, lineForm } from "../../input/identity.rules.ts";
import { invalid } from "../../problem.ts";
import { type CsvSink, scanCsv } from "../../reference/load/csv.ts";
import { type CsvRow, readRows } from "../../reference/load/csvRows.ts";
import { decodeCsv, encodingOf, whyNoText, withDelimiter } from "../../reference/load/csvText.ts";
import type { Encoding } from "../../reference/load/encodings.rules.ts";
import { mapInSlices } from "../inSlices.ts";
import { isUnitHeader, tellsLevels, type Unit, unitReader } from "../organisationUnits.rules.ts";
import { type JsonTable, jsonTable, unitTable } from "./jsonTable.rules.ts";
import type { ListChoice, Reading } from "./reading.rules.ts";
import { openWorkbook, WorkbookFault } from "./workbook.ts";
import { cutTo } from "../../input/text.rules.ts";

/** Reads a list of any format as a table: its headings, and then its rows. */

export type TableSink = CsvSink & {
  /** `fields`: the fields of the columns, where the format defines them */
  headings: (line: number, names: string[], fields?: readonly (string | undefined)[]) => void;
};
type TableFacts = Pick<
  Reading,
  "format" | "encoding" | "isEncodingSure" | "delimiter" | "sheets" | "sheet" | "headerLine" | "levels" | "notes"
>;
type Knows = (heading: string) => boolean;

const noFacts = {
  encoding: null,
  isEncodingSure: true,
  delimiter: null,
  sheets: [],
  sheet: null,
  headerLine: 1,
  levels: [],
  notes: [],
} satisfies Partial<TableFacts>;
const refuse = (message: string, path = "file") => invalid([{ path, message }]);

/** How many rows at the beginning are looked through for the headings. */
const mostAbove = 20;
const sampleBytes = 65_536;

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer, void> {
  for (let from = 0; from < bytes.length; from += sampleBytes) yield bytes.subarray(from, from + sampleBytes);
}

/** The headings of a row; where it has none, those of the row above. */
const withAbove = (cells: readonly string[], above: readonly string[]): string[] =>
  Array.from({ length: Math.max(cells.length, above.length) }, (_, index) =>
    fold(cells[index] ?? "") === "" ? (above[index] ?? "") : cells[index]!,
  );

type HeaderRow = { line: number; score: number; above: readonly string[] };
/**
 * The row among the first ones that has the most known headings. A row with several of them may be the second one of
 * two. `chosen`: the line that somebody chose.
 */
function headerOf(rows: readonly CsvRow[], knows: Knows, chosen?: number): HeaderRow {
  let best: HeaderRow = { line: chosen ?? rows[0]?.line ?? 1, score: 0, above: [] };
  const from = chosen === undefined ? 0 : rows.findIndex(({ line }) => line >= chosen);
  for (const [index, { line, cells }] of rows.slice(0, chosen === undefined ? mostAbove : from + 1).entries()) {
    if (index < from) continue;
    const above = cells.filter(knows).length > 1 ? (rows[index - 1]?.cells ?? []) : [];
    const score = withAbove(cells, above).filter(knows).length;
    if (score > best.score) best = { line, score, above };
  }
  return best;
}

/** The delimiter and the line of the headings: those with which the most headings are known. */
async function guessText(bytes: Buffer, encoding: Encoding, knows: Knows, headerLine: number | undefined) {
  const sample = () => decodeCsv(inPieces(bytes.subarray(0, sampleBytes)), encoding);
  const { delimiter: usual, hasSeparatorLine } = await withDelimiter(sample());
  let best = { delimiter: usual, line: headerLine ?? 1, score: 0, above: [] as readonly string[] };
  for (const delimiter of hasSeparatorLine ? [usual] : new Set([usual, ",", ";", "\t", "|"])) {
    const { text } = await withDelimiter(sample());
    const rows: CsvRow[] = [];
    const buffers = (async function* () {
      for await (const part of text) yield Buffer.from(part);
    })();
    await readRows(buffers, delimiter, { row: (row) => void rows.push(row), fault: () => {} });
    const found = headerOf(hasSeparatorLine ? rows.slice(1) : rows, knows, headerLine);
    if (found.score > best.score) best = { delimiter, ...found };
  }
  return best;
}

async function scanText(bytes: Buffer, choice: ListChoice, knows: Knows, sink: TableSink): Promise<TableFacts> {
  const guess = encodingOf(bytes);
  const encoding = choice.encoding ?? guess.encoding;
  const why = encoding.startsWith("utf-16") ? undefined : whyNoText(bytes.subarray(0, 64));
  if (why !== undefined) throw refuse(why);
  const { delimiter, line, above } = await guessText(bytes, encoding, knows, choice.headerLine ?? undefined);
  let header: CsvRow | undefined;
  let reader: ReturnType<typeof unitReader> | undefined;
  const units: Unit[] = [];
  await scanCsv(
    inPieces(bytes),
    {
      fault: sink.fault,
      row: (row) => {
        if (header) return reader ? void units.push(reader.read(row.line, row.cells)) : sink.row(row);
        header = row;
        if (isUnitHeader(row.cells) && tellsLevels(row.cells)) reader = unitReader(row.cells);
        else sink.headings(row.line, withAbove(row.cells, above));
      },
    },
    { encoding, delimiter, headerLine: line },
  );
  const facts = {
    ...noFacts,
    encoding,
    isEncodingSure: guess.isSure,
    delimiter,
    headerLine: header?.line ?? 1,
  };
  if (!reader) return { ...facts, format: "csv" };
  const table = unitTable(units, choice.level ?? undefined);
  await scanTableOf(table, sink);
  const { ignored } = reader;
  return {
    ...facts,
    format: "organisationUnits",
    levels: table.levels,
    notes: [...table.notes, ...(ignored.length > 0 ? [`Columns that are not used: ${ignored.join(", ")}.`] : [])],
  };
}

async function scanTableOf({ headings, fields, rows }: JsonTable, sink: TableSink): Promise<void> {
  sink.headings(1, headings, fields);
  await mapInSlices(rows, (row) => sink.row(row));
}

async function scanJson(bytes: Buffer, choice: ListChoice, sink: TableSink): Promise<TableFacts> {
  let content: unknown;
  try {
    content = JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    throw refuse(
      `is no JSON that can be read: save the list again, as one JSON text or as CSV (${cutTo(200, (error as Error).message)})`,
    );
  }
  const { table, why } = jsonTable(content, choice.level ?? undefined);
  if (why !== undefined) throw refuse(why);
  await scanTableOf(table, sink);
  return { ...noFacts, format: table.format, levels: table.levels, notes: table.notes };
}

async function scanWorkbook(bytes: Buffer, choice: ListChoice, knows: Knows, sink: TableSink): Promise<TableFacts> {
  const workbook = await openWorkbook(bytes);
  const { sheets } = workbook;
  const chosen = sheets.find((name) => lineForm(name) === choice.sheet);
  if (choice.sheet != null && chosen === undefined)
    throw refuse(`'${choice.sheet}' is no sheet of the workbook: it has ${sheets.join(", ")}`, "sheet");
  let best = { sheet: chosen ?? sheets[0], line: choice.headerLine ?? 1, score: -1, above: [] as readonly string[] };
  for (const sheet of chosen === undefined ? sheets : [chosen]) {
    const first = await workbook.firstRows(sheet, mostAbove);
    const found = headerOf(first, knows, choice.headerLine ?? undefined);
    if (found.score > best.score && first.length > 0) best = { sheet, ...found };
  }
  if (best.sheet === undefined) throw refuse("the workbook has no visible sheet: save the list as CSV");
  let width: number | undefined;
  let headerLine = best.line;
  await workbook.rows(best.sheet, ({ line, cells }) => {
    if (line < best.line) return;
    if (width === undefined) {
      const names = withAbove(cells, best.above).map(fold);
      while (names.at(-1) === "") names.pop();
      [width, headerLine] = [names.length, line];
      return sink.headings(line, names);
    }
    const most = width;
    const surplus = cells.slice(most).filter((cell) => fold(cell) !== "").length;
    if (surplus > 0) return sink.fault(line, `has filled cells beyond the ${most} columns that have a heading`);
    sink.row({ line, cells: [...cells, ...Array<string>(Math.max(0, most - cells.length)).fill("")].slice(0, most) });
  });
  return { ...noFacts, format: "xlsx", sheets, sheet: best.sheet, headerLine };
}

/**
 * Reads a list. `knows` tells whether a text is the heading of a field.
 *
 * @throws Problem INVALID with one sentence that says what to do, if the file is no list that can be read
 */
export async function scanTable(bytes: Buffer, choice: ListChoice, knows: Knows, sink: TableSink): Promise<TableFacts> {
  const start = bytes.subarray(0, 8).toString("latin1");
  if (start.startsWith("\xD0\xCF\x11\xE0"))
    throw refuse(
      "the file is an old workbook (.xls) or one with a password: save it as .xlsx without a password, or as CSV",
    );
  if (bytes.subarray(0, 128).includes("mimetypeapplication/vnd.oasis.opendocument.spreadsheet"))
    throw refuse("the file is a spreadsheet of OpenDocument (.ods): save it as .xlsx or as CSV");
  try {
    if (start.startsWith("PK\x03\x04")) return await scanWorkbook(bytes, choice, knows, sink);
  } catch (error) {
    throw error instanceof WorkbookFault ? refuse(error.message) : error;
  }
  if (/^(?:\xEF\xBB\xBF)?\s*[[{]/.test(bytes.subarray(0, 64).toString("latin1"))) return scanJson(bytes, choice, sink);
  return scanText(bytes, choice, knows, sink);
}
