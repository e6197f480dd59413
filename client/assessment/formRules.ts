import { zodResolver } from "@hookform/resolvers/zod";
import type { Resolver } from "react-hook-form";
import { z } from "zod";
import { newAssessmentRules } from "../../gateway/assessment/assessment.rules.ts";
import { futureUpgradeMessage } from "../../gateway/assessment/visitTime.rules.ts";
import { fromForm } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";

/** Checks the form's values by the rules of a new assessment, with the ministry's today for dates. */
export function assessmentResolver(facilityUuid: string, today: string): Resolver<FormValues> {
  const check = zodResolver(
    z
      .custom<FormValues>()
      .transform((values) => ({ facilityUuid, ...fromForm(values) }) as z.input<typeof newAssessmentRules>)
      .pipe(newAssessmentRules),
    undefined,
    { raw: true },
  );
  return async (values, context, options) => {
    const found = await check(values, context, options);
    // Not a refinement: zod runs refinements only if everything else is right, but a field is checked when it is left.
    const latest = values.visitDay && values.visitDay > today ? values.visitDay : today;
    if (values.dateOfLastUpgrade <= latest || found.errors.dateOfLastUpgrade) return found;
    return {
      values: {},
      errors: { ...found.errors, dateOfLastUpgrade: { type: "custom", message: futureUpgradeMessage } },
    };
  };
}
