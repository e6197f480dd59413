import { z } from "zod";

import { type ActionOrigin, actionOrigins, type ActionState, actionStates } from "../../db/action/action.rules.ts";
import { worklistKinds } from "../../db/situation/state.rules.ts";
import { actionLimits, agreedShape, optionalText, someone } from "../assessment/visitActions.rules.ts";
import { facilityUuidRule } from "../facility/facility.rules.ts";
import { clientUuidRule, idRule } from "../input/page.rules.ts";
import { textRule } from "../input/texts.rules.ts";

/** Rules for actions: what was agreed to mend something at a facility, who does it, and until when. */

export { type ActionOrigin, actionOrigins, type ActionState, actionStates };

const isRequired = "is required";
const kindRule = z.enum(worklistKinds, `must be one of ${worklistKinds.join(", ")}`);

export const newActionRules = z
  .strictObject({
    actionUuid: clientUuidRule,
    facilityUuid: z.string(isRequired).pipe(facilityUuidRule),
    kind: kindRule.nullish().describe("The kind of the entry on the work list that it is about."),
    ...agreedShape,
  })
  .superRefine(someone);
export type NewActionInput = z.output<typeof newActionRules>;

const versionRule = z.int(isRequired).min(1, "must be 1 or more");
export const actionChangeRules = z
  .strictObject({ actionUuid: clientUuidRule, version: versionRule, ...agreedShape })
  .superRefine(someone);
export type ActionChangeInput = z.output<typeof actionChangeRules>;

export const closingRules = z
  .strictObject({
    actionUuid: clientUuidRule,
    version: versionRule,
    state: z.enum(["done", "dropped"], "must be done or dropped"),
    reason: optionalText(textRule(actionLimits.reason)).describe("Why: it must be given for what is dropped."),
  })
  .superRefine(({ state, reason }, context) => {
    if (state === "dropped" && reason === null)
      context.addIssue({ code: "custom", path: ["reason"], message: isRequired });
  });
export type ClosingInput = z.output<typeof closingRules>;

export const reopeningRules = z.strictObject({ actionUuid: clientUuidRule, version: versionRule });

const stateRule = z.enum(actionStates, `must be one of ${actionStates.join(", ")}`);
export const actionFilterShape = {
  facilityUuid: facilityUuidRule.nullish(),
  provinceId: idRule.nullish(),
  districtId: idRule.nullish(),
  implementingPartnerId: idRule.nullish().describe("Only of facilities that this partner supports today"),
  state: stateRule.nullish(),
  responsiblePartnerId: idRule.nullish().describe("Only those that this implementing partner is to do"),
  kind: kindRule.nullish().describe("Only those about entries of this kind on the work list"),
};
export const overdueAbout = "true: only open ones whose day is past; false: only the others";
export const actionFilterRules = z.strictObject({
  ...actionFilterShape,
  overdue: z.boolean().nullish(),
  isAboutEntry: z.boolean().nullish(),
  mine: z.boolean().nullish(),
});
export type ActionFilterInput = z.output<typeof actionFilterRules>;
