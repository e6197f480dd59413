import { GraphQLError } from "graphql";

import { type InputError, Problem, type ProblemCode, problemOf } from "../problem.ts";
import { builder } from "./builder.ts";

/** One expected failure of a mutation, named by the path of the input it is about. */
export const InputErrorType = builder.objectRef<InputError>("InputError").implement({
  description: "A wrong value of the input: where it stands and what to do about it.",
  fields: (t) => ({ path: t.exposeString("path"), message: t.exposeString("message") }),
});

/**
 * Turns whatever an act threw into the error that the caller sees: a code and, for rejected values, each with its path. What is
 * not expected is given to `log` and hidden.
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
