import { expect, test } from "vitest";
import { CombinedError } from "urql";
import { failureWords, reasonOf } from "./failureWords.ts";

test.each([
  [undefined, /Check the connection/],
  [503, /^The server is there, but cannot answer just now/],
  [502, /^The server could not answer/],
  [500, /^The server could not answer/],
])("the message for an answer with the status %s", (status, words) => {
  expect(failureWords({ response: status === undefined ? undefined : new Response(null, { status }) })).toMatch(words);
});

test("a GraphQL error is shown in the server's words, a network error in the client's own", () => {
  expect(reasonOf(new CombinedError({ graphQLErrors: ["There is no such province."] }))).toBe(
    "There is no such province.",
  );
  const response = new Response(null, { status: 503 });
  expect(reasonOf(new CombinedError({ networkError: new Error("Service Unavailable"), response }))).toMatch(
    /^The server is there/,
  );
});
