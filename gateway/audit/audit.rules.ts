import { z } from "zod";

import { filterTextRule } from "../input/page.rules.ts";
import { dateRule, inOrder } from "../calendar/period.rules.ts";

/** How something ended, in words. */
export const outcomes = { done: "Done", denied: "Denied", failed: "Failed" } as const;
export type Outcome = keyof typeof outcomes;

/** In which role somebody acted: in their own session, by one of their tokens, or as a machine. */
export const actors = { person: "Person", token: "Person's token", service: "Service account", site: "Site credential" } as const;
export type Actor = keyof typeof actors;
const outcomeNames = Object.keys(outcomes) as [Outcome];

export const auditFilterShape = {
  who: filterTextRule.describe("User name, e-mail address or attempted login, as a whole."),
  action: filterTextRule.describe("What was done, for example user.create."),
  outcome: z.enum(outcomeNames, `must be one of ${outcomeNames.join(", ")}`).nullish(),
  start: dateRule.nullish().describe("First day."),
  end: dateRule.nullish().describe("Last day, included."),
  about: filterTextRule.describe("The facility (uuid or HMIS code) or the user (uuid, user name or e-mail address) it was about."),
};

/** Filters of the audit. */
export const auditFilterRules = z
  .strictObject(auditFilterShape)
  .refine(...inOrder);
export type AuditFilter = z.output<typeof auditFilterRules>;
