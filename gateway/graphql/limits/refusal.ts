import { GraphQLError } from "graphql";

import { shortened } from "../../problem.ts";

/** The codes of refusals of a query before any of it runs. */
export type RefusalCode = "BAD_QUERY" | "TOO_LONG" | "TOO_DEEP" | "TOO_WIDE" | "TOO_COSTLY" | "TOO_MANY_IDS";

/**
 * The error for a query that is refused before any of it runs. Its status is 400, but 200 for callers that accept
 * `application/json`, as GraphQL over HTTP demands. The message must say what to do instead.
 */
export function refusal(message: string, code: RefusalCode = "BAD_QUERY", path = "query"): GraphQLError {
  const text = shortened(message);
  return new GraphQLError(text, {
    extensions: { code, errors: [{ path, message: text }], http: { status: 400, spec: true } },
  });
}

/** The error for a query that needs a signed-in caller. */
export const signInFirst = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: "UNAUTHENTICATED", http: { status: 401, spec: true } } });
