import { z } from "zod";

import {
  builtInSystems,
  hasForm,
  identifierMaximum,
  type IdentifierSystem,
} from "../../db/facility/identifierSystems.rules.ts";
import { codeForm, enteredCodeFault } from "../input/identity.rules.ts";
import { lineRule, textIn } from "../input/texts.rules.ts";
import { registeredName } from "../reference/place.rules.ts";
import { cutTo } from "../input/text.rules.ts";

/** Identifiers of facilities and the systems that they belong to. */

export type { IdentifierSystem } from "../../db/facility/identifierSystems.rules.ts";

export const systemRule = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]{0,31}$/, "must begin with a small letter and have at most 32 letters and digits");
export const valueRule = textIn(codeForm, identifierMaximum).min(1, "must not be empty");
const day = z.iso
  .date("must be a day, YYYY-MM-DD")
  .nullish()
  .transform((value) => value ?? null);

const identifierShape = z
  .strictObject({ system: systemRule, value: valueRule, from: day, until: day })
  .refine(({ from, until }) => from === null || until === null || from <= until, {
    path: ["until"],
    message: "must not be before from",
  })
  .superRefine(({ value, until }, context) => {
    // A placeholder that was in use formerly is history.
    const message = until === null ? enteredCodeFault(value) : undefined;
    if (message !== undefined) context.addIssue({ code: "custom", path: ["value"], message });
  });

/** The input for replacing all identifiers of a facility. Identifiers that are not in the list are removed. */
export const identifiersRules = z.strictObject({
  identifiers: z
    .array(identifierShape)
    .max(100, "has more than 100 entries")
    .superRefine((identifiers, context) => {
      const seen = new Set<string>();
      for (const [index, { system, value }] of identifiers.entries()) {
        const key = `${system} ${value}`;
        if (seen.has(key))
          context.addIssue({ code: "custom", path: [index, "value"], message: "is in the list already" });
        seen.add(key);
      }
    }),
});
export type Identifiers = z.output<typeof identifiersRules>["identifiers"];

const isPattern = (pattern: string): boolean => {
  try {
    return new RegExp(`^(?:${pattern})$`, "u").unicode;
  } catch {
    return false;
  }
};

/** With at most this many parts of unlimited length, matching the longest identifier is fast. */
const mostLengths = 3;

/**
 * Whether a regular expression may backtrack for very long: it repeats a group that itself repeats or has alternatives,
 * or it has many parts of unlimited length.
 */
function mayRunAway(pattern: string): boolean {
  const simple = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gs, "x").replaceAll("(?:", "(");
  /** for each open group: whether it can match a text in several ways */
  const open = [false];
  let lengths = 0;
  /** whether the previous token ended such a group */
  let hasEnded = false;
  for (const token of simple.match(/\{[^}]*\}|./gs) ?? []) {
    if (/^(?:[+*?]|\{\d.*\})$/s.test(token)) {
      if (hasEnded && token !== "?") return true;
      const isFixed = /^\{\d+\}$/.test(token);
      if (!isFixed) open[open.length - 1] = true;
      if (!isFixed && token !== "?") lengths += 1;
    } else if (token === "|") open[open.length - 1] = true;
    hasEnded = token === ")" && open.pop() === true;
    if (hasEnded) open[open.length - 1] = true;
    if (token === "(") open.push(false);
  }
  return lengths > mostLengths;
}

/** A system that an administrator adds or changes. */
export const systemRules = z.strictObject({
  system: systemRule,
  name: registeredName(64),
  pattern: lineRule(256)
    .refine(isPattern, "is no regular expression")
    .refine(
      (pattern) => !mayRunAway(pattern),
      `may take too long to match: it repeats a group that itself has repetitions or alternatives, or it has more than ${mostLengths} parts of unlimited length`,
    )
    .nullish()
    .transform((pattern) => pattern || null),
  isUnique: z.boolean("must be true or false"),
});

export const isBuiltIn = (system: string): boolean => builtInSystems.some((one) => one.system === system);

/** What is wrong with a value in its system; undefined if nothing is. */
export const valueFault = (value: string, system: IdentifierSystem | undefined): string | undefined =>
  !system
    ? "there is no such system of identifiers"
    : hasForm(value, system)
      ? undefined
      : `'${cutTo(64, value)}' does not have the form of a ${system.name} (${system.pattern})`;
