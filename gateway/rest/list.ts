import type { FastifyReply, FastifyRequest } from "fastify";

import type { Page, PageInput } from "../../db/page.ts";

/** The part of a list that `?limit=` and `?cursor=` ask for: the whole list without them. */
export function pageOf({ limit, cursor }: { limit?: number | undefined; cursor?: string | undefined }): PageInput {
  return { first: limit ?? null, after: cursor ?? null };
}

/** Names the next page, if there is one, in the `Link` header; answers the page's rows for the body. */
export function linkNext<Row>(request: FastifyRequest, reply: FastifyReply, page: Page<Row>): Row[] {
  const last = page.rows.at(-1);
  if (page.hasNextPage && last) {
    const url = new URL(request.url, "http://localhost");
    url.searchParams.set("cursor", page.cursorOf(last));
    reply.header("link", `<${url.pathname}${url.search}>; rel="next"`);
  }
  return page.rows;
}
