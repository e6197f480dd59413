import { partOf, type Reads, shareOf, type Statistics, weights } from "../reading/reads.rules.ts";
import { periodOf } from "./ledger.rules.ts";

type Asked = Parameters<typeof periodOf>[0];
/** The days of the arguments; of arguments that will be refused, the usual ones. */
function daysOf(args: Readonly<Record<string, unknown>>, today: string) {
  try {
    return periodOf(args as Asked, today);
  } catch {
    return periodOf({}, today);
  }
}

/** Visits and TDBs of the period, each with what was known before, and the latest TDB before it of each facility. */
export const ledgerReads: Reads = (args, statistics: Statistics) => {
  const days = daysOf(args, statistics.today);
  const share = args.facilityUuid == null ? shareOf(args, statistics) : 1 / Math.max(1, statistics.facilities);
  const visits = statistics.assessments * partOf(days, statistics.firstVisit, statistics);
  const tdbs = statistics.tdbs * partOf(days, statistics.firstTdb, statistics);
  const kinds = Array.isArray(args.kinds) ? Math.min(args.kinds.length, 5) : 5;
  return {
    rows:
      share *
      (visits * weights.history * (1 + kinds) + tdbs * weights.history + statistics.facilities * 10 * weights.rollup),
  };
};
