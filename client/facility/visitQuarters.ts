import { fiscalYearOf, quarterOfMonth } from "../../gateway/calendar/fiscal.rules.ts";

/** A fiscal quarter, with the visits in it, the oldest first. */
export type VisitQuarter<Visit> = { year: number; quarter: number; visits: Visit[] };

const most = 12;

/** The number of quarters since year 0. */
const placeOf = (day: string): number => fiscalYearOf(day) * 4 + quarterOfMonth(Number(day.slice(5, 7))) - 1;

/** The quarters from a facility's first visit until today, at most the last twelve, including those without a visit. */
export function visitQuarters<Visit extends { assessmentDate: string }>(
  visits: readonly Visit[],
  today: string,
): VisitQuarter<Visit>[] {
  if (visits.length === 0) return [];
  const last = placeOf(today);
  const first = Math.max(
    last - most + 1,
    Math.min(last, ...visits.map(({ assessmentDate }) => placeOf(assessmentDate))),
  );
  const inOrder = visits.toSorted((one, other) => (one.assessmentDate < other.assessmentDate ? -1 : 1));
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).map((place) => ({
    year: Math.floor(place / 4),
    quarter: (place % 4) + 1,
    visits: inOrder.filter(({ assessmentDate }) => placeOf(assessmentDate) === place),
  }));
}
