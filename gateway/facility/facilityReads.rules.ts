import { type Reads, shareOf, weights } from "../reading/reads.rules.ts";

/** The cost of lists of facilities: how many rows they read. */

/**
 * How often a filter looks up rows of a facility's assessments or TDBs: once for each such condition, twice for a
 * change.
 */
export function matchesIn(filter: unknown): number {
  if (typeof filter !== "object" || filter === null) return 0;
  const names = [
    "latestAssessment",
    "earlierAssessment",
    "change",
    "change",
    "inARow",
    "assessedBefore",
    "functional",
    "power",
    "silent",
    "noTdbSince",
    "hasSentTdb",
    "lastAssessedBefore",
    "upgradedBefore",
  ];
  return names.filter((name) => (filter as Record<string, unknown>)[name] != null).length;
}

/**
 * With a filter or a search: every facility of the scope, as each must be checked. Otherwise an index finds the rows of
 * the page. Conditions on assessments and TDBs count instead of the facility's own row, because an index of the open
 * facilities is enough for it.
 */
export const facilityListReads: Reads = (args, statistics) => {
  const matches =
    matchesIn(args.filter) +
    (args.mode != null && (args.year ?? args.quarter ?? args.month ?? args.asOf) != null ? 1 : 0);
  const each =
    weights.facility * Math.max(args.filter == null ? 0 : 1, matches) + (args.search == null ? 0 : weights.search);
  return { rows: statistics.facilities * shareOf(args, statistics) * each };
};

/** The same below a place, partner or service area. */
export const facilitiesBelowReads =
  (edge: string): Reads =>
  (args, statistics, selected) =>
    facilityListReads({ ...args, [edge]: 1 }, statistics, selected);
