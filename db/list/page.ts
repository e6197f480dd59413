import { createHash } from "node:crypto";

import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";

import { byParent, type EdgeConditions, isBelow, listBelow, type ParentKey, type Parents } from "./parents.ts";

export type { Edge, ParentKey } from "./parents.ts";

/**
 * A list's order: columns that are never null, the last one unique, all in one direction (so that PostgreSQL can
 * compare and index them as one row value). `key` is the row's key that holds the column's value.
 */
export type Order = {
  columns: { key: string; column: string | RawBuilder<unknown>; type: keyof typeof typePatterns }[];
  descending?: boolean;
  /** distinguishes orders whose computed columns have the same keys */
  name?: string;
  /**
   * The order has no index: the keys of all rows are sorted, and the other columns are read only for the rows of the
   * page, if it has a size.
   */
  isByKeys?: boolean;
  /** The sort value is computed, so each page reads all rows, and counting them costs nothing more. */
  isComputed?: boolean;
  /**
   * For a computed order: makes the query of the whole rows from that of a page (`match`), which has the columns of the
   * order.
   */
  shown?: (page: Expression<unknown>) => unknown;
  /** conditions by which rows belong to a parent, if not by the facility or person that the list joins */
  edges?: EdgeConditions;
};

/**
 * The requested part of a list: `first`/`after` forwards, `last`/`before` backwards, and `offset` rows skipped from
 * there. With `first` and `last`: the last rows of the first ones. Without both: the whole list. `of`: the same part of
 * the lists of many parents, in one statement.
 */
export type PageInput = {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  offset?: number | null;
  /**
   * whether the total number of rows is needed: "only" the number without rows, or "too" with the rows, by the same
   * statement
   */
  counting?: "only" | "too" | undefined;
  of?: Parents;
};

export type Page<Row> = {
  rows: Row[];
  /** Whether rows follow or precede the page, as far as the read rows show. */
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  /** Whether rows follow or precede the page. If the read rows do not show it, a query does. */
  isFollowed: () => Promise<boolean>;
  isPreceded: () => Promise<boolean>;
  cursorOf(row: Row): string;
  /**
   * Counts the whole list. If the number was read with the page, it is returned without a promise: in an answer with
   * many lists, the promises would cost more than the numbers.
   */
  count: () => number | Promise<number>;
  /** With `of`: one parent's page. */
  pageOf: (parent: ParentKey) => Page<Row>;
};

/** An order that a caller chose: a key of the list, with a minus for descending. */
export type Sort<By extends string> = By | `-${By}`;
/** Splits a sort into its key and direction. */
export const sortOf = <By extends string>(sort: Sort<By>): { by: By; descending: boolean } => ({
  by: sort.replace(/^-/, "") as By,
  descending: sort.startsWith("-"),
});

/** The cursor does not belong to this list and order. `argument`: the one in which GraphQL has it. */
export class ForeignCursor extends Error {
  override name = "ForeignCursor";
  constructor(readonly argument: "after" | "before" = "after") {
    super();
  }
}

const typePatterns = {
  text: /^[^\0]*$/,
  integer: /^-?\d{1,9}$/,
  bigint: /^-?\d{1,15}$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  timestamptz: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  real: /^-?\d+(\.\d+)?(e[+-]?\d+)?$/,
};

/** A mark in cursors that identifies the list and its order. */
function markOf({ columns, name = "", descending }: Order): string {
  const names = columns.map(({ key, column }) => `${key}=${typeof column === "string" ? column : ""}`);
  return createHash("sha256")
    .update(`${names.join()}${name} ${descending ?? false}`)
    .digest("base64url")
    .slice(0, 6);
}

const encode = (values: unknown[]): string => Buffer.from(JSON.stringify(values)).toString("base64url");

