import { GraphQLError } from "graphql";

/** How much of the caller's text a message may repeat. */
const mostCharacters = 1000;
export const shortened = (message: string, most = mostCharacters): string => (message.length > most ? `${message.slice(0, most)}…` : message);

/** Why a query is refused before any of it runs. */
export type RefusalCode = "BAD_QUERY" | "TOO_LONG" | "TOO_DEEP" | "TOO_WIDE" | "TOO_COSTLY" | "TOO_MANY_IDS";

/**
 * A query that is refused before any of it runs: 400, but for callers of `application/json`, whom GraphQL over HTTP promises 200.
 * The message says what to do instead.
 */
export function refusal(message: string, code: RefusalCode = "BAD_QUERY", path = "query"): GraphQLError {
  const text = shortened(message);
  return new GraphQLError(text, {
    extensions: { code, errors: [{ path, message: text }], http: { status: 400, spec: true } },
  });
}

/** The same for queries that need a signed-in caller. */
export const signInFirst = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: "UNAUTHENTICATED", http: { status: 401, spec: true } } });
