import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";

import { type InputError, Problem, problemOf, shortened } from "../problem.ts";

/** Fastify's limit for a body that is not a form. */
const mostBodyBytes = 1_048_576;

/** Converts an error of Fastify to a Problem. */
function problemOfRequest(error: FastifyError): Problem {
  switch (error.code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Problem("UNSUPPORTED", "The body must be sent as application/json.");
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Problem(
        "TOO_LARGE",
        `The body is larger than this call takes: at most ${mostBodyBytes.toLocaleString("en")} bytes.`,
      );
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return new Problem("MALFORMED", "The body is not the JSON that its headers announce.");
    case "FST_PARTS_LIMIT":
    case "FST_FILES_LIMIT":
    case "FST_FIELDS_LIMIT":
      return new Problem("TOO_LARGE", "The form has more parts than this call takes.");
    default:
      return error.statusCode && error.statusCode >= 400 && error.statusCode < 500
        ? new Problem("MALFORMED", "The request cannot be read.")
        : problemOf(error);
  }
}

/**
 * The most bytes of wrong values in a problem. A conflict's present state and the files of an upload are not limited by
 * it.
 */
const mostErrorBytes = 6 * 1024;

/** The first errors, as many as fit in `mostErrorBytes`. */
function boundedErrors(errors: readonly InputError[]): InputError[] {
  let bytes = 0;
  const short = errors
    .slice(0, 100)
    .map(({ path, message }) => ({ path: shortened(path, 200), message: shortened(message, 500) }));
  const end = short.findIndex((error) => (bytes += Buffer.byteLength(JSON.stringify(error)) + 1) > mostErrorBytes);
  return end < 0 ? short : short.slice(0, Math.max(1, end));
}

/** The fields that every problem has. */
export const problemHead = ({ code, title, status, message }: Problem) => ({
  type: `urn:problem:${code.toLowerCase().replaceAll("_", "-")}`,
  title,
  status,
  detail: shortened(message),
});
/** The `instance` of a problem: by the request's id in it, support finds the failure in the log. */
export const instanceOf = (requestId: string): string => `urn:request:${requestId}`;
export const problemType = "application/problem+json; charset=utf-8";

/**
 * Converts a failure to a Problem, and sets the status and headers of the answer. The reason of an unexpected failure
 * is logged, never shown.
 */
export function beginFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): Problem {
  const problem = error instanceof Problem ? error : problemOfRequest(error as FastifyError);
  if (problem.code === "INTERNAL") request.log.error({ err: error }, "a fault");
  const { retryAfterSeconds, allow, cause } = problem.extra;
  if (cause) request.log.error({ err: cause }, problem.message);
  if (allow) reply.header("allow", allow);
  if (retryAfterSeconds) reply.header("retry-after", retryAfterSeconds);
  reply.status(problem.status).header("x-request-id", request.id).header("cache-control", "no-store");
  return problem;
}

/** Sets the status and headers of the answer for a failure. @returns its body, application/problem+json (RFC 9457) */
export function toProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): string {
  const problem = beginFailure(error, request, reply);
  const { errors, present, files } = problem.extra;
  reply.header("content-type", problemType);
  return JSON.stringify({
    ...problemHead(problem),
    ...(problem.status >= 500 ? { instance: instanceOf(request.id) } : {}),
    ...(errors ? { errors: boundedErrors(errors) } : {}),
    ...(present === undefined ? {} : { present }),
    ...(files ? { files } : {}),
  });
}

/** Answers any failure. */
export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.send(toProblem(error, request, reply));
}

/**
 * Whether an Accept header contains a media type by name, with a higher quality than every other type except "any
 * type".
 */
export function prefers(accept: string | undefined, wanted: string): boolean {
  const asked = (accept ?? "").split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    const q = Number(parameters.find((each) => each.startsWith("q="))?.slice(2) ?? 1);
    return { type, q: Number.isFinite(q) ? q : 0 };
  });
  const weight = asked.find(({ type }) => type === wanted)?.q ?? 0;
  return weight > 0 && asked.every(({ type, q }) => type === wanted || type === "*/*" || q < weight);
}
