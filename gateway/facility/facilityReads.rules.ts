import { type Reads, shareOf, weights } from "../reading/reads.rules.ts";

/** What a list of facilities reads beside its rows. */

/** How often a facility's rows are looked up for what its assessments and TDBs say, of now, of a period or as at a day; a change has two. */
export function matchesIn(filter: unknown): number {
  if (typeof filter !== "object" || filter === null) return 0;
  const names = ["latestAssessment", "earlierAssessment", "change", "change", "assessedBefore", "functional", "power", "silent", "noTdbSince", "lastAssessedBefore", "upgradedBefore"];
  return names.filter((name) => (filter as Record<string, unknown>)[name] != null).length;
}

/**
 * Every facility of the scope, where a filter or a search has to look at each; else the rows of the page by an index. What its assessments and TDBs
 * say is read instead of the facilities: those that are open come from an index beside it.
 */
export const facilityListReads: Reads = (args, statistics) => {
  const matches = matchesIn(args.filter) + (args.mode != null && (args.year ?? args.quarter ?? args.month ?? args.asOf) != null ? 1 : 0);
  const each = weights.facility * Math.max(args.filter == null ? 0 : 1, matches) + (args.search == null ? 0 : weights.search);
  return { rows: statistics.facilities * shareOf(args, statistics) * each };
};

/** The same below a place, partner or service area. */
export const facilitiesBelowReads =
  (edge: string): Reads =>
  (args, statistics, selected) =>
    facilityListReads({ ...args, [edge]: 1 }, statistics, selected);
