import { z } from "zod";

import { idRule } from "../input/page.rules.ts";

/** Which sites a device takes along. */

/** The scope of a site list: the country, or what is named of place and partner. */
export const siteScopeRules = z.strictObject({
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish(),
});
export type SiteScope = z.output<typeof siteScopeRules>;
