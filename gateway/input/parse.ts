import type { z } from "zod";

import { invalid, Problem } from "../problem.ts";

const kinds: Record<string, string> = {
  string: "must be a text",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be an object",
  record: "must be an object",
  null: "must be null",
};

/** A limit with its unit: characters of a text, entries of a list, or a number itself. */
function bounded(origin: string, words: string, bound: number | bigint): string {
  const [one, more] = { string: [" character", " characters"], array: [" entry", " entries"] }[origin] ?? [];
  return `${one ? "have" : "be"} ${words} ${bound.toLocaleString("en")}${(Number(bound) === 1 ? one : more) ?? ""}`;
}

/** The message for a wrong value whose rule has no message. */
function wordsOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return kinds[issue.expected] ?? "is not valid";
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_big":
      return `may ${bounded(issue.origin, "at most", issue.maximum)}`;
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "must not be empty";
      return `must ${bounded(issue.origin, "at least", issue.minimum)}`;
    default:
      return "is not valid";
  }
}

/** How deep lists and objects may lie in each other: no rule needs more than a few levels. */
const mostLevels = 64;

/** Refuses JSON that is nested too deep for code that follows it level by level. @throws Problem MALFORMED */
export function refuseDeep(value: unknown, name: string): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostLevels) throw new Problem("MALFORMED", `${name}: is nested deeper than ${mostLevels} levels`);
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? (Object.values(one) as unknown[]) : []));
  }
}

/** Reads a value that is sent as JSON in a text, such as a parameter of an address. @throws Problem MALFORMED */
export function parseJson(text: string, name: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem("MALFORMED", `${name}: is not JSON`);
  }
  refuseDeep(value, name);
  return value;
}

/**
 * Checks input by a rule, for REST and GraphQL. `name` is the path of the whole input in error messages.
 *
 * @throws Problem INVALID with a path and a sentence for each wrong value
 */
export function parse<Rule extends z.ZodType>(rule: Rule, input: unknown, name = "body"): z.output<Rule> {
  const result = rule.safeParse(input, { error: wordsOf });
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({ path: [...issue.path, key].join("."), message: "is not a known key" }))
        : [{ path: issue.path.join(".") || name, message: issue.message }],
    ),
  );
}
