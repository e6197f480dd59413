import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "zod";
import { newAssessmentRules } from "../../gateway/assessment/assessment.rules.ts";
import { futureUpgradeMessage } from "../../gateway/assessment/visitTime.rules.ts";
import { fromForm } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";

/** Checks the form's values by the rules of a new assessment, with the ministry's today for dates. */
export const assessmentResolver = (facilityUuid: string, today: string) =>
  zodResolver(
    z
      .custom<FormValues>()
      .transform((values) => ({ facilityUuid, ...fromForm(values) }) as z.input<typeof newAssessmentRules>)
      .pipe(newAssessmentRules)
      .refine(({ dateOfLastUpgrade }) => dateOfLastUpgrade <= today, { path: ["dateOfLastUpgrade"], message: futureUpgradeMessage }),
    undefined,
    { raw: true },
  );
