import { zodResolver } from "@hookform/resolvers/zod";
import type { Resolver } from "react-hook-form";
import { z } from "zod";
import { newAssessmentRules } from "../../gateway/assessment/assessment.rules.ts";
import { futureUpgradeMessage } from "../../gateway/assessment/visitTime.rules.ts";
import { dueDayRefusal } from "../../gateway/assessment/visitActions.rules.ts";
import { actionsOfForm, fromForm } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";

type Checked = Awaited<ReturnType<Resolver<FormValues>>>;

/** Adds the errors of days that are due too early or too late, where the rules found nothing wrong with the actions. */
function withDueDays(found: Checked, { actions }: FormValues): Checked {
  if (found.errors.actions) return found;
  const wrong = actions.map(({ dueDay, agreedDay }) => {
    const message = dueDayRefusal(dueDay, agreedDay);
    return message ? { dueDay: { type: "custom", message } } : undefined;
  });
  return wrong.some(Boolean) ? { values: {}, errors: { ...found.errors, actions: wrong } } : found;
}

/** Checks the form's values by the rules of a new assessment, with the ministry's today for dates. */
export function assessmentResolver(facilityUuid: string, today: string): Resolver<FormValues> {
  const check = zodResolver(
    z
      .custom<FormValues>()
      .transform(
        (values) =>
          ({ facilityUuid, ...fromForm(values), actions: actionsOfForm(values) }) as z.input<typeof newAssessmentRules>,
      )
      .pipe(newAssessmentRules),
    undefined,
    { raw: true },
  );
  return async (values, context, options) => {
    const found = withDueDays(await check(values, context, options), values);
    // Not a refinement: zod runs refinements only if everything else is right, but a field is checked when it is left.
    const latest = values.visitDay && values.visitDay > today ? values.visitDay : today;
    if (values.dateOfLastUpgrade <= latest || found.errors.dateOfLastUpgrade) return found;
    return {
      values: {},
      errors: { ...found.errors, dateOfLastUpgrade: { type: "custom", message: futureUpgradeMessage } },
    };
  };
}
