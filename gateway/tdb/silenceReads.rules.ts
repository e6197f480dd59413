import { everyFacilityReads, monthsOf, type Reads, type Statistics, weights } from "../reading/reads.rules.ts";

/**
 * The cost of lists and counts of silent facilities. As at a day they read, for each facility, the last visit and the
 * latest TDB of each finished year, quarter and month.
 */

const periodsBefore = (statistics: Statistics): number => monthsOf(statistics.firstTdb, statistics) / 12 + 5;
const asOfReads: Reads = (args, statistics, selected) => ({
  rows:
    everyFacilityReads(args, statistics, selected).rows *
    (2 + (weights.rollup / weights.facility) * periodsBefore(statistics)),
});

export const silentSiteReads: Reads = (args, statistics, selected) =>
  (args.asOf == null ? everyFacilityReads : asOfReads)(args, statistics, selected);
/** Counts of today are read from the roll-up by place. */
export const silentCountReads: Reads = (args, statistics, selected) =>
  args.asOf == null ? { rows: 0 } : asOfReads(args, statistics, selected);
export const silentCountsBelowReads =
  (edge: string): Reads =>
  (args, statistics, selected) =>
    silentCountReads({ ...args, [edge]: 1 }, statistics, selected);
