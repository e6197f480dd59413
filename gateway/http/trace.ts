import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

import type { FastifyInstance, FastifyRequest } from "fastify";

import { follow, type Follower, type TimedStatement } from "../../db/engine/slow.ts";
import { summaryOf } from "../tracing/statement.rules.ts";
import { traceOf } from "../tracing/traceparent.rules.ts";
import type { Span, Tracing } from "../tracing/tracing.ts";
import { shownPath } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/**
 * Traces every request: its id in the answer, a line in the log, its metrics, and its spans if traces are switched on.
 */

declare module "fastify" {
  interface FastifyRequest {
    /** set if traces are switched on */
    span?: Span;
    /** receives the request's statements, if they are reported */
    follower?: Follower;
  }
}

/** An id that a proxy or a caller may choose for its request: only characters that never need escaping. */
const idPattern = /^[A-Za-z0-9._~-]{1,64}$/;

/** The request's id: the caller's `X-Request-Id` if it matches `idPattern`, else a new one. */
export function requestIdOf({ headers }: { headers: IncomingMessage["headers"] }): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && idPattern.test(given) ? given : randomUUID();
}

/** The id of the trace that this request belongs to: that of its span, or of the caller's `traceparent`. */
const traceIdOf = ({ span, headers }: FastifyRequest): string | undefined =>
  span?.traceId ?? traceOf(headers.traceparent)?.traceId;

/** Routes that are requested every few seconds (health checks and metrics). They are logged at level debug. */
const probes = new Set(["/healthz", "/readyz", "/metrics"]);

const operationOf = (body: unknown): string | undefined => {
  const name = (body as { operationName?: unknown } | undefined)?.operationName;
  return typeof name === "string" && /^\w{1,80}$/.test(name) ? name : undefined;
};

/** Reports every request at its end, whether it was answered or the caller closed the connection. */
export function traceRequests(server: FastifyInstance, metrics: Metrics): void {
  server.addHook("onRequest", async (request, reply) => {
    const start = process.hrtime.bigint();
    // On the raw response, so that answers that bypass Fastify have it too.
    reply.raw.setHeader("x-request-id", request.id);
    reply.raw.once("close", () => {
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      const route = request.routeOptions.url ?? "none";
      const { method } = request;
      const gone = !reply.raw.writableFinished;
      // 499: as in nginx, the caller closed the connection before the answer.
      const status = gone ? 499 : reply.raw.statusCode;
      metrics.request({ method, route, status, seconds });
      request.span?.end(
        { "http.route": route, "http.response.status_code": status },
        status >= 500 ? String(status) : undefined,
      );
      const level = status >= 500 ? "error" : probes.has(route) ? "debug" : "info";
      const viewer = request.context?.viewer;
      request.log[level](
        {
          method,
          route,
          path: shownPath(request),
          traceId: traceIdOf(request),
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

/**
 * Begins a span for each request except probes. The answer has it in the header `traceresponse`, as in the W3C draft.
 */
export function spanRequests(server: FastifyInstance, tracing: Tracing): void {
  server.addHook("onRequest", (request, reply, done) => {
    const { method, headers, routeOptions, protocol } = request;
    if (probes.has(routeOptions.url ?? "")) return done();
    const facts = {
      "http.request.method": method,
      "url.path": shownPath(request),
      "url.scheme": protocol,
      "platform.request_id": request.id,
    };
    request.span = tracing.begin({
      name: method,
      kind: "server",
      facts,
      caller: traceOf(headers.traceparent, headers["tracestate"]),
    });
    reply.raw.setHeader("traceresponse", request.span.header);
    return tracing.within(request.span, done);
  });
  // Set again here: reading a body runs in the connection's asynchronous context, which does not have the span.
  server.addHook("preHandler", (request, _reply, done) => (request.span ? tracing.within(request.span, done) : done()));
}

/** Receives the statements that took at least `fromMs`, with their request. */
type StatementReporter = {
  fromMs: number;
  report: (request: FastifyRequest, statement: TimedStatement) => void;
};

/** Writes a line to the log for each statement. */
export const toLog = (fromMs: number): StatementReporter => ({
  fromMs,
  report(request, { text, ms }) {
    const about = {
      statement: text.slice(0, mostText),
      ms: Math.round(ms),
      route: request.routeOptions.url,
      operation: operationOf(request.body),
      traceId: traceIdOf(request),
    };
    request.log.warn(about, "a slow statement");
  },
});

/** Makes a span for each statement, as a child of the span in which it ran. */
export const toSpans = (tracing: Tracing): StatementReporter => ({
  fromMs: 0,
  report({ span }, { text, ms, fault }) {
    if (!span) return;
    const facts = { "db.system.name": "postgresql", "db.query.text": text.slice(0, mostText) };
    tracing
      .begin({ name: summaryOf(text), kind: "client", facts, lasted: ms })
      .end(fault ? { "db.response.status_code": fault } : {}, fault);
  },
});

/** Reports the statements of each request. */
export function reportStatements(server: FastifyInstance, reporters: readonly StatementReporter[]): void {
  if (reporters.length === 0) return;
  const fromMs = Math.min(...reporters.map((reporter) => reporter.fromMs));
  server.addHook("onRequest", (request, _reply, done) => {
    request.follower = {
      fromMs,
      report: (statement) =>
        reporters.forEach((reporter) => statement.ms >= reporter.fromMs && reporter.report(request, statement)),
    };
    follow(request.follower, done);
  });
  server.addHook("preHandler", (request, _reply, done) => follow(request.follower!, done));
}
