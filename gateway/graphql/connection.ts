import type { Edge as ParentEdge, Page, PageInput, ParentKey } from "../../db/list/page.ts";
import { batchedBy } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { countingOf, type Selected } from "./counting.ts";

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
  // The cast: GraphQL awaits a promise here, but Pothos' types only allow a value.
  get hasNextPage() {
    return this.page.isFollowed() as unknown as boolean;
  }
  // The cast: as in `hasNextPage`.
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
 * A page of a list in Relay's shape. Expensive parts (edges, cursors, the count, whether more rows exist) are computed
 * only when a query selects them. The getters are in classes, because those of object literals would be created again
 * for each connection of a request.
 */
class Connection<Row> {
  constructor(readonly page: Page<Row>) {}
  get edges(): Edge<Row>[] {
    return this.page.rows.map((node) => new Edge(this.page, node));
  }
  get pageInfo(): PageInfo<Row> {
    return new PageInfo(this.page);
  }
  count(): number | Promise<number> {
    return this.page.count();
  }
}

/**
 * A list at the root of a query, in Relay's shape. If the query selects `totalCount`, it is read together with the
 * rows.
 */
export async function readConnection<Input extends { page: PageInput }, Row extends object>(
  read: (context: Context, input: Input) => Promise<Page<Row>>,
  context: Context,
  input: Input,
  info: Selected,
): Promise<Connection<Row>> {
  return new Connection(await read(context, { ...input, page: { ...input.page, counting: countingOf(info) } }));
}

/** The parent of an edge: the name of its key, with the key. */
type Parent = Partial<Record<ParentEdge, ParentKey>>;
type Asked<Args> = { edge: ParentEdge; args: Args; counting?: PageInput["counting"] };

function loaderBelow<Args extends object, Input extends { page: PageInput }, Row extends object, Shaped>(
  read: (context: Context, input: Input) => Promise<Page<Row>>,
  inputOf: (args: Args) => Input,
  shape: (page: Page<Row>) => Shaped,
) {
  const load = batchedBy<Asked<Args>, ParentKey, Shaped>(
    async (context, { edge, args, counting }, keys) => {
      const input = inputOf(args);
      const page = await read(context, {
        ...input,
        page: { ...input.page, counting, of: { handle: context.db, edge, keys } },
      });
      return new Map(keys.map((key) => [key, shape(page.pageOf(key))]));
    },
    () => new Error("A page was not read"),
  );
  return (context: Context, parent: Parent, args: Args, info?: Selected): Promise<Shaped> => {
    const [[edge, key]] = Object.entries(parent) as [[ParentEdge, ParentKey]];
    return load(context, { edge, args, counting: info && countingOf(info) }, key, info?.fieldNodes);
  };
}

/**
 * Makes a function that reads the lists of parents. All parents of a request with the same arguments share one
 * statement and one check of the arguments. `inputOf` turns the edge's arguments into the input of `read`, which gets
 * the parents in `page.of` and passes them on.
 */
export function pagesBelow<Args extends object, Input extends { page: PageInput }, Row extends object>(
  read: (context: Context, input: Input) => Promise<Page<Row>>,
  inputOf: (args: Args) => Input,
) {
  const load = loaderBelow(read, inputOf, (page) => page);
  return (context: Context, parent: Parent, args: Args): Promise<Page<Row>> => load(context, parent, args);
}

/** The same as `pagesBelow`, in Relay's shape. */
export function connectionsBelow<Args extends object, Input extends { page: PageInput }, Row extends object>(
  read: (context: Context, input: Input) => Promise<Page<Row>>,
  inputOf: (args: Args) => Input,
) {
  const load = loaderBelow(read, inputOf, (page) => new Connection(page));
  return (context: Context, parent: Parent, args: Args, info: Selected): Promise<Connection<Row>> =>
    load(context, parent, args, info);
}