function decode(cursor: string, order: Order, argument: "after" | "before"): string[] {
  let given: unknown;
  try {
    given = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    throw new ForeignCursor(argument);
  }
  if (!Array.isArray(given) || given.length !== order.columns.length + 1) throw new ForeignCursor(argument);
  const [mark, ...values] = given as unknown[];
  if (mark !== markOf(order)) throw new ForeignCursor(argument);
  return values.map((value, index) => {
    if (typeof value !== "string" && typeof value !== "number") throw new ForeignCursor(argument);
    if (!typePatterns[order.columns[index]!.type].test(String(value))) throw new ForeignCursor(argument);
    return String(value);
  });
}

/** SQL that writes an instant in UTC with all its digits, for a cursor. */
export const instant = (column: string) =>
  sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
};

/**
 * Reads one page of a list by its keys (keyset pagination): a late page is as fast as the first one, and new rows do
 * not shift it. With `of`, one statement reads the pages of all parents, one counts them, and one looks for rows before
 * or after them.
 *
 * @param counted the same list without the joins that only provide names, for counting: an index alone can then give
 *   the number. (PostgreSQL leaves unused joins out, but would still read each row.) With `of` it must have the columns
 *   of the edge
 * @param skipped the same list for the rows that `offset` skips. It must have the columns of the order
 *
 * @throws ForeignCursor
 */
