import type { FastifyBaseLogger, FastifyRequest } from "fastify";
import { destination, type DestinationStream, pino, stdTimeFunctions } from "pino";

/** The log: one line for each request and event, on stderr. Stdout is for the person who starts the product. */

type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "silent";
type LogFormat = "json" | "text";

type Entry = {
  time: string;
  level: string;
  msg?: string;
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
  requestId?: string;
  err?: { stack?: string };
};

/** A line for a person in a terminal. */
function readable(json: string): string {
  const { time, level, msg, method, path, status, ms, requestId, err } = JSON.parse(json) as Entry;
  const what =
    method === undefined
      ? (msg ?? "")
      : `${method} ${path} ${status ?? msg} ${ms === undefined ? "" : `${ms} ms`}`.trimEnd();
  const whose = requestId && level !== "info" ? ` (request ${requestId})` : "";
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${what}${whose}\n${err?.stack ? `${err.stack}\n` : ""}`;
}

/**
 * The properties of an error that are logged. Others are left out: PostgreSQL's `detail` quotes rows, GraphQL's errors
 * contain the caller's whole query, and errors of the object storage contain the headers that were sent.
 */
function faultOf(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause, code, table, constraint } = error as Error & Record<string, unknown>;
  return {
    type: name,
    message,
    code,
    table,
    constraint,
    stack,
    ...(cause instanceof Error ? { cause: faultOf(cause) } : {}),
  };
}

const secrets = new Set([
  "password",
  "confirmPassword",
  "token",
  "secret",
  "authorization",
  "cookie",
  "databaseKey",
  "dbKey",
]);

/** How many levels of nested objects are searched for secrets. */
const mostLevels = 3;
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** An object as it is logged, without secrets. (pino's `redact` would take longer than everything else for a line.) */
function withoutSecrets(facts: Record<string, unknown>, levels = mostLevels): Record<string, unknown> {
  let shown: Record<string, unknown> | undefined;
  for (const name in facts) {
    const value = facts[name];
    const safe = secrets.has(name)
      ? "[hidden]"
      : levels > 1 && isPlain(value)
        ? withoutSecrets(value, levels - 1)
        : value;
    if (safe !== value) (shown ??= { ...facts })[name] = safe;
  }
  return shown ?? facts;
}

/**
 * Lines are collected (4096 bytes, or 100 ms) and written together, because a system call for each would take as long
 * as making the line. If the process is killed, the collected lines are lost.
 */
const together = { minLength: 4096, periodicFlush: 100 };

/** Opens the log. `to` replaces stderr, for tests. */
export function openLog({
  level,
  format,
  to,
}: {
  level: LogLevel;
  format: LogFormat;
  to?: DestinationStream;
}): FastifyBaseLogger {
  const stderr = to ?? (format === "json" ? destination({ dest: 2, sync: false, ...together }) : process.stderr);
  const stream: DestinationStream = format === "json" ? stderr : { write: (line) => void stderr.write(readable(line)) };
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (facts) => withoutSecrets(facts) },
      serializers: {
        err: faultOf,
        error: faultOf,
        req: ({ method }: FastifyRequest) => ({ method }),
        res: () => undefined,
      },
    },
    stream,
  );
}

/** The path of a request as it may be logged: without the query, searched texts and secrets. */
export function shownPath(request: FastifyRequest): string {
  const route = request.routeOptions.url;
  const path = route && /\/:(text|secret)/.test(route) ? route : (request.url.split("?")[0] ?? "");
  return path.slice(0, 200);
}
