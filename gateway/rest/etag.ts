import { createHash } from "node:crypto";

import type { FastifyInstance, FastifyRequest } from "fastify";

import { Problem } from "../problem.ts";

/** ETags: a caller names the state that they have read, to avoid reading it again (If-None-Match), or to change only that state (If-Match). */

export const tagOf = (text: string | Buffer): string => `W/"${createHash("sha1").update(text).digest("base64")}"`;
const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");

/** Whether a header of tags names this one. */
export const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === "*" || header.split(",").some((one) => opaque(one) === opaque(etag)));

/** Gives each answer its tag. A failure has none. */
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
    if (!isReading || reply.statusCode !== 200 || etag === undefined || !matches(request.headers["if-none-match"], String(etag))) return payload;
    reply.status(304).removeHeader("content-encoding");
    return "";
  });
}

/**
 * Makes the act refuse a record that was changed since the caller read it, if they name its tag (If-Match). `bodyOf` turns the act's record
 * into the body of its GET, if they differ; tags of files are passed as they are.
 *
 * @throws Problem STALE, when the act calls it
 */
export function expectMatch(request: FastifyRequest, bodyOf: (held: never) => object | string = (held: object) => held): void {
  const header = request.headers["if-match"];
  if (header === undefined) return;
  request.context.expect = (held) => {
    // The act passes the row of which this route's `bodyOf` makes the answer.
    const body = bodyOf(held as never);
    const tag = typeof body === "string" ? body : tagOf(JSON.stringify(body));
    if (!matches(header, tag)) throw new Problem("STALE", "It was changed since you read it (If-Match). Nothing was changed. Read it again.");
  };
}
