import { z } from "zod";

import { wholeNumber } from "../input/page.rules.ts";

/** The parameters of DHIS2's list of organisation units that this one knows, under DHIS2's names. */

/** The most units of a page. */
const mostUnits = 1000;
export const organisationUnitRules = z.strictObject({
  paging: z.enum(["true", "false"], "must be true or false").default("true").describe("false: all in one answer."),
  page: wholeNumber.refine((page) => page >= 1 && page <= 1_000_000, "must be 1 or more").default(1).describe("Which page, from 1 on."),
  pageSize: wholeNumber
    .refine((size) => size >= 1 && size <= mostUnits, `must be 1 to ${mostUnits}`)
    .default(50)
    .meta({ description: "Units of a page.", minimum: 1, maximum: mostUnits }),
  level: wholeNumber
    .refine((level) => level >= 1 && level <= 4, "must be 1 (country), 2 (province), 3 (district) or 4 (facility)")
    .optional()
    .meta({ description: "Of this level only: 1 country, 2 province, 3 district, 4 facility.", minimum: 1, maximum: 4 }),
});
