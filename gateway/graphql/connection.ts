import type { Edge, Page, PageInput, ParentKey } from "../../db/page.ts";
import { batchedBy } from "../batch.ts";
import type { Context } from "../context.ts";

/** Relay's shape of a page of a list. What costs a further statement (a count, a look around) is read only when it is asked. */
export function connectionOf<Row extends object>(page: Page<Row>) {
  const cursorAt = (row: Row | undefined) => (row ? page.cursorOf(row) : null);
  return {
    edges: page.rows.map((node) => ({ node, cursor: page.cursorOf(node) })),
    pageInfo: {
      // GraphQL awaits a promise where Pothos' types know a value only.
      get hasNextPage() {
        return page.isFollowed() as unknown as boolean;
      },
      get hasPreviousPage() {
        return page.isPreceded() as unknown as boolean;
      },
      startCursor: cursorAt(page.rows[0]),
      endCursor: cursorAt(page.rows.at(-1)),
    },
    count: page.count,
  };
}

type Asked = { page: PageInput };
type Read<Input extends Asked, Row> = (context: Context, input: Input) => Promise<Page<Row>>;
type Load = (context: Context, asked: { edge: Edge; input: Asked }, key: ParentKey) => Promise<Page<object>>;

const loads = new WeakMap<Read<never, object>, Load>();

/** The pages of an act's list below many parents. */
function loadBelow<Input extends Asked, Row extends object>(read: Read<Input, Row>): Load {
  const load = batchedBy<{ edge: Edge; input: Asked }, ParentKey, Page<object>>(
    async (context, { edge, input }, keys) => {
      const page = await read(context, { ...(input as Input), page: { ...input.page, of: { handle: context.db, edge, keys } } });
      return new Map(keys.map((key) => [key, page.pageOf(key) as unknown as Page<object>]));
    },
    () => new Error("A page was not read"),
  );
  loads.set(read as unknown as Read<never, object>, load);
  return load;
}

/**
 * The part of an act's list that lies below `parent` (its key, by name). All parents of a request that are asked the same share
 * one statement. The act gets the parents in `page.of` and passes them on.
 */
export async function pageBelow<Input extends Asked, Row extends object>(
  context: Context,
  read: Read<Input, Row>,
  parent: Partial<Record<Edge, ParentKey>>,
  input: Input,
): Promise<Page<Row>> {
  const [[edge, key]] = Object.entries(parent) as [[Edge, ParentKey]];
  const load = loads.get(read as unknown as Read<never, object>) ?? loadBelow(read);
  return (await load(context, { edge, input }, key)) as unknown as Page<Row>;
}

/** The connection at the end of an edge: `pageBelow` in Relay's shape. */
export const connectionBelow = async <Input extends Asked, Row extends object>(
  context: Context,
  read: Read<Input, Row>,
  parent: Partial<Record<Edge, ParentKey>>,
  input: Input,
) => connectionOf(await pageBelow(context, read, parent, input));
