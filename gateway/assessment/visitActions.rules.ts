import { z } from "zod";

import { dateRule } from "../calendar/period.rules.ts";
import { clientUuidRule, idRule } from "../input/page.rules.ts";
import { lineRule, textRule } from "../input/texts.rules.ts";

/** Rules for what is agreed to mend something: what, who does it and until when. A visit brings several. */

export const actionLimits = { text: 500, responsible: 128, reason: 500 } as const;
/** The most actions that one visit can agree. */
export const mostVisitActions = 20;
const mostYearsAhead = 2;

const isRequired = "is required";
export const optionalText = (rule: ReturnType<typeof textRule>) => rule.nullish().transform((text) => text || null);

export const agreedShape = {
  text: textRule(actionLimits.text, isRequired)
    .min(1, isRequired)
    .describe("What is to be done, at most 500 characters."),
  responsible: optionalText(lineRule(actionLimits.responsible)).describe(
    "Who does it: a name of at most 128 characters. It may be left out if a partner is named.",
  ),
  implementingPartnerId: idRule.nullish().describe("The implementing partner that does it."),
  dueDay: z
    .string(isRequired)
    .min(1, isRequired)
    .pipe(dateRule)
    .describe("Until when: from the day of the agreement to two years after it."),
};

/** Refuses an action that nobody does. */
export const someone = (
  action: { responsible?: string | null; implementingPartnerId?: number | null | undefined },
  context: z.RefinementCtx,
) => {
  if (action.responsible == null && action.implementingPartnerId == null)
    context.addIssue({ code: "custom", path: ["responsible"], message: isRequired });
};

/** An action that is agreed at a visit and sent with it. */
const visitActionRules = z.strictObject({ actionUuid: clientUuidRule, ...agreedShape }).superRefine(someone);
export type VisitAction = z.output<typeof visitActionRules>;

export const visitActionsRule = z
  .array(visitActionRules)
  .max(mostVisitActions, `may be at most ${mostVisitActions}`)
  .refine((actions) => new Set(actions.map(({ actionUuid }) => actionUuid)).size === actions.length, {
    message: "names an actionUuid twice",
  })
  .nullish()
  .describe(
    `What was agreed at the visit, at most ${mostVisitActions}. Each is stored once by its \`actionUuid\`, which the client makes.`,
  );

/** What is wrong with the day until which something is to be done. Null if nothing is. */
export function dueDayRefusal(dueDay: string, agreedDay: string): string | null {
  if (dueDay < agreedDay) return `must not be before the day of the agreement, ${agreedDay}`;
  const last = `${Number(agreedDay.slice(0, 4)) + mostYearsAhead}${agreedDay.slice(4)}`;
  return dueDay > last ? `must not be more than ${mostYearsAhead} years after the day of the agreement` : null;
}
