import type { FastifyInstance } from "fastify";

/** The headers that every answer carries for browsers. */

/** One policy for every answer that is not a built script or style: only our own files, no inline script or style, no outside host. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(";");

/** Headers that browsers use for pages and answers only. Scripts and styles come by the dozen, and the headers would be larger than many of them. */
const ofPages = {
  "content-security-policy": contentSecurityPolicy,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  // The same as frame-ancestors, which newer browsers use.
  "x-frame-options": "DENY",
};
const ofAll = { ...ofPages, "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff" };

/** Connections of HTTP/1.1 stay open without a word, and other answers tell for how long. */
const needless = [...Object.keys(ofPages), "x-request-id", "connection"];

/** For scripts and styles whose name changes with their content. (Their requests can be found in the log by path.) */
export function leaveOutHeadersOfPages({ raw }: { raw: { removeHeader: (name: string) => void } }): void {
  for (const name of needless) raw.removeHeader(name);
}

/** Adds them to every answer: to the raw one, so that answers which bypass Fastify have them too. */
export function sendHeaders(server: FastifyInstance): void {
  const headers = Object.entries(ofAll);
  server.addHook("onRequest", (_, { raw }, done) => {
    for (const [name, value] of headers) raw.setHeader(name, value);
    done();
  });
}
