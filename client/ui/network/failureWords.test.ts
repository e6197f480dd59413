import { expect, test } from "vitest";
import { failureWords } from "./failureWords.ts";

test.each([
  [undefined, /Check the connection/],
  [503, /^The server is there, but cannot answer just now/],
  [502, /^The server could not answer/],
  [500, /^The server could not answer/],
])("an answer with %s", (status, words) => {
  expect(failureWords({ response: status === undefined ? undefined : new Response(null, { status }) })).toMatch(words);
});
