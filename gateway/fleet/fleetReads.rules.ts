import { type Reads, shareOf, weights } from "../reading/reads.rules.ts";

/** The rows that the figures of the fleet read: each facility of the scope with its state and latest TDB, however long the history is. */

const quarters = 8;
const today = weights.facility + weights.joined;

/** Each facility several times: as of today for the figures, and at the end of each quarter. */
export const fleetReads: Reads = (args, statistics, selected) => ({
  rows: statistics.facilities * shareOf(args, statistics) * (today + (selected.has("quarters") ? quarters * weights.scanned : 0)),
});

export const fleetSitesReads: Reads = (args, statistics) => ({ rows: statistics.facilities * shareOf(args, statistics) * today });
