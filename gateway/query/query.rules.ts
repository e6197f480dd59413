import { z } from "zod";

import { filterTextRule } from "../input/page.rules.ts";
import { storable, storableWithin } from "../input/text.rules.ts";
import { lineRule, textRule } from "../input/texts.rules.ts";

/** Rules for saved queries: GraphQL queries that people save under a name. */

/** The most queries that one person can save. */
export const mostSavedQueries = 200;
/** The most queries that one person can pin to Home. */
export const mostPinned = 6;

const text = (most: number) =>
  z
    .string("must be a text")
    .max(most, `may have at most ${most.toLocaleString("en")} characters`)
    .refine(...storable);
const required = (most: number) => text(most).refine((value) => value.trim() !== "", "is required");

const mostVariables = 20_000;

const shape = {
  name: lineRule(128).min(1, "is required").describe("Unique among one's own, at most 128 characters."),
  description: textRule(512).nullish().describe("What it answers, at most 512 characters."),
  query: required(20_000).describe("A GraphQL query, at most 20,000 characters."),
  variables: z
    .record(z.string(), z.unknown(), "must be an object")
    .refine(
      (value) => JSON.stringify(value).length <= mostVariables,
      `may have at most ${mostVariables.toLocaleString("en")} characters as JSON`,
    )
    .refine(...storableWithin)
    .nullish()
    .describe("Values of the query's variables."),
  operationName: text(128).nullish().describe("Which operation to run, where the query has several."),
  shared: z
    .boolean("must be true or false")
    .nullish()
    .describe("Whether everybody who is signed in may see and run it, each with their own rights."),
};

export const newQueryRules = z.strictObject(shape);
export type NewQuery = z.output<typeof newQueryRules>;

/** A query to be measured without running it. */
export const measuredQueryRules = z.strictObject({
  query: required(65_536).describe("A GraphQL query."),
  variables: shape.variables,
  operationName: shape.operationName,
});
export type MeasuredQuery = z.output<typeof measuredQueryRules>;

/** Changes of a saved query; a missing field is not changed. */
export const changedQueryRules = z.strictObject({
  ...shape,
  name: shape.name.optional(),
  query: shape.query.optional(),
});
export type ChangedQuery = z.output<typeof changedQueryRules>;

export const queryFilterRules = z.strictObject({
  search: filterTextRule,
  mine: z.boolean().nullish(),
  pinned: z.boolean().nullish(),
});
export type QueryFilter = z.output<typeof queryFilterRules>;

/** The path at which a saved query is answered: as JSON, or with .csv appended as CSV. */
export const pathOfQuery = (uuid: string): string => `/api/v1/query/${uuid}`;
