import { z } from "zod";

import { type TargetMeasure, targetMeasures } from "../../db/target/target.rules.ts";
import { quarterRule, yearRule } from "../calendar/period.rules.ts";
import { scopeShape, yearsRule } from "../dash/dash.rules.ts";
import { idRule } from "../input/page.rules.ts";

/**
 * Rules for targets: the share of the assessed facilities that should work (or have power, or be in mode E-First) in a
 * fiscal year.
 */

export { type TargetMeasure, targetMeasures };

const targetMeasureRule = z.enum(targetMeasures, `must be one of ${targetMeasures.join(", ")}`);

const percentRule = z
  .number("must be a number")
  .min(0, "must be 0 to 100")
  .max(100, "must be 0 to 100")
  .refine((percent) => Math.round(percent * 10) / 10 === percent, "may have at most one decimal")
  .describe("In percent of the facilities assessed, 0 to 100, at most one decimal");

const oneUnit = "A target is for one province, one district or one partner, or without them for the country";

export const newTargetRules = z
  .strictObject({
    measure: targetMeasureRule.describe("What is aimed at"),
    year: yearRule.describe("Fiscal year"),
    percent: percentRule.nullish(),
    share: percentRule.nullish().describe("`percent` by its former name"),
    provinceId: idRule.nullish(),
    districtId: idRule.nullish(),
    implementingPartnerId: idRule.nullish(),
  })
  .superRefine((given, context) => {
    const [, second] = (["provinceId", "districtId", "implementingPartnerId"] as const).filter(
      (name) => given[name] != null,
    );
    if (second) context.addIssue({ code: "custom", path: [second], message: oneUnit });
    if (given.percent == null && given.share == null) {
      context.addIssue({ code: "custom", path: ["percent"], message: "is required" });
    }
    if (given.percent != null && given.share != null) {
      context.addIssue({ code: "custom", path: ["share"], message: "is percent by its former name: give one of them" });
    }
  })
  .transform(({ percent, share, ...given }) => ({ ...given, percent: (percent ?? share)! }));
export type NewTarget = z.output<typeof newTargetRules>;

export const targetFilterRules = z.strictObject({ year: yearRule.nullish() });
export const attainmentRules = z.strictObject({
  year: yearRule,
  quarter: quarterRule,
  years: yearsRule,
  ...scopeShape,
});
export type AttainmentAsked = z.output<typeof attainmentRules>;
