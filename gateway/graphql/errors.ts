import { GraphQLError, type GraphQLErrorExtensions } from "graphql";
import type { Plugin } from "graphql-yoga";

import { ForeignCursor } from "../../db/list/page.ts";
import type { Context } from "../context.ts";
import {
  type InputError,
  isProblemCode,
  Problem,
  type ProblemCode,
  problemOf,
  shortened,
  statusOf,
} from "../problem.ts";
import { instanceOf } from "../rest/answer.ts";
import { builder } from "./builder.ts";

/** One expected failure of a mutation, with the path of the input that caused it. */
export const InputErrorType = builder.objectRef<InputError>("InputError").implement({
  description: "A wrong value of the input: where it is, and what to do about it.",
  fields: (t) => ({
    path: t.exposeString("path"),
    message: t.exposeString("message"),
    code: t.string({
      description:
        "The kind of failure, as in extensions.code of other errors: INVALID for a wrong value, FORBIDDEN, NOT_FOUND, CONFLICT, LOCKED, TOO_MANY, TOO_LARGE and so on.",
      resolve: ({ code }) => code ?? "INVALID",
    }),
  }),
});

/**
 * Converts what an act threw into the error that the caller sees: it has a code, a path for each rejected value, and
 * for failures of the server the request's id, by which they are found in the log. Unexpected errors are logged, and
 * their text is hidden.
 */
function maskError(error: GraphQLError, { requestId, log }: Context): GraphQLError {
  const { originalError: original, nodes, source, positions, path } = error;
  // GraphQL's own syntax and validation errors have no original error, or a GraphQLError.
  if (!original || original instanceof GraphQLError) return error;
  const { code, status, message, extra } = problemOf(
    original,
    original instanceof ForeignCursor ? original.argument : undefined,
  );
  if (code === "INTERNAL") log?.(original, "a fault");
  if (extra.cause) log?.(extra.cause, message);
  return new GraphQLError(message, {
    nodes,
    source,
    positions,
    path,
    extensions: {
      code,
      ...(extra.errors ? { errors: extra.errors } : {}),
      ...(extra.retryAfterSeconds ? { retryAfterSeconds: extra.retryAfterSeconds } : {}),
      ...(status >= 500 && requestId ? { instance: instanceOf(requestId) } : {}),
    },
  });
}

/** Applies `maskError` to the errors of an operation. */
export const failuresPlugin: Plugin<Context> = {
  onExecute: ({ args: { contextValue } }) => ({
    onExecuteDone: ({ result, setResult }) => {
      if ("errors" in result && result.errors)
        setResult({ ...result, errors: result.errors.map((error) => maskError(error, contextValue)) });
    },
  }),
};

/** The most bytes of errors in an answer without data. */
const mostErrorBytes = 7 * 1024;

/** GraphQL's suggestions for a mistyped name would reveal names of the schema. */
const withoutGuess = (message: string): string => message.replace(/ Did you mean [^]*$/, "");

function shortenedError(error: GraphQLError, message: string, most: number): GraphQLError {
  const { nodes, source, positions, path, originalError } = error;
  const { errors, ...extensions } = error.extensions as { errors?: InputError[] };
  return new GraphQLError(shortened(message, most), {
    ...(nodes ? { nodes: nodes.slice(0, 2) } : { source, positions: positions?.slice(0, 2) }),
    path,
    originalError,
    extensions: {
      ...extensions,
      ...(errors
        ? {
            errors: errors
              .slice(0, 10)
              .map((each) => ({ path: shortened(each.path, most), message: shortened(each.message, most) })),
          }
        : {}),
    },
  });
}

/**
 * The codes of failures that GraphQL or a library reports. They are found by the message, because these errors have no
 * useful code.
 */
const codesOfLibraries: [RegExp, string][] = [
  [/^Variable "\$/, "BAD_VARIABLE"],
  [/^(Invalid global ID|Cannot resolve node|ID: .* is not of type)/i, "BAD_ID"],
  [/^Syntax Error/, "BAD_SYNTAX"],
];
const ofLibraries = new Set(["GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED"]);

function extended(error: GraphQLError, more: GraphQLErrorExtensions): GraphQLError {
  const { message, nodes, source, positions, path, originalError, extensions } = error;
  return new GraphQLError(message, {
    nodes,
    source,
    positions,
    path,
    originalError,
    extensions: { ...extensions, ...more },
  });
}

/** Returns the error with a code, because every failure must have one. */
function withCode(error: GraphQLError): GraphQLError {
  const { code } = error.extensions;
  if (typeof code === "string" && !ofLibraries.has(code)) return error;
  const [, found = "BAD_QUERY"] = codesOfLibraries.find(([words]) => words.test(error.message)) ?? [];
  return extended(error, { code: found });
}

/**
 * Returns the error with an HTTP status, which GraphQL uses if there is no data: for callers that must wait, and for
 * failures of the server.
 */
function withStatus(error: GraphQLError): GraphQLError {
  const { code, retryAfterSeconds: seconds } = error.extensions;
  const status = isProblemCode(code) ? statusOf(code) : 200;
  if (status !== 429 && status < 500) return error;
  const headers: Record<string, string> = typeof seconds === "number" ? { "retry-after": String(seconds) } : {};
  return extended(error, { http: { status, headers } });
}

/** The errors for the caller. If there is no data, their number and length are limited, whatever was sent. */
export function errorsForCaller(
  errors: readonly GraphQLError[],
  data: unknown,
  isSignedIn: boolean,
): readonly GraphQLError[] {
  const coded = errors.map(withCode);
  const guarded = isSignedIn
    ? coded
    : coded.map((error) =>
        / Did you mean /.test(error.message) ? shortenedError(error, withoutGuess(error.message), 1000) : error,
      );
  const isAnswered = data != null && Object.values(data).some((value) => value !== null);
  const shown = isAnswered ? guarded : guarded.map(withStatus);
  const isShort = (some: readonly GraphQLError[]) => Buffer.byteLength(JSON.stringify(some)) <= mostErrorBytes;
  if (isAnswered || isShort(shown)) return shown;
  for (const [count, most] of [
    [10, 500],
    [5, 100],
  ] as const) {
    const some = shown.slice(0, count).map((error) => shortenedError(error, error.message, most));
    if (isShort(some)) return some;
  }
  return [shortenedError(shown[0]!, shown[0]!.message, 50)];
}

/** The failures that a mutation returns in `errors`; all others are thrown. */
const typed: ProblemCode[] = ["INVALID", "FORBIDDEN", "NOT_FOUND", "CONFLICT", "LOCKED", "TOO_MANY", "TOO_LARGE"];

/**
 * Runs a mutation's act. Expected failures are returned as `errors` and not thrown, so that a form can show them at
 * their fields. A missing sign-in and unexpected failures are thrown, except those with a code in `also`.
 */
export async function withErrors<Result extends object>(
  act: () => Promise<Result>,
  also: ProblemCode[] = [],
): Promise<Partial<Result> & { errors: InputError[] }> {
  try {
    return { ...(await act()), errors: [] };
  } catch (error) {
    if (!(error instanceof Problem) || ![...typed, ...also].includes(error.code)) throw error;
    const { code, message } = error;
    const errors = error.extra.errors?.length ? error.extra.errors : [{ path: error.extra.path ?? "", message }];
    return { errors: errors.map((each) => ({ code, ...each })) } as Partial<Result> & { errors: InputError[] };
  }
}
