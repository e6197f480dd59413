import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

import type { FastifyInstance, FastifyRequest } from "fastify";

import { follow, type Follower } from "../../db/engine/slow.ts";
import { shownPath } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** Traces every request, however it ends: its id in the answer, a line in the log, and its metrics. */

/** An id that a proxy or a caller may choose for its request: only characters that never need escaping. */
const idPattern = /^[A-Za-z0-9._~-]{1,64}$/;

/** The request's id: the caller's `X-Request-Id` where it is a plain one, else a new one. */
export function requestIdOf({ headers }: { headers: IncomingMessage["headers"] }): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && idPattern.test(given) ? given : randomUUID();
}

/** The trace that a caller or proxy has begun, by its `traceparent` (W3C Trace Context, version 00). */
const traceOf = ({ headers }: FastifyRequest): string | undefined => {
  const [, id] = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(String(headers.traceparent)) ?? [];
  return id === "0".repeat(32) ? undefined : id;
};

/** Health checks and metrics, every few seconds: logged at level debug. */
const probes = new Set(["/healthz", "/readyz", "/metrics"]);

const operationOf = (body: unknown): string | undefined => {
  const name = (body as { operationName?: unknown } | undefined)?.operationName;
  return typeof name === "string" && /^\w{1,80}$/.test(name) ? name : undefined;
};

/** Follows every request to its end, answered or given up by the caller. */
export function traceRequests(server: FastifyInstance, metrics: Metrics): void {
  server.addHook("onRequest", async (request, reply) => {
    const start = process.hrtime.bigint();
    // On the raw answer, so that answers which bypass Fastify carry it too.
    reply.raw.setHeader("x-request-id", request.id);
    reply.raw.once("close", () => {
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      const route = request.routeOptions.url ?? "none";
      const { method } = request;
      const gone = !reply.raw.writableFinished;
      // 499 is what nginx calls a caller who did not wait.
      const status = gone ? 499 : reply.raw.statusCode;
      metrics.request({ method, route, status, seconds });
      const level = status >= 500 ? "error" : probes.has(route) ? "debug" : "info";
      const viewer = request.context?.viewer;
      request.log[level](
        {
          method,
          route,
          path: shownPath(request),
          traceId: traceOf(request),
          operation: operationOf(request.body),
          status,
          ms: Math.round(seconds * 1e4) / 10,
          bytes: Number(reply.raw.getHeader("content-length")) || undefined,
          user: viewer?.userUuid,
          tokenUuid: viewer?.tokenUuid ?? undefined,
          address: request.ip,
        },
        gone ? "given up" : "answered",
      );
    });
  });
}

const mostText = 2000;

/** Logs the statements of each request that take `fromMs` or longer, with the request's id. */
export function logSlowStatements(server: FastifyInstance, fromMs: number): void {
  const followers = new WeakMap<FastifyRequest, Follower>();
  server.addHook("onRequest", (request, _reply, done) => {
    const follower: Follower = {
      fromMs,
      tell({ text, ms }) {
        const about = { statement: text.slice(0, mostText), ms: Math.round(ms), route: request.routeOptions.url, operation: operationOf(request.body), traceId: traceOf(request) };
        request.log.warn(about, "a slow statement");
      },
    };
    followers.set(request, follower);
    follow(follower, done);
  });
  // What is read of a body comes from the connection, which knows nothing of the request.
  server.addHook("preHandler", (request, _reply, done) => follow(followers.get(request)!, done));
}
