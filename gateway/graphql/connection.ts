import type { Edge as ParentEdge, Page, PageInput, ParentKey } from "../../db/page.ts";
import { batchedBy } from "../batch.ts";
import type { Context } from "../context.ts";

class Edge<Row> {
  constructor(
    readonly page: Page<Row>,
    readonly node: Row,
  ) {}
  get cursor(): string {
    return this.page.cursorOf(this.node);
  }
}

class PageInfo<Row> {
  constructor(readonly page: Page<Row>) {}
  // GraphQL awaits a promise where Pothos' types know a value only.
  get hasNextPage() {
    return this.page.isFollowed() as unknown as boolean;
  }
  get hasPreviousPage() {
    return this.page.isPreceded() as unknown as boolean;
  }
  get startCursor() {
    return this.cursorAt(this.page.rows[0]);
  }
  get endCursor() {
    return this.cursorAt(this.page.rows.at(-1));
  }
  private cursorAt(row: Row | undefined): string | null {
    return row ? this.page.cursorOf(row) : null;
  }
}

/**
 * Relay's shape of a page of a list. What costs (edges, cursors, a count, a look around) is made only when it is asked: by getters
 * of classes, since those of object literals are made anew for each of a request's many connections.
 */
class Connection<Row> {
  constructor(readonly page: Page<Row>) {}
  get edges(): Edge<Row>[] {
    return this.page.rows.map((node) => new Edge(this.page, node));
  }
  get pageInfo(): PageInfo<Row> {
    return new PageInfo(this.page);
  }
  count(): Promise<number> {
    return this.page.count();
  }
}

export const connectionOf = <Row extends object>(page: Page<Row>): Connection<Row> => new Connection(page);

/** What an edge starts from: the parent's key, by its name. */
type Parent = Partial<Record<ParentEdge, ParentKey>>;

function shapedBelow<Args extends object, Input extends { page: PageInput }, Row extends object, Shaped>(
  read: (context: Context, input: Input) => Promise<Page<Row>>,
  inputOf: (args: Args) => Input,
  shape: (page: Page<Row>) => Shaped,
): (context: Context, parent: Parent, args: Args) => Promise<Shaped> {
  const load = batchedBy<{ edge: ParentEdge; args: Args }, ParentKey, Shaped>(
    async (context, { edge, args }, keys) => {
      const input = inputOf(args);
      const page = await read(context, { ...input, page: { ...input.page, of: { handle: context.db, edge, keys } } });
      return new Map(keys.map((key) => [key, shape(page.pageOf(key))]));
    },
    () => new Error("A page was not read"),
  );
  return (context, parent, args) => {
    const [[edge, key]] = Object.entries(parent) as [[ParentEdge, ParentKey]];
    return load(context, { edge, args }, key);
  };
}

/**
 * The edges from parents to their parts of an act's list. All parents of a request that are asked the same share one statement, and
 * one look at what is asked: `inputOf` makes the act's input of the edge's arguments. The act gets the parents in `page.of` and
 * passes them on.
 */
export const pagesBelow = <Args extends object, Input extends { page: PageInput }, Row extends object>(
  read: (context: Context, input: Input) => Promise<Page<Row>>,
  inputOf: (args: Args) => Input,
) => shapedBelow(read, inputOf, (page) => page);

/** The connections at the ends of edges: `pagesBelow` in Relay's shape. */
export const connectionsBelow = <Args extends object, Input extends { page: PageInput }, Row extends object>(
  read: (context: Context, input: Input) => Promise<Page<Row>>,
  inputOf: (args: Args) => Input,
) => shapedBelow(read, inputOf, connectionOf);
