import { z } from "zod";

import { invalid } from "./problem.ts";

const kinds: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const number = (value: number | bigint): string => value.toLocaleString("en");
const sizes: Record<string, string> = { string: " characters", array: " entries" };

/** What a rule without words of its own says of a wrong value; zod's words are for those who write the rules. */
function sentenceOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_big":
      return `may ${issue.origin in sizes ? "have" : "be"} at most ${number(issue.maximum)}${sizes[issue.origin] ?? ""}`;
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "must not be empty";
      return `must ${issue.origin in sizes ? "have" : "be"} at least ${number(issue.minimum)}${sizes[issue.origin] ?? ""}`;
    default:
      return "is not valid";
  }
}
z.config({ customError: sentenceOf });

/**
 * Reads input by a shared rule: once for each face, before the act. `name` is the path of the input as a whole.
 *
 * @throws Problem INVALID with a path and a sentence for each wrong value
 */
export function parse<Rule extends z.ZodType>(rule: Rule, input: unknown, name = "body"): z.output<Rule> {
  const result = rule.safeParse(input);
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({ path: [...issue.path, key].join("."), message: "is not a known key" }))
        : [{ path: issue.path.join(".") || name, message: issue.message }],
    ),
  );
}
