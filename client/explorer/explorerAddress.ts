import { type AnswerShape, readShape, withShape } from "../query/answerShape.ts";
import type { Question } from "./savedQueries.ts";

/**
 * What the address of the explorer says: which saved query is open (`?saved=`), else (after `#`, which is not sent) the query itself, and how its
 * answer is shown.
 */

/** The question and the shape after the `#`. */
export function readAddress(hash: string): { question: Question | null; shape: AnswerShape } {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  const query = params.get("query");
  let variables: Question["variables"] = null;
  try {
    variables = JSON.parse(params.get("variables") ?? "null") as Question["variables"];
  } catch {
    // An address that was cut: the query is opened without them.
  }
  return { question: query ? { query, variables, operationName: params.get("operationName") } : null, shape: readShape(params) };
}

/** The address of a question with its answer in a shape. */
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
