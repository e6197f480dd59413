import { isDeepStrictEqual } from "node:util";

import { ForeignCursor } from "../db/list/page.ts";
import { AllBusy } from "../db/engine/pool.ts";
import { noteFullDatabase } from "../db/engine/fullDisk.ts";
import { isUndone } from "../db/engine/prepared.ts";

/** A message for a caller, who may have sent parts of it, cut at its most characters. */
export const shortened = (message: string, most = 1000): string =>
  message.length > most ? `${message.slice(0, most)}…` : message;

/**
 * One wrong input: its path (keys separated by dots) and a message for the user. `code`: that of the problem, where it
 * is not INVALID.
 */
export type InputError = { path: string; message: string; code?: ProblemCode };

const catalogue = {
  MALFORMED: { status: 400, title: "Malformed request" },
  UNAUTHENTICATED: { status: 401, title: "Not signed in" },
  CODE_WANTED: { status: 401, title: "Code wanted" },
  SESSION_REVOKED: { status: 401, title: "Session revoked" },
  FORBIDDEN: { status: 403, title: "No right" },
  ENROLMENT_NEEDED: { status: 403, title: "Second factor needed" },
  NOT_FOUND: { status: 404, title: "Not found" },
  NOT_ALLOWED: { status: 405, title: "Method not allowed" },
  NOT_ACCEPTABLE: { status: 406, title: "No such format" },
  TIMEOUT: { status: 408, title: "Request timeout" },
  CONFLICT: { status: 409, title: "Conflict" },
  GONE: { status: 410, title: "Gone" },
  STALE: { status: 412, title: "Changed meanwhile" },
  TOO_LARGE: { status: 413, title: "Too large" },
  UNSUPPORTED: { status: 415, title: "Unsupported media type" },
  NO_SUCH_RANGE: { status: 416, title: "Range not there" },
  INVALID: { status: 422, title: "Rejected values" },
  LOCKED: { status: 424, title: "Locked or deactivated" },
  TOO_MANY: { status: 429, title: "Too many requests" },
  INTERNAL: { status: 500, title: "Internal error" },
  NOT_SUPPORTED: { status: 501, title: "Not supported" },
  UNAVAILABLE: { status: 503, title: "Not available now" },
  TOO_SLOW: { status: 504, title: "Took too long" },
  STORAGE_AWAY: { status: 503, title: "Storage away" },
  STORAGE_FULL: { status: 507, title: "Insufficient storage" },
} as const;

export type ProblemCode = keyof typeof catalogue;
/** The codes of failures that have this HTTP status. */
export const codesOfStatus = (status: number): ProblemCode[] =>
  (Object.keys(catalogue) as ProblemCode[]).filter((code) => catalogue[code].status === status);
export const statusOf = (code: ProblemCode): number => catalogue[code].status;
export const titleOf = (code: ProblemCode): string => catalogue[code].title;
export const isProblemCode = (code: unknown): code is ProblemCode =>
  typeof code === "string" && Object.hasOwn(catalogue, code);

/** An expected failure of an act. REST and GraphQL have one mapper each (rest/answer.ts, graphql/errors.ts). */
export class Problem extends Error {
  override name = "Problem";
  readonly status: number;
  readonly title: string;
  constructor(
    readonly code: ProblemCode,
    detail: string,
    readonly extra: {
      errors?: InputError[];
      path?: string | undefined;
      retryAfterSeconds?: number;
      allow?: string;
      status?: number;
      present?: unknown;
      files?: unknown[];
      cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: extra.cause });
    this.status = extra.status ?? catalogue[code].status;
    this.title = catalogue[code].title;
  }
}

/** A failure that a library reports only by its status. */
export function problemOfStatus(status: number, detail: string): Problem {
  const codes = Object.keys(catalogue) as ProblemCode[];
  return new Problem(
    codes.find((code) => catalogue[code].status === status) ?? (status < 500 ? "MALFORMED" : "INTERNAL"),
    detail,
    { status },
  );
}

