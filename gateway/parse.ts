import type { z } from "zod";

import { invalid } from "./problem.ts";

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
