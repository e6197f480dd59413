import type { Question } from "./savedQueries.ts";

/** The query in an address after the `#`, which is not sent to the server. A saved query is named before it (`?saved=`). */
export function questionIn(hash: string): Question | null {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  const query = params.get("query");
  let variables: Question["variables"] = null;
  try {
    variables = JSON.parse(params.get("variables") ?? "null") as Question["variables"];
  } catch {
    // The address was cut off. The query is opened without variables.
  }
  return query ? { query, variables, operationName: params.get("operationName") } : null;
}
