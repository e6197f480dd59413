import type { FastifyInstance } from "fastify";

/** The headers that every answer carries for browsers. */

/**
 * The policy of every answer that is not a built script or style: only files of this origin, no inline scripts or
 * styles.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(";");

/**
 * Headers that browsers use only for pages and other answers. Scripts and styles do not get them: there are dozens,
 * many smaller than these headers.
 */
const ofPages = {
  "content-security-policy": contentSecurityPolicy,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  // The same as frame-ancestors, which newer browsers use.
  "x-frame-options": "DENY",
};
const ofAll = { ...ofPages, "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff" };

/**
 * The headers that scripts and styles do not need. Without a `connection` header HTTP/1.1 connections stay open, too.
 */
const needless = [...Object.keys(ofPages), "x-request-id", "connection"];

/**
 * Removes the headers that scripts and styles do not need. (Without a request id their requests can be found in the log
 * by path.)
 */
export function leaveOutHeadersOfPages({ raw }: { raw: { removeHeader: (name: string) => void } }): void {
  for (const name of needless) raw.removeHeader(name);
}

/** Adds the headers to every answer, on the raw response, so that answers that bypass Fastify have them too. */
export function sendHeaders(server: FastifyInstance): void {
  const headers = Object.entries(ofAll);
  server.addHook("onRequest", (_, { raw }, done) => {
    for (const [name, value] of headers) raw.setHeader(name, value);
    done();
  });
}
