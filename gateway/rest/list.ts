import type { FastifyReply, FastifyRequest } from "fastify";

import { everyRow, ForeignCursor, type Page, type PageInput } from "../../db/list/page.ts";
import { mapRows, sendJsonRows } from "./lines.ts";

type ListQuery = { limit?: number | undefined; cursor?: string | undefined };

/** The part of a list that `?limit=` and `?cursor=` ask for: the whole list without them. */
export function pageOf({ limit, cursor }: ListQuery): PageInput {
  return { first: limit ?? null, after: cursor ?? null };
}

/**
 * Sends a JSON text. It is sent as a buffer, because a string would be encoded twice: for its ETag and for the socket.
 */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply =>
  reply.type("application/json; charset=utf-8").send(Buffer.from(json));

/** Sets the `Link` header to the next page: the same call with these query parameters. */
export function linkTo(request: FastifyRequest, reply: FastifyReply, parameters: Record<string, string>): void {
  const url = new URL(request.url, "http://localhost");
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  reply.header("link", `<${url.pathname}${url.search}>; rel="next"`);
}

/** Sets the `Link` header to the next page, if there is one. Returns the rows of the page for the body. */
export function linkNext<Row>(request: FastifyRequest, reply: FastifyReply, page: Page<Row>): Row[] {
  const last = page.rows.at(-1);
  if (page.hasNextPage && last) linkTo(request, reply, { cursor: page.cursorOf(last) });
  return page.rows;
}

/** Sends the requested page of a list, or the whole list. */
export async function sendList<Row, Shown extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  query: ListQuery,
  read: (page: PageInput) => Promise<Page<Row>>,
  shape: (row: Row) => Shown,
): Promise<Shown[]> {
  // The reply has already been sent, so it is returned in place of rows.
  if (query.limit === undefined && query.cursor === undefined)
    return sendJsonRows(reply, mapRows(everyRow(read), shape));
  return linkNext(request, reply, await read(pageOf(query))).map(shape);
}

/**
 * The page of a short list that was read whole. Its cursors hold the key of the previous row. If that row is gone, the
 * cursor is refused.
 *
 * @throws ForeignCursor
 */
export function linkNextOf<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  { limit, cursor }: ListQuery,
  rows: readonly Row[],
  keyOf: (row: Row) => string | number,
): Row[] {
  const encoded = (row: Row) =>
    Buffer.from(JSON.stringify([request.url.split("?")[0], keyOf(row)])).toString("base64url");
  const before = cursor === undefined ? -1 : rows.findIndex((row) => encoded(row) === cursor);
  if (cursor !== undefined && before < 0) throw new ForeignCursor();
  const end = limit === undefined ? rows.length : before + 1 + limit;
  const last = rows[end - 1];
  if (end < rows.length && last !== undefined) linkTo(request, reply, { cursor: encoded(last) });
  return rows.slice(before + 1, end);
}
