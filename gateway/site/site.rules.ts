import { z } from "zod";

import { endRule } from "../calendar/period.rules.ts";
import { idRule, listQueryRules } from "../input/page.rules.ts";

/** Rules for the site list that a device stores. */

/** The scope of a site list: the country, or a place, a partner, or both. */
export const siteScopeRules = z.strictObject({
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
});
export type SiteScope = z.output<typeof siteScopeRules>;

/** Query parameters of the latest assessments of a district. */
export const lastVisitQueryRules = listQueryRules.extend({
  asOf: endRule
    .optional()
    .describe("Only assessments up to and including this day: each facility's state as at that day"),
});
