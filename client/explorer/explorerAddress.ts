import { type AnswerShape, readShape, withShape } from "../query/answerShape.ts";
import type { Question } from "./savedQueries.ts";

/**
 * The state of the explorer in its address: the open saved query (`?saved=`) or, after the `#`, which is not sent to the server, the query itself;
 * and how the answer is shown.
 */

/** The query and the shape of the answer after the `#`. */
export function readAddress(hash: string): { question: Question | null; shape: AnswerShape } {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  const query = params.get("query");
  let variables: Question["variables"] = null;
  try {
    variables = JSON.parse(params.get("variables") ?? "null") as Question["variables"];
  } catch {
    // The address was cut off. The query is opened without variables.
  }
  return { question: query ? { query, variables, operationName: params.get("operationName") } : null, shape: readShape(params) };
}

/** The address of a query, with the shape of its answer. */
export function addressOf(saved: string | undefined, question: Question | null, shape: AnswerShape): string {
  const params = withShape(new URLSearchParams(), shape);
  if (!saved && question) {
    params.set("query", question.query);
    if (question.variables) params.set("variables", JSON.stringify(question.variables));
    if (question.operationName && question.query.includes(question.operationName)) params.set("operationName", question.operationName);
  }
  const hash = params.toString();
  return `/graphql${saved ? `?saved=${saved}` : ""}${hash ? `#${hash}` : ""}`;
}
