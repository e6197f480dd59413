import { z } from "zod";

import { facilityUuidRule } from "../facility/facility.rules.ts";
import { idRule } from "../page.rules.ts";
import { dateRule, endBeforeStartMessage } from "../period.rules.ts";

/** Filters of a list of TDBs: a facility or a scope, and the days of receipt, both included. */
export const tdbFilterRules = z
  .strictObject({
    facilityUuid: facilityUuidRule.nullish(),
    provinceId: idRule.nullish(),
    districtId: idRule.nullish(),
    implementingPartnerId: idRule.nullish(),
    start: dateRule.nullish(),
    end: dateRule.nullish(),
  })
  .refine(({ start, end }) => start == null || end == null || start <= end, { path: ["end"], message: endBeforeStartMessage });
export type TdbFilter = z.output<typeof tdbFilterRules>;
