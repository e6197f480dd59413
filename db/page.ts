import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";

/**
 * A list's order: columns that are never null, the last one unique, all running one way (so that PostgreSQL can compare and
 * index them as one row value). `key` is the row's key that holds the column's value.
 */
export type Order = {
  columns: { key: string; column: string; type: keyof typeof typePatterns }[];
  descending?: boolean;
};

/**
 * Which part of a list is asked for: `first`/`after` forwards, `last`/`before` backwards, `offset` rows skipped from there.
 * Without first and last: all of it.
 */
export type PageInput = {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  offset?: number | null;
};

export type Page<Row> = {
  rows: Row[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  cursorOf(row: Row): string;
  /** Counts the whole list, when asked. */
  count: () => Promise<number>;
};

/** The cursor given is not one that this list handed out. */
export class ForeignCursor extends Error {
  override name = "ForeignCursor";
}

const encode = (values: unknown[]): string => Buffer.from(JSON.stringify(values)).toString("base64url");

const typePatterns = {
  text: /^[^\0]*$/,
  integer: /^-?\d{1,9}$/,
  bigint: /^-?\d{1,15}$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  timestamptz: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  real: /^-?\d+(\.\d+)?(e[+-]?\d+)?$/,
};

function decode(cursor: string, { columns }: Order): string[] {
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    throw new ForeignCursor();
  }
  if (!Array.isArray(values) || values.length !== columns.length) throw new ForeignCursor();
  return values.map((value, index) => {
    if (typeof value !== "string" && typeof value !== "number") throw new ForeignCursor();
    if (!typePatterns[columns[index]!.type].test(String(value))) throw new ForeignCursor();
    return String(value);
  });
}

/** SQL text of an instant in UTC with all its digits, the form in which a cursor can carry it. */
export const instant = (column: string) =>
  sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * Reads one page of a list by its keys, so that a deep page costs what a shallow one costs and rows that arrive meanwhile
 * move nothing.
 *
 * @throws ForeignCursor
 */
export async function readPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Order,
  { first, after, last, before, offset }: PageInput,
): Promise<Page<Row>> {
  const backwards = last != null;
  const size = backwards ? last : first;
  const key = sql.join(order.columns.map(({ column }) => sql.ref(column)));
  const beyond = (cursor: string, forwards: boolean) => {
    const values = decode(cursor, order).map((value, index) => sql`cast(${value} as ${sql.raw(order.columns[index]!.type)})`);
    const operator = sql.raw((order.descending ?? false) === forwards ? "<" : ">");
    return sql<SqlBool>`(${key}) ${operator} (${sql.join(values)})`;
  };

  let page = query;
  if (after != null) page = page.where(beyond(after, true));
  if (before != null) page = page.where(beyond(before, false));
  for (const { column } of order.columns) {
    page = page.orderBy(sql.ref(column), (order.descending ?? false) === backwards ? "asc" : "desc");
  }
  if (offset) page = page.offset(offset);
  if (size != null) page = page.limit(size + 1);
  const rows = await page.execute();
  const more = size != null && rows.length > size;
  if (more) rows.pop();
  if (backwards) rows.reverse();
  return {
    rows,
    hasNextPage: backwards ? before != null : more,
    hasPreviousPage: backwards ? more : after != null || (offset ?? 0) > 0,
    cursorOf: (row) => encode(order.columns.map((column) => (row as Record<string, unknown>)[column.key])),
    count: async () => {
      const counted = query.clearSelect().select(sql<number>`count(*)`.as("count"));
      return ((await counted.executeTakeFirstOrThrow()) as { count: number }).count;
    },
  };
}

/** Every row of a list, read page by page as it is consumed: an export holds one page in memory and no connection. */
export async function* everyRow<Row>(read: (page: PageInput) => Promise<Page<Row>>): AsyncGenerator<Row, void> {
  for (let after: string | null = null, more = true; more; ) {
    const page: Page<Row> = await read({ first: 1000, after });
    yield* page.rows;
    more = page.hasNextPage;
    if (more) after = page.cursorOf(page.rows.at(-1)!);
  }
}