export async function readPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Order,
  { first, after, last, before, offset, counting, of }: PageInput,
  counted?: SelectQueryBuilder<DB, TB, unknown>,
  skipped?: SelectQueryBuilder<DB, TB, unknown>,
): Promise<Page<Row>> {
  const backwards = first == null && last != null;
  const size = backwards ? last : first;
  const columns = order.columns.map(({ column }) => (typeof column === "string" ? sql.ref(column) : column));
  const key = sql.join(columns);
  const descending = order.descending ?? false;
  const beyond = (cursor: string, argument: "after" | "before", forwards: boolean, orAt = false) => {
    const values = decode(cursor, order, argument).map(
      (value, index) => sql`cast(${value} as ${sql.raw(order.columns[index]!.type)})`,
    );
    const operator = sql.raw((descending === forwards ? "<" : ">") + (orAt ? "=" : ""));
    return sql<SqlBool>`(${key}) ${operator} (${sql.join(values)})`;
  };

  const below = <Found>(list: SelectQueryBuilder<DB, TB, Found>) =>
    of ? list.where(isBelow(of.edge, order.edges)) : list;
  const all = below(query);
  /** Runs a query for the list, or for each parent's list. */
  const run = async <Found>(asked: SelectQueryBuilder<DB, TB, Found>): Promise<Map<ParentKey, Found[]>> => {
    if (!of) return new Map([["", await asked.execute()]]);
    return byParent(of, await listBelow<Found>(of, asked));
  };

  const inOrder = <Found>(rows: SelectQueryBuilder<DB, TB, Found>) =>
    columns.reduce((ordered, column) => ordered.orderBy(column, descending === backwards ? "asc" : "desc"), rows);
  const partOf = <Found>(list: SelectQueryBuilder<DB, TB, Found>) => {
    let part = list;
    if (after != null) part = part.where(beyond(after, "after", true));
    if (before != null) part = part.where(beyond(before, "before", false));
    // The limit is a literal: with a parameter PostgreSQL would plan the statement at each call.
    return size == null ? inOrder(part) : inOrder(part).limit(sql.lit(size + 1));
  };
  /**
   * For skipped rows only the keys are read. Their number is a parameter: as a literal, each number would make another
   * statement to prepare.
   */
  const partBeyond = (skip: number) => {
    const from = sql<number>`(select ${skip}::integer)`;
    if (order.isComputed) return partOf(all).offset(from);
    const unique = columns.at(-1)!;
    const keys = partOf(skipped ? below(skipped) : all).offset(from);
    return inOrder(all.where(sql<SqlBool>`${unique} = any(array(${keys.clearSelect().select(unique.as("key"))}))`));
  };

  const bare = all.clearSelect();
  const count = (counted ? below(counted) : bare).clearSelect().select(sql<number>`count(*)`.as("count"));
  const counts = once(() => run(count));
  const isUncut = after == null && before == null;
  const countOfAll = order.isComputed && isUncut ? sql`count(*) over ()` : sql`(${count})`;
  const whole = () => {
    const keyed = offset || (order.isByKeys && size != null) ? partBeyond(offset ?? 0) : partOf(all);
    const page = counting === "too" ? (keyed.select(countOfAll.as("countOfList")) as typeof keyed) : keyed;
    if (!order.shown) return page;
    const shown = inOrder(order.shown(page) as typeof page);
    return counting === "too" ? (shown.select(sql`match.count_of_list`.as("countOfList")) as typeof page) : shown;
  };
  const found = counting === "only" ? new Map<ParentKey, Row[]>() : await run(whole());
  const numbers = counting === "only" ? await counts() : undefined;
  const exists = (where: RawBuilder<SqlBool> | null) =>
    once(() => run((where ? bare.where(where) : bare).select(sql<number>`1`.as("one")).limit(sql.lit(1))));
  const any = exists(null);
  const notAfter = after == null ? null : exists(beyond(after, "after", false, true));
  const notBefore = before == null ? null : exists(beyond(before, "before", true, true));
  const mark = once(() => markOf(order));

  const pageOf = (parent: ParentKey): Page<Row> => {
    const rows = [...(found.get(parent) ?? [])];
    const noRow = counting === "too" && isUncut && !offset ? { countOfList: 0 } : {};
    const { countOfList } = (rows[0] ?? noRow) as { countOfList?: number };
    const countIn = (lists: Awaited<ReturnType<typeof counts>>) =>
      (lists.get(parent) as { count: number }[] | undefined)?.[0]?.count ?? 0;
    const isOver = size != null && rows.length > size;
    if (isOver) rows.pop();
    if (backwards) rows.reverse();
    const isCut = !backwards && last != null && rows.length > last;
    if (isCut) rows.splice(0, rows.length - last);
    const look = async (ask: (() => Promise<Map<ParentKey, unknown[]>>) | null) =>
      ask !== null && ((await ask()).get(parent) ?? []).length > 0;
    /** Whether there are rows on the side where reading started: skipped ones, or those before the cursor. */
    const began = async (cursorSide: typeof any | null) => (offset ? rows.length > 0 || look(any) : look(cursorSide));
    return {
      rows,
      hasNextPage: backwards ? before != null : isOver,
      hasPreviousPage: backwards ? isOver : isCut || after != null || (offset ?? 0) > 0,
      isFollowed: async () => (backwards ? began(notBefore) : isOver || look(notBefore)),
      isPreceded: async () => (backwards ? isOver || look(notAfter) : isCut || began(notAfter)),
      cursorOf: (row) =>
        encode([mark(), ...order.columns.map((column) => (row as Record<string, unknown>)[column.key])]),
      count: () => countOfList ?? (numbers ? countIn(numbers) : counts().then(countIn)),
      pageOf,
    };
  };
  return pageOf("");
}

/**
 * Every row of a list, read in pages of 1000. The next page is read while one is consumed. So an export holds two pages
 * in memory, and no connection between two pages.
 */
export async function* everyRow<Row>(read: (page: PageInput) => Promise<Page<Row>>): AsyncGenerator<Row, void> {
  const readFrom = (after: string | null) => {
    const page = read({ first: 1000, after });
    // A failure is thrown where the page is awaited. If the consumer has stopped, nobody awaits it.
    page.catch(() => {});
    return page;
  };
  for (let next: Promise<Page<Row>> | null = readFrom(null); next;) {
    const page: Page<Row> = await next;
    next = page.hasNextPage ? readFrom(page.cursorOf(page.rows.at(-1)!)) : null;
    yield* page.rows;
  }
}

/** The same page with rows converted by `show`, which must keep the columns of the order. */
export function mapPage<Row, Shown>(page: Page<Row>, show: (row: Row) => Shown): Page<Shown> {
  return {
    ...page,
    rows: page.rows.map(show),
    // A cursor is read from the columns of the order, which `show` keeps.
    cursorOf: (row) => page.cursorOf(row as unknown as Row),
    pageOf: (parent) => mapPage(page.pageOf(parent), show),
  };
}
