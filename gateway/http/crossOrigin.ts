import type { FastifyInstance } from "fastify";

/**
 * Calls by pages of other origins (CORS), for the origins that a setting lists. They sign in by token: the browser is
 * never allowed to send cookies or to let the page read an answer that depends on them.
 */

const allowedMethods = "GET, HEAD, POST, PUT, PATCH, DELETE";
const allowedHeaders = "Accept, Authorization, Content-Type, If-Match, If-None-Match, Range";
const exposedHeaders =
  "Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Repr-Digest, Retry-After, Warning, X-Request-Id";
/** Seconds for which a browser remembers what it may send. */
const rememberSeconds = 600;

const isInterface = (url: string): boolean => /^\/(graphql|api\/v1)(\/|\?|$)/.test(url);

/** Answers preflight requests, and lets pages of these origins read the answers to requests with a token. */
export function allowOrigins(server: FastifyInstance, origins: readonly string[]): void {
  const listed = new Set(origins);
  if (listed.size === 0) return;
  server.addHook("onRequest", async (request, reply) => {
    if (!isInterface(request.url)) return undefined;
    reply.header("vary", "origin");
    const { origin, "access-control-request-method": asks } = request.headers;
    if (origin === undefined || !listed.has(origin)) return undefined;
    reply.header("access-control-allow-origin", origin).header("access-control-expose-headers", exposedHeaders);
    // Cookies are ignored: they belong to the pages of this origin.
    delete request.headers.cookie;
    if (request.method !== "OPTIONS" || asks === undefined) return undefined;
    reply
      .header("access-control-allow-methods", allowedMethods)
      .header("access-control-allow-headers", allowedHeaders)
      .header("access-control-max-age", rememberSeconds);
    return reply.status(204).send();
  });
}
