/**
 * The answer of a query as a table, by the rule of the spreadsheets (docs/guides/ask.md, Tables): a row for each item
 * of the innermost list, with the values of the levels around it. It is made from the answer that is already in the
 * browser.
 */

export type Cell = string | number | boolean | null;
type TableColumn = { name: string; isNumeric: boolean };
export type AnswerTable = { columns: TableColumn[]; rows: Cell[][] };

/** The answer is not a table. The message says why. */
class NoTable extends Error {}

type Cells = ReadonlyMap<string, Cell>;
type Item = Record<string, unknown>;
type Found = { key: string; items: unknown[] };

const isItem = (value: unknown): value is Item => typeof value === "object" && value !== null && !Array.isArray(value);
const isScalar = (value: unknown) => typeof value !== "object" || value === null;
const named = (names: readonly string[], key: string) => [...names, key].join(".");
const cellOf = (value: unknown): Cell =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
const joined = (values: readonly unknown[]): Cell =>
  values
    .map(cellOf)
    .filter((value) => value !== null)
    .join("; ") || null;

/** The items of a connection; undefined if the value is not a connection. */
function itemsOf(value: Item): unknown[] | undefined {
  if (Array.isArray(value["nodes"])) return value["nodes"];
  if (Array.isArray(value["edges"])) return value["edges"].map((edge) => (isItem(edge) ? edge["node"] : null));
  return undefined;
}

/** The values of a list whose items all have exactly one scalar field. Such a list is a column, not rows. */
function singleOf(items: readonly unknown[]): { key: string; values: unknown[] } | undefined {
  const [first] = items;
  const [key, ...others] = isItem(first) ? Object.keys(first) : [];
  if (key === undefined || others.length > 0 || !items.every((item) => isItem(item) && isScalar(item[key])))
    return undefined;
  return { key, values: items.map((item) => (item as Item)[key]) };
}

class Tabulator {
  private readonly names: string[] = [];

  /** Inserts a column. Columns are in the order of the answer, also if the first rows lack some. */
  private place(name: string, after: string | undefined): string {
    if (!this.names.includes(name)) this.names.splice(after === undefined ? 0 : this.names.indexOf(after) + 1, 0, name);
    return name;
  }

  /** Reads the cells of an item, and the lists in it. */
  private read(
    item: Item,
    names: readonly string[],
    isOuter: boolean,
    cells: Map<string, Cell>,
    lists: Found[],
    last: { name?: string | undefined },
  ): void {
    const put = (name: string, value: Cell) => {
      last.name = this.place(name, last.name);
      cells.set(name, value);
    };
    for (const [key, value] of Object.entries(item)) {
      if (key === "__typename") continue;
      const name = named(names, key);
      if (isScalar(value)) put(name, cellOf(value));
      else if (Array.isArray(value)) {
        const single = isOuter ? undefined : singleOf(value);
        if (single) put(`${name}.${single.key}`, joined(single.values));
        else if (value.length > 0 && value.every(isScalar)) put(name, joined(value));
        else {
          if (value.length === 0 && !isOuter) put(name, null);
          lists.push({ key: name, items: value });
        }
      } else {
        const items = itemsOf(value as Item);
        if (!items) this.read(value as Item, [...names, key], isOuter, cells, lists, last);
        else {
          const others = Object.fromEntries(
            Object.entries(value as Item).filter(([each, inner]) => isScalar(inner) && each !== "__typename"),
          );
          if (!isOuter) this.read(others, [...names, key], isOuter, cells, lists, last);
          lists.push({ key: name, items });
        }
      }
    }
  }

  private *rowsOf(
    item: unknown,
    names: readonly string[],
    isOuter: boolean,
    around: Cells,
    lastAround: string | undefined,
  ): Generator<Cells> {
    const cells = new Map(around);
    const lists: Found[] = [];
    const last = { name: lastAround };
    if (isItem(item)) this.read(item, names, isOuter, cells, lists, last);
    const [list, ...others] = lists;
    if (others.length > 0)
      throw new NoTable(
        `This answer is no table: its lists stand side by side (${lists.map(({ key }) => key).join(", ")}). Ask for one of them at a time.`,
      );
    if (!list) {
      if (isOuter) throw new NoTable("This answer is no table: it has no list.");
      yield cells;
      return;
    }
    if (list.items.length === 0 && !isOuter) yield cells;
    for (const each of list.items)
      yield* this.rowsOf(each, isOuter ? [] : list.key.split("."), false, cells, last.name);
  }

  tableOf(data: unknown): AnswerTable {
    const found = [...this.rowsOf(data, [], true, new Map(), undefined)];
    // A null in place of an object or list gets no column if other rows have columns for its fields.
    const names = this.names.filter((name) => !this.names.some((other) => other.startsWith(`${name}.`)));
    const rows = found.map((cells) => names.map((name) => cells.get(name) ?? null));
    const columns = names.map((name, at) => {
      const values = rows.map((row) => row[at]).filter((value) => value !== null);
      return { name, isNumeric: values.length > 0 && values.every((value) => typeof value === "number") };
    });
    return { columns, rows };
  }
}

/** @throws NoTable if the answer does not have exactly one list at each level */
export const tableOfAnswer = (data: unknown): AnswerTable => new Tabulator().tableOf(data);

/** The table of an answer, or the reason why it is not a table. */
export function readTable(data: unknown): AnswerTable | string {
  try {
    return tableOfAnswer(data);
  } catch (error) {
    if (error instanceof NoTable) return error.message;
    throw error;
  }
}

const compare = (one: Cell | undefined, other: Cell | undefined): number =>
  typeof one === "number" && typeof other === "number"
    ? one - other
    : String(one).localeCompare(String(other), "en", { numeric: true });

/** The rows sorted by a column (with a minus: descending). Empty cells come last. */
export function sortedRows({ columns, rows }: AnswerTable, by: string | undefined): Cell[][] {
  const at = columns.findIndex(({ name }) => name === by?.replace(/^-/, ""));
  if (at < 0) return rows;
  const sign = by?.startsWith("-") ? -1 : 1;
  const isEmpty = (row: Cell[]) => (row[at] === null ? 1 : 0);
  return rows.toSorted((one, other) => isEmpty(one) - isEmpty(other) || sign * compare(one[at], other[at]));
}
