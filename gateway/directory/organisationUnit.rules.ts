import { z } from "zod";

import { wholeNumber } from "../input/page.rules.ts";
import { lineRule } from "../input/texts.rules.ts";
import { fieldsWords, selectionOf } from "./fields.rules.ts";

/** The supported parameters of DHIS2's list of organisation units, under DHIS2's names. */

/** The most units of a page. */
const mostUnits = 1000;
const truth = z.enum(["true", "false"], "must be true or false");
/**
 * Parameters that DHIS2's clients always send and that have no effect here: names have one language, and totals are
 * always in the answer.
 */
const withoutMeaning = {
  translate: truth.optional(),
  locale: lineRule(40).optional(),
  totalPages: truth.optional(),
};

export const organisationUnitRules = z.strictObject({
  fields: lineRule(4000)
    .refine((text) => selectionOf(text) !== undefined, fieldsWords)
    .optional()
    .describe(
      "Only these properties: id,name,parent[id,name]; presets *, :all, :identifiable, :nameable, :simple, :owner; !path leaves one out. As in DHIS2, a property that there is not is left out.",
    ),
  paging: truth.default("true").describe("false: all in one answer, of one moment."),
  skipPaging: truth.optional().describe("true: the older name of paging=false."),
  page: wholeNumber
    .refine((page) => page >= 1 && page <= 1_000_000, "must be 1 or more")
    .default(1)
    .describe("Which page, from 1 on."),
  pageSize: wholeNumber
    .refine((size) => size >= 1 && size <= mostUnits, `must be 1 to ${mostUnits}`)
    .default(50)
    .meta({ description: "Units of a page.", minimum: 1, maximum: mostUnits }),
  level: wholeNumber
    .refine((level) => level >= 1 && level <= 4, "must be 1 (country), 2 (province), 3 (district) or 4 (facility)")
    .optional()
    .meta({
      description: "Of this level only: 1 country, 2 province, 3 district, 4 facility.",
      minimum: 1,
      maximum: 4,
    }),
  ...withoutMeaning,
});
