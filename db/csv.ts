import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";

import type { Handle } from "./connect.ts";
import { copyRows, type Taker } from "./copy.ts";
import type { Order } from "./page.ts";

/**
 * How the product writes CSV: CRLF, quotes where they are needed, and no text that a spreadsheet program would run. PostgreSQL
 * writes the lines of its own rows; what was put together from several answers is written here. Both go by the same characters.
 */

export type CsvCell = string | number | boolean | null;

/** A spreadsheet program would take a text that begins with one of these for a formula. */
const formulaStarts = "=+-@\t\r";
/** A text that holds one of these stands in quotes … */
const special = '",\r\n';
/** … and so does one that begins or ends with one of these (all that JavaScript and Unicode call white space). */
const blanks = "\t\n\v\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF";

const oneOf = (characters: string): string => `[${characters.replace("-", "\\-")}]`;
const formulaLike = new RegExp(`^${oneOf(formulaStarts)}`);
const needsQuotes = new RegExp(`${oneOf(special)}|^${oneOf(blanks)}|${oneOf(blanks)}$`);

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = formulaLike.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const lineEnd = "\r\n";

/** One line of a CSV file. Texts that a spreadsheet program would run as a formula are neutralised; numbers stay numbers. */
export const csvRow = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(",")}${lineEnd}`;

/** The same of a text in SQL. Most texts need nothing, which is found out without regular expressions: those took twice as long. */
function sqlText(text: RawBuilder<unknown>): RawBuilder<string> {
  const among = (characters: string, character: RawBuilder<unknown>) => sql`strpos(${characters}, ${character}) > 0`;
  const [first, last] = [sql`left(${text}, 1)`, sql`right(${text}, 1)`];
  const isFormula = among(formulaStarts, first);
  const holdsSpecial = sql.join([...special].map((character) => sql`strpos(${text}, ${character}) > 0`), sql` or `);
  return sql`coalesce(case
    when not (${holdsSpecial} or ${among(formulaStarts + blanks, first)} or ${among(blanks, last)}) then ${text}
    when ${text} = '' then ''
    when ${holdsSpecial} or ${among(blanks, last)} or not ${isFormula}
      then '"' || case when ${isFormula} then '''' else '' end || replace(${text}, '"', '""') || '"'
    else '''' || ${text}
  end, '')`;
}

type KeyOf<Row, Value> = { [Key in keyof Row]: Row[Key] extends Value ? Key : never }[keyof Row] & string;

/** The columns of a list as cells, by their keys. */
const cellsOf = <Row>() => {
  const column = (key: string) => sql`${sql.ref(`listed.${key}`)}`;
  return {
    /** A text. */
    text: (key: KeyOf<Row, string | null>) => sqlText(column(key)),
    /** A number, a day, a time, a uuid or a hash: what cannot hold anything to be quoted or neutralised. */
    plain: (key: KeyOf<Row, string | number>) => column(key),
    yesNo: (key: KeyOf<Row, boolean>) => sql`case when ${column(key)} then 'Yes' else 'No' end`,
    /** Bytes as MB (1024²) to two places, the last of them rounded half up. */
    megabytes: (key: KeyOf<Row, number>) => sql`((${column(key)} * 100 + 524288) >> 20) / 100.0::float8`,
  };
};

/** The lines of a CSV file and their header. `copy` hands the lines out as they come: see copyRows. */
export type CsvLines = { header: readonly string[]; copy: (take: Taker, signal: AbortSignal) => Promise<void> };

/** PostgreSQL takes no more arguments to a function. */
const mostArguments = 90;
const joined = (cells: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  cells.length <= mostArguments
    ? sql`concat_ws(',', ${sql.join(cells)})`
    : sql`concat_ws(',', concat_ws(',', ${sql.join(cells.slice(0, mostArguments))}), ${joined(cells.slice(mostArguments))})`;

/**
 * All rows of a list in its order as lines of CSV, written by PostgreSQL in one statement.
 *
 * @param columns the cells by their headings. They are made of the list's own columns, so that these mean the same everywhere.
 */
export function listCsvLines<DB, TB extends keyof DB, Row>(
  handle: Handle,
  query: SelectQueryBuilder<DB, TB, Row>,
  { columns: keys, descending }: Order,
  columns: (cells: ReturnType<typeof cellsOf<Row>>) => Record<string, RawBuilder<unknown>>,
): CsvLines {
  const cells = columns(cellsOf<Row>());
  const direction = descending ? "desc" : "asc";
  // In order before the lines are made, so that what is sorted stays short.
  let rows = query as unknown as SelectQueryBuilder<DB, TB, Record<string, unknown>>;
  for (const [index, { column }] of keys.entries()) {
    const key = typeof column === "string" ? sql.ref(column) : column;
    rows = rows.select(key.as(`order${index}`)).orderBy(key, direction) as typeof rows;
  }
  const order = sql.join(keys.map((_, index) => sql`${sql.ref(`listed.order${index}`)} ${sql.raw(direction)}`));
  const lines = sql`select ${joined(Object.values(cells))} || ${lineEnd} from ${rows} as listed order by ${order}`;
  return { header: Object.keys(cells), copy: (take, signal) => copyRows(handle, lines, take, signal) };
}
