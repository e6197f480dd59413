import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

import type { FastifyInstance } from "fastify";

import { Problem } from "../problem.ts";
import { problemType } from "../rest/answer.ts";

/**
 * Answers for bytes that are not a valid HTTP request. They look like those of other failures, although there is no
 * request object.
 */

const failures: Record<string, { status: number; title: string; detail: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    title: "Headers too large",
    detail: "The headers of the request are larger than the 16 kB that are read.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, title: "Request timeout", detail: "The request did not come in time." },
};
const unreadable = { status: 400, title: "Malformed request", detail: "This cannot be read as HTTP." };

/** Writes the answer to the connection, and closes it. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: underWay } = socket as Socket & { _httpMessage?: ServerResponse };
  // The connection is gone, or an answer has already been started.
  if (error.code === "ECONNRESET" || !socket.writable || underWay?.headersSent) {
    socket.destroy(error);
    return;
  }
  const { status, title, detail } = failures[error.code ?? ""] ?? unreadable;
  const body = JSON.stringify({ type: "about:blank", title, status, detail });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Refuses requests of HTTP/1.1 that name no host. */
export function refuseWithoutHost(server: FastifyInstance): void {
  server.addHook("onRequest", async ({ raw }) => {
    if (raw.httpVersion === "1.1" && raw.headers.host === undefined)
      throw new Problem("MALFORMED", "The request has no Host header.");
  });
}