export const notSignedIn = (): Problem => new Problem("UNAUTHENTICATED", "Please sign in.");
/**
 * @param what the noun for the message, for example "facility"
 * @param path the key of the input by which a mutation looked for it, for example "facilityUuid"
 */
export const notFound = (what: string, path?: string): Problem =>
  new Problem("NOT_FOUND", `There is no such ${what}.`, { path });
/** The problem for wrong input, with a message that lists the errors. */
export const invalid = (errors: InputError[]): Problem =>
  new Problem("INVALID", errors.map(({ path, message }) => `${path}: ${message}`).join("; "), { errors });

/** Errors for values that the caller has changed but may only send back unchanged. */
export const refuseChanged = (
  input: Record<string, unknown>,
  present: Record<string, unknown>,
  names: readonly string[],
): InputError[] =>
  names
    .filter((name) => input[name] != null && !isDeepStrictEqual(input[name], present[name]))
    .map((name) => ({ path: name, message: "cannot be changed" }));

/** Whether the caller's values caused the error: SQLSTATE class 22 (data exceptions), such as a date out of range. */
const isRejectedValue = (state: string): boolean => state.startsWith("22");
/** For SQLSTATE 57014: PostgreSQL cancelled the statement at its time limit. */
const tooSlow =
  "This takes longer than the time limit for one query. Narrow it: fewer rows, a shorter period, one province, district or partner.";
/** Whether PostgreSQL's disk is full (53100). The transaction was rolled back. */
const isFull = (state: string, message: string): boolean =>
  state === "53100" || /No space left on device|Disk quota exceeded/.test(message);
/**
 * Whether the database cannot be used: connection failures (08), shutdown (57P), no connections or resources (53), and
 * Node's socket errors.
 */
const isUnavailable = (state: string, message: string): boolean =>
  /^(08|53|57P)/.test(state) ||
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(state) ||
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/i.test(
    message,
  );

/**
 * Turns any thrown value into a Problem for the caller. A lost database, or a deadlock in each attempt, becomes
 * UNAVAILABLE. A value that PostgreSQL cannot store becomes INVALID. Everything else becomes INTERNAL, whose reason is
 * logged and never shown.
 *
 * @param cursorPath the input that a cursor of another list is in
 */
export function problemOf(error: unknown, cursorPath = "cursor"): Problem {
  if (error instanceof Problem) return error;
  const { code, message } = error as { code?: unknown; message?: unknown };
  const state = typeof code === "string" ? code : "";
  const text = typeof message === "string" ? message : "";
  if (error instanceof ForeignCursor)
    return invalid([
      {
        path: cursorPath,
        message: "is not a cursor of this list in this order: take it from an answer of the same list, sorted the same",
      },
    ]);
  if (error instanceof AllBusy)
    return new Problem(
      "TOO_MANY",
      "The server is busy: no connection to its database became free in time. Try again in a moment.",
      { retryAfterSeconds: 5 },
    );
  if (state === "57014") return new Problem("TOO_SLOW", tooSlow);
  if (isFull(state, text)) {
    noteFullDatabase();
    return new Problem(
      "STORAGE_FULL",
      "The database has no room left. Nothing of this was saved. Please tell the ministry, and try again later.",
    );
  }
  if (isUndone(error))
    return new Problem(
      "UNAVAILABLE",
      "Others were changing the same records at this moment. Nothing of this was done: please try again.",
      { retryAfterSeconds: 1 },
    );
  if (isUnavailable(state, text))
    return new Problem("UNAVAILABLE", "The database is away. Please try again in a moment.", { retryAfterSeconds: 5 });
  if (/^[0-9A-Z]{5}$/.test(state) && isRejectedValue(state))
    return new Problem("INVALID", "A value is outside of what can be stored.", { errors: [] });
  return new Problem("INTERNAL", "Something went wrong on the server. It has been logged.");
}
