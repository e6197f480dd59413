import { z } from "zod";

import { facilityUuidRule, modeRule } from "../facility/facility.rules.ts";
import { idRule } from "../page.rules.ts";
import { dateRule, endBeforeStartMessage } from "../period.rules.ts";

/** Filters of a list of assessments: a facility or a scope, the deployment mode, and the days of the visit, both included. */
export const assessmentFilterRules = z
  .strictObject({
    facilityUuid: facilityUuidRule.nullish(),
    provinceId: idRule.nullish(),
    districtId: idRule.nullish(),
    implementingPartnerId: idRule.nullish(),
    mode: modeRule.nullish(),
    start: dateRule.nullish(),
    end: dateRule.nullish(),
  })
  .refine(({ start, end }) => start == null || end == null || start <= end, { path: ["end"], message: endBeforeStartMessage });
export type AssessmentFilter = z.output<typeof assessmentFilterRules>;
