import { z } from "zod";

import { mostRestRows, mostRows, wholeNumber } from "../input/page.rules.ts";

/** The kinds that are returned by default. */
export const usualKinds = ["facility", "facilitySettings", "facilityConnectivity", "assessment", "tdb"] as const;
/** All kinds of the feed. The record of each kind has the shape of the REST call for it. */
export const changeKinds = [
  ...usualKinds,
  "province",
  "district",
  "implementingPartner",
  "user",
  "download",
  "target",
  "release",
  "rollout",
  "action",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

const kindRule = z.enum(changeKinds, { error: `must be one of ${changeKinds.join(", ")}` });
const kindsRule = z
  .array(kindRule)
  .min(1, "must name at least one kind")
  .max(changeKinds.length, "names a kind twice")
  .refine((kinds) => new Set(kinds).size === kinds.length, "names a kind twice");
const sinceRule = z
  .string()
  .min(1, "must not be empty: leave it out to begin")
  .max(500, "is not a cursor of this feed");
const limitUpTo = (most: number) =>
  wholeNumber
    .refine((limit) => limit >= 1 && limit <= most, `must be 1 to ${most}`)
    .meta({ minimum: 1, maximum: most });

const usualChanges = 500;
/** In seconds; less than the usual time limit of proxies, which is a minute. */
const longestWait = 50;
const waitRule = wholeNumber
  .refine((seconds) => seconds >= 0 && seconds <= longestWait, `must be 0 to ${longestWait}`)
  .meta({ minimum: 0, maximum: longestWait });

/** Query parameters of the feed; `kinds` are separated by commas. */
export const changeQueryRules = z.strictObject({
  since: sinceRule
    .optional()
    .describe("The `cursor` of the answer before. Without it everything is sent, from the beginning."),
  limit: limitUpTo(mostRestRows).default(usualChanges).describe(`At most so many changes, 1 to ${mostRestRows}.`),
  kinds: z
    .preprocess((value) => (typeof value === "string" ? value.split(",") : value), kindsRule)
    .optional()
    .describe(
      `Only these, separated by commas: ${changeKinds.join(", ")}. Unless given, those of the first five that you may read.`,
    ),
  wait: waitRule
    .optional()
    .describe(
      `Where there is nothing new, wait so many seconds for it, at most ${longestWait}: the answer comes as soon as there is a change.`,
    ),
});

/** The same as arguments of a GraphQL field. */
export const changeArgumentRules = z.strictObject({
  since: sinceRule.nullish(),
  limit: limitUpTo(mostRows).nullish(),
  kinds: kindsRule.nullish(),
  wait: waitRule.nullish(),
});

/**
 * The parts of a cursor: the feed's name, the position, the transaction up to which the caller knew everything, and the
 * kinds.
 */
export const cursorRules = z.tuple([
  z.string().regex(/^[\w-]{12}$/),
  z.string().regex(/^\d{1,18}$/),
  z.string().regex(/^\d{1,18}$/),
  z
    .string()
    .regex(/^\d{1,18}$/)
    .nullable(),
  kindsRule,
]);
