import { type Reads, shareOf, weights } from "../reading/reads.rules.ts";

/**
 * The cost of the fleet's figures: each facility of the scope with its state and latest TDB. It does not grow with the
 * history.
 */

const quarters = 8;
const today = weights.facility + weights.joined;

/** Each facility is read once for today's figures, and once more for each quarter if the quarters are requested. */
export const fleetReads: Reads = (args, statistics, selected) => ({
  rows:
    statistics.facilities *
    shareOf(args, statistics) *
    (today + (selected.has("quarters") ? quarters * weights.scanned : 0)),
});

export const fleetSitesReads: Reads = (args, statistics) => ({
  rows: statistics.facilities * shareOf(args, statistics) * today,
});
