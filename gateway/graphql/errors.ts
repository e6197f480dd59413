import { GraphQLError } from "graphql";

import { type InputError, Problem, type ProblemCode, problemOf } from "../problem.ts";
import { builder } from "./builder.ts";
import { shortened } from "./limits/refusal.ts";

/** One expected failure of a mutation, named by the path of the input it is about. */
export const InputErrorType = builder.objectRef<InputError>("InputError").implement({
  description: "A wrong value of the input: where it stands and what to do about it.",
  fields: (t) => ({ path: t.exposeString("path"), message: t.exposeString("message") }),
});

/**
 * Turns whatever an act threw into the error that the caller sees: a code and, for rejected values, each with its path. Unexpected errors
 * are passed to `log` and hidden.
 */
export function maskError(error: unknown, log: (error: unknown) => void): GraphQLError {
  const original = error instanceof GraphQLError ? error.originalError : error;
  // Syntax and validation errors of GraphQL itself have no original, or one that is a GraphQLError again.
  if (error instanceof GraphQLError && (!original || original instanceof GraphQLError)) return error;
  const problem = problemOf(original);
  if (problem.code === "INTERNAL") log(original);
  const { nodes, source, positions, path } = error instanceof GraphQLError ? error : ({} as Partial<GraphQLError>);
  return new GraphQLError(problem.message, {
    nodes,
    source,
    positions,
    path,
    extensions: {
      code: problem.code,
      ...(problem.extra.errors ? { errors: problem.extra.errors } : {}),
      ...(problem.extra.retryAfterSeconds ? { retryAfterSeconds: problem.extra.retryAfterSeconds } : {}),
    },
  });
}

/** Bytes that the errors of an answer without data may have. */
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
      ...(errors ? { errors: errors.slice(0, 10).map((each) => ({ path: shortened(each.path, most), message: shortened(each.message, most) })) } : {}),
    },
  });
}

/** The code of a failure that GraphQL itself or a library found, by its words: they have no code of their own. */
const codesOfLibraries: [RegExp, string][] = [
  [/^Variable "\$/, "BAD_VARIABLE"],
  [/^(Invalid global ID|Cannot resolve node|ID: .* is not of type)/i, "BAD_ID"],
  [/^Syntax Error/, "BAD_SYNTAX"],
];
const ofLibraries = new Set(["GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED"]);

/** The error with a code, which every failure has. */
function withCode(error: GraphQLError): GraphQLError {
  const { code } = error.extensions;
  if (typeof code === "string" && !ofLibraries.has(code)) return error;
  const [, found = "BAD_QUERY"] = codesOfLibraries.find(([words]) => words.test(error.message)) ?? [];
  const { nodes, source, positions, path, originalError, extensions } = error;
  return new GraphQLError(error.message, { nodes, source, positions, path, originalError, extensions: { ...extensions, code: found } });
}

/** If nothing was answered, the status says too that the caller has to wait. */
function withStatus(error: GraphQLError): GraphQLError {
  const { code, retryAfterSeconds: seconds } = error.extensions;
  if (code !== "TOO_MANY" || typeof seconds !== "number") return error;
  const { nodes, source, positions, path, originalError, extensions } = error;
  const http = { status: 429, headers: { "retry-after": String(seconds) } };
  return new GraphQLError(error.message, { nodes, source, positions, path, originalError, extensions: { ...extensions, http } });
}

/** The errors as the caller gets them. If nothing was answered, they are few and short, whatever was sent. */
export function boundedErrors(errors: readonly GraphQLError[], data: unknown, isSignedIn: boolean): readonly GraphQLError[] {
  const coded = errors.map(withCode);
  const guarded = isSignedIn ? coded : coded.map((error) => (/ Did you mean /.test(error.message) ? shortenedError(error, withoutGuess(error.message), 1000) : error));
  const isAnswered = data != null && Object.values(data).some((value) => value !== null);
  const told = isAnswered ? guarded : guarded.map(withStatus);
  const isShort = (some: readonly GraphQLError[]) => Buffer.byteLength(JSON.stringify(some)) <= mostErrorBytes;
  if (isAnswered || isShort(told)) return told;
  for (const [count, most] of [[10, 500], [5, 100]] as const) {
    const some = told.slice(0, count).map((error) => shortenedError(error, error.message, most));
    if (isShort(some)) return some;
  }
  return [shortenedError(told[0]!, told[0]!.message, 50)];
}

/** Failures that a mutation's answer names in `errors`; all others are thrown, as everywhere. */
const typed: ProblemCode[] = ["INVALID", "FORBIDDEN", "NOT_FOUND", "CONFLICT", "LOCKED", "TOO_MANY", "TOO_LARGE"];

/**
 * Runs a mutation's act: expected failures come back as `errors`, not thrown, so that a form can show them at their fields. A
 * missing sign-in and faults are thrown, unless named in `also`.
 */
export async function withErrors<Result extends object>(
  act: () => Promise<Result>,
  also: ProblemCode[] = [],
): Promise<Partial<Result> & { errors: InputError[] }> {
  try {
    return { ...(await act()), errors: [] };
  } catch (error) {
    if (!(error instanceof Problem) || ![...typed, ...also].includes(error.code)) throw error;
    const errors = error.extra.errors?.length ? error.extra.errors : [{ path: "", message: error.message }];
    return { errors } as Partial<Result> & { errors: InputError[] };
  }
}
