import type { Edge, Page, PageInput, ParentKey } from "../../db/page.ts";
import { batchedBy } from "../batch.ts";
import type { Context } from "../context.ts";

/** Relay's shape of a page of a list. What costs (cursors, a count, a look around) is made only when it is asked. */
export function connectionOf<Row extends object>(page: Page<Row>) {
  const cursorAt = (row: Row | undefined) => (row ? page.cursorOf(row) : null);
  return {
    edges: page.rows.map((node) => ({
      node,
      get cursor() {
        return page.cursorOf(node);
      },
    })),
    pageInfo: {
      // GraphQL awaits a promise where Pothos' types know a value only.
      get hasNextPage() {
        return page.isFollowed() as unknown as boolean;
      },
      get hasPreviousPage() {
        return page.isPreceded() as unknown as boolean;
      },
      get startCursor() {
        return cursorAt(page.rows[0]);
      },
      get endCursor() {
        return cursorAt(page.rows.at(-1));
      },
    },
    count: page.count,
  };
}

/** What an edge starts from: the parent's key, by its name. */
type Parent = Partial<Record<Edge, ParentKey>>;

/**
 * The edges from parents to their parts of an act's list. All parents of a request that are asked the same share one statement, and
 * one look at what is asked: `inputOf` makes the act's input of the edge's arguments. The act gets the parents in `page.of` and
 * passes them on.
 */
export function pagesBelow<Args extends object, Input extends { page: PageInput }, Row extends object>(
  read: (context: Context, input: Input) => Promise<Page<Row>>,
  inputOf: (args: Args) => Input,
): (context: Context, parent: Parent, args: Args) => Promise<Page<Row>> {
  const load = batchedBy<{ edge: Edge; args: Args }, ParentKey, Page<Row>>(
    async (context, { edge, args }, keys) => {
      const input = inputOf(args);
      const page = await read(context, { ...input, page: { ...input.page, of: { handle: context.db, edge, keys } } });
      return new Map(keys.map((key) => [key, page.pageOf(key)]));
    },
    () => new Error("A page was not read"),
  );
  return (context, parent, args) => {
    const [[edge, key]] = Object.entries(parent) as [[Edge, ParentKey]];
    return load(context, { edge, args }, key);
  };
}

/** The connections at the ends of edges: `pagesBelow` in Relay's shape. */
export function connectionsBelow<Args extends object, Input extends { page: PageInput }, Row extends object>(
  read: (context: Context, input: Input) => Promise<Page<Row>>,
  inputOf: (args: Args) => Input,
) {
  const load = pagesBelow(read, inputOf);
  return async (context: Context, parent: Parent, args: Args) => connectionOf(await load(context, parent, args));
}
