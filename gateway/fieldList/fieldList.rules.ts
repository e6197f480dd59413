import { z } from "zod";

import { clientUuidRule, filterTextRule } from "../input/page.rules.ts";
import { lineRule } from "../input/texts.rules.ts";

/** Rules for field lists: named lists of sites that somebody visits. */

/** The most lists of one person. */
export const mostFieldLists = 200;
/** The most sites of a list. */
export const mostListedSites = 2000;

const nameRule = lineRule(128).min(1, "is required");
const sharedRule = z.boolean("must be true or false");

export const newFieldListRules = z.strictObject({ name: nameRule, shared: sharedRule.nullish() });
export type NewFieldList = z.output<typeof newFieldListRules>;

export const changeFieldListRules = z.strictObject({
  uuid: clientUuidRule,
  name: nameRule.nullish(),
  shared: sharedRule.nullish(),
});
export type FieldListChange = z.output<typeof changeFieldListRules>;

export const fieldListFilterRules = z.strictObject({ search: filterTextRule });
