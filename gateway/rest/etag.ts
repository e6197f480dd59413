import { createHash } from "node:crypto";

import type { FastifyInstance, FastifyRequest } from "fastify";

import { Problem } from "../problem.ts";

/** Tags by which a caller names the state of something that they have read: to be spared reading it again, or to change no other. */

const tagOf = (text: string | Buffer): string => `W/"${createHash("sha1").update(text).digest("base64")}"`;
const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");

/** Whether a header of tags names this one. */
export const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === "*" || header.split(",").some((one) => opaque(one) === opaque(etag)));

/** Gives each answer its tag, and answers 304 to who has it already. A failure has none. */
export function tagAnswers(server: FastifyInstance): void {
  server.addHook("onSend", async (request, reply, payload) => {
    if (reply.statusCode !== 200) return payload;
    if (!reply.hasHeader("etag")) {
      if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return payload;
      reply.header("etag", tagOf(payload));
    }
    const isReading = request.method === "GET" || request.method === "HEAD";
    if (!isReading || !matches(request.headers["if-none-match"], String(reply.getHeader("etag")))) return payload;
    reply.status(304);
    return "";
  });
}

/**
 * Has the act refuse what was changed since the caller read it, where they name its tag (If-Match). `bodyOf` makes what a GET answers
 * of what the act holds, where it is not that itself; tags of files are given as they are.
 *
 * @throws Problem STALE, when the act calls it
 */
export function expectMatch(request: FastifyRequest, bodyOf: (held: never) => object | string = (held: object) => held): void {
  const header = request.headers["if-match"];
  if (header === undefined) return;
  request.context.expect = (held) => {
    const body = bodyOf(held as never);
    const tag = typeof body === "string" ? body : tagOf(JSON.stringify(body));
    if (!matches(header, tag)) throw new Problem("STALE", "It was changed since you read it (If-Match). Nothing was changed. Read it again.");
  };
}
