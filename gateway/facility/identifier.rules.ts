import { z } from "zod";

import { builtInSystems, hasForm, identifierMaximum, type IdentifierSystem } from "../../db/identifierSystems.rules.ts";
import { storable } from "../input/text.rules.ts";

/** Identifiers of facilities and the systems that they belong to. */

export type { IdentifierSystem } from "../../db/identifierSystems.rules.ts";

export const systemRule = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]{0,31}$/, "must begin with a small letter and have at most 32 letters and digits");
export const valueRule = z
  .string("must be a text")
  .trim()
  .min(1, "must not be empty")
  .max(identifierMaximum, `may have at most ${identifierMaximum} characters`)
  .refine(...storable);
const day = z.iso.date("must be a day, YYYY-MM-DD").nullish().transform((value) => value ?? null);

const identifierShape = z
  .strictObject({ system: systemRule, value: valueRule, from: day, until: day })
  .refine(({ from, until }) => from === null || until === null || from <= until, { path: ["until"], message: "must not be before from" });

/** All identifiers of a facility: who sends the list says that there are no others. */
export const identifiersRules = z.strictObject({
  identifiers: z
    .array(identifierShape)
    .max(100, "has more than 100 entries")
    .superRefine((identifiers, context) => {
      const seen = new Set<string>();
      for (const [index, { system, value }] of identifiers.entries()) {
        const key = `${system} ${value}`;
        if (seen.has(key)) context.addIssue({ code: "custom", path: [index, "value"], message: "stands in the list already" });
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

/** Groups that repeat within groups that repeat: an expression that may take for ever. */
const mayRunAway = (pattern: string): boolean => /[+*}]\)*[+*{]|\([^)]*[+*}][^)]*\)[+*{]/.test(pattern);

/** A system that an administrator adds or changes. */
export const systemRules = z.strictObject({
  system: systemRule,
  name: z.string("must be a text").trim().min(1, "must not be empty").max(64, "may have at most 64 characters").refine(...storable),
  pattern: z
    .string("must be a text")
    .trim()
    .max(256, "may have at most 256 characters")
    .refine(...storable)
    .refine(isPattern, "is no regular expression")
    .refine((pattern) => !mayRunAway(pattern), "repeats what repeats: write it without nested repetition")
    .nullish()
    .transform((pattern) => pattern || null),
  isUnique: z.boolean("must be true or false"),
});

export const isBuiltIn = (system: string): boolean => builtInSystems.some((one) => one.system === system);

/** What is wrong with a value in its system, if anything. */
export const valueFault = (value: string, system: IdentifierSystem | undefined): string | undefined =>
  !system ? "there is no such system of identifiers" : hasForm(value, system) ? undefined : `'${value.slice(0, 64)}' does not have the form of a ${system.name} (${system.pattern})`;
