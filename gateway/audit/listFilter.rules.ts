import type { ListParameter } from "../input/listParameters.rules.ts";
import { events } from "./events.rules.ts";

/** The filters and orders of the audit log, for the address of its screen, REST, GraphQL and its CSV file. */

/** The outcomes of an event, with their labels. */
export const outcomes = { done: "Done", denied: "Denied", failed: "Failed" } as const;
export type Outcome = keyof typeof outcomes;

export const auditParameters = {
  who: { kind: "text", label: "Who", about: "User name, e-mail address or attempted login, as a whole.", most: 128 },
  action: { kind: "choice", label: "What", about: "What was done, for example user.create.", choices: events },
  outcome: { kind: "choice", label: "Outcome", about: "How it ended.", choices: outcomes },
  start: { kind: "day", label: "From", about: "First day." },
  end: { kind: "day", label: "To", about: "Last day, included." },
  about: {
    kind: "text",
    label: "Facility, user or import",
    about:
      "The facility (uuid or HMIS code), the user (uuid, user name or e-mail address), the import (uuid or file name) or the comparison (uuid or source) it was about.",
    most: 128,
  },
} as const satisfies Record<string, ListParameter>;

/** The keys by which the audit log can be sorted. */
export const auditSortKeys = ["when", "who", "what", "outcome", "about", "address"] as const;
export type AuditSortKey = (typeof auditSortKeys)[number];
