import { GraphQLError } from "graphql";

/**
 * A query that is refused before any of it runs: 400, but for callers of `application/json`, whom GraphQL over HTTP promises 200.
 * The message says what to do instead.
 */
export function refusal(message: string, path = "query"): GraphQLError {
  return new GraphQLError(message, {
    extensions: { code: "INVALID", errors: [{ path, message }], http: { status: 400, spec: true } },
  });
}
