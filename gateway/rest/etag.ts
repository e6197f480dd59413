import { createHash } from "node:crypto";

import type { FastifyInstance, FastifyRequest } from "fastify";

import { Problem } from "../problem.ts";

/**
 * ETags: with the tag of a state that it has read, a caller can avoid reading it again (If-None-Match), or change only
 * that state (If-Match).
 */

/** The weak ETag of a body. */
export const tagOf = (text: string | Buffer): string => `W/"${createHash("sha1").update(text).digest("base64")}"`;
const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");

/** Whether a header with tags contains this one, or `*`. */
export const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === "*" || header.split(",").some((one) => opaque(one) === opaque(etag)));

/** Adds an ETag to each successful answer that has none. */
export function tagAnswers(server: FastifyInstance): void {
  server.addHook("onSend", async (_, reply, payload) => {
    if (reply.statusCode !== 200 || reply.hasHeader("etag")) return;
    if (typeof payload === "string" || Buffer.isBuffer(payload)) reply.header("etag", tagOf(payload));
  });
}

/** Answers 304 if the caller has the tagged answer already. */
export function answerUnchanged(server: FastifyInstance): void {
  server.addHook("onSend", async (request, reply, payload) => {
    const isReading = request.method === "GET" || request.method === "HEAD";
    const etag = reply.getHeader("etag");
    if (
      !isReading ||
      reply.statusCode !== 200 ||
      etag === undefined ||
      !matches(request.headers["if-none-match"], String(etag))
    )
      return payload;
    reply.status(304).removeHeader("content-encoding");
    return "";
  });
}

/**
 * If the request has If-Match, makes the act refuse a record that was changed since the caller read it. `bodyOf`
 * converts the act's record to the body of its GET, if they differ; for a file it returns the tag.
 *
 * The act throws Problem STALE when it calls `context.expect`.
 */
export function expectMatch(
  request: FastifyRequest,
  bodyOf: (held: never) => object | string = (held: object) => held,
): void {
  const header = request.headers["if-match"];
  if (header === undefined) return;
  request.context.expect = (held) => {
    // The cast: the act passes the row that this route's `bodyOf` converts.
    const body = bodyOf(held as never);
    const tag = typeof body === "string" ? body : tagOf(JSON.stringify(body));
    if (!matches(header, tag))
      throw new Problem("STALE", "It was changed since you read it (If-Match). Nothing was changed. Read it again.");
  };
}
