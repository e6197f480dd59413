import type { Page } from "../../db/page.ts";

/** Relay's shape of a page of a list. The cursors of a page are made only when they are read. */
export function connectionOf<Row extends object>(page: Page<Row>) {
  const cursorAt = (row: Row | undefined) => (row ? page.cursorOf(row) : null);
  return {
    edges: page.rows.map((node) => ({ node, cursor: page.cursorOf(node) })),
    pageInfo: {
      hasNextPage: page.hasNextPage,
      hasPreviousPage: page.hasPreviousPage,
      startCursor: cursorAt(page.rows[0]),
      endCursor: cursorAt(page.rows.at(-1)),
    },
    count: page.count,
  };
}
