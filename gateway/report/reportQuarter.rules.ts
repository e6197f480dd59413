import { may, type Privileges } from "../access/access.rules.ts";
import { dayBefore, periodEnd, periodOf } from "../calendar/fiscal.rules.ts";

/** Rules of reports that the screens use too. Without zod, which is large. */

/** A fiscal year and one of its quarters, 1 to 4. */
export type ReportQuarterOf = { year: number; quarter: number };

/** The first and the last day of a quarter. */
export function daysOfQuarter(quarter: ReportQuarterOf): { start: string; end: string } {
  const period = periodOf(quarter);
  return { start: period.start, end: dayBefore(periodEnd(period)) };
}

/** How a quarter stands on a day: only one that is over can be signed, and one that lies ahead has no figures. */
export function stateOfQuarter(quarter: ReportQuarterOf, today: string): "over" | "running" | "ahead" {
  const { start, end } = daysOfQuarter(quarter);
  return start > today ? "ahead" : end < today ? "over" : "running";
}

/** How many questions may stand in a report. */
export const mostReportQuestions = 4;
export const mostCommentCharacters = 500;

/**
 * Whether a person may save and sign the reports of a scope: administrators of any, who manages the people of a partner
 * those of that partner.
 */
export const maySignReport = (
  { privileges, implementingPartnerId }: { privileges: Privileges; implementingPartnerId: number },
  scope: { implementingPartnerId?: number | null },
): boolean =>
  may(privileges, "signReports") && (privileges.administrator || scope.implementingPartnerId === implementingPartnerId);
