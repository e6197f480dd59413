import { expect, test } from "vitest";
import { z } from "zod";

import { parse } from "./parse.ts";
import { Problem } from "../problem.ts";

/** Rules without messages of their own (except `own`): they get the messages of `parse`. */
const rules = z.strictObject({
  name: z.string().min(1).max(8),
  code: z.string().min(3),
  day: z.iso.date(),
  count: z.number().int().min(2).max(1000),
  on: z.boolean(),
  kind: z.enum(["a", "b"]),
  areas: z.array(z.number()).max(2),
  own: z.string("is what it is"),
  even: z.number().refine((value) => value % 2 === 0),
});
const right = {
  name: "x",
  code: "abc",
  day: "2026-01-01",
  count: 2,
  on: true,
  kind: "a",
  areas: [1],
  own: "",
  even: 2,
};

test.each([
  [{ name: "" }, "name: must not be empty"],
  [{ name: "too long a name" }, "name: may have at most 8 characters"],
  [{ name: undefined }, "name: is required"],
  [{ name: 5 }, "name: must be a text"],
  [{ code: "ab" }, "code: must have at least 3 characters"],
  [{ day: "tomorrow" }, "day: is not valid"],
  [{ count: 1001 }, "count: may be at most 1,000"],
  [{ count: 1 }, "count: must be at least 2"],
  [{ count: 2.5 }, "count: must be a whole number"],
  [{ on: "yes" }, "on: must be true or false"],
  [{ kind: "c" }, "kind: must be one of a, b"],
  [{ areas: [1, 2, 3] }, "areas: may have at most 2 entries"],
  [{ areas: null }, "areas: must be a list"],
  [{ areas: ["1"] }, "areas.0: must be a number"],
  [{ own: 5 }, "own: is what it is"],
  [{ even: 3 }, "even: is not valid"],
  [{ other: 1 }, "other: is not a known key"],
])("reports for %j: %s", (wrong, message) => {
  expect(() => parse(rules, { ...right, ...wrong })).toThrow(message);
  expect(() => parse(rules, { ...right, ...wrong })).toThrow(Problem);
});

test("a value that is not an object is reported as the body", () => {
  expect(() => parse(rules, [])).toThrow("body: must be an object");
});
