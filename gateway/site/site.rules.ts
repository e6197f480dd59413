import { z } from "zod";

import { endRule } from "../calendar/period.rules.ts";
import { clientUuidRule, idRule, listQueryRules } from "../input/page.rules.ts";

/** Rules for the site list that a device stores. */

/** The scope of a site list: the country, or what is named of a place, a partner and a field list. */
export const siteScopeRules = z.strictObject({
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
  fieldList: clientUuidRule
    .nullish()
    .describe("Only the sites of the field list with this uuid. Needs editAssessments or administrator."),
});
export type SiteScope = z.output<typeof siteScopeRules>;

/** Query parameters of the latest assessments of a district. */
export const lastVisitQueryRules = listQueryRules.extend({
  asOf: endRule
    .optional()
    .describe("Only assessments up to and including this day: each facility's state as at that day"),
});
