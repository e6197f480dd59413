import { type Reads, shareOf, weights } from "../reading/reads.rules.ts";

/** What the list of all actions reads besides its page: to count them, those of the facilities of the scope. */
export const actionReads: Reads = (args, statistics, selected) => ({
  rows:
    selected.has("totalCount") && args.facilityUuid == null
      ? weights.facility * statistics.facilities * shareOf(args, statistics)
      : 0,
});
