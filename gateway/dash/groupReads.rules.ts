import { matchesIn } from "../facility/facilityReads.rules.ts";
import { monthsOf, partOf, type Reads, shareOf, type Statistics, weights } from "../reads.rules.ts";

/** What the groups of facilities, assessments and TDBs read, and how many groups there may be. */

const mostGroups = 10_000;
const monthsIn: Record<string, number> = { MONTH: 1, QUARTER: 3, YEAR: 12 };
/** As many modes and versions as a country has at a time. */
const modes = 6;
const versions = 10;

type Arguments = Parameters<Reads>[0];
const keysOf = ({ by }: Arguments): string[] => (Array.isArray(by) ? by.map(String) : []);
/** The months of the finest calendar key; null without one. */
const kindOf = (keys: readonly string[]): number | null => {
  const months = keys.flatMap((key) => monthsIn[key] ?? []);
  return months.length > 0 ? Math.min(...months) : null;
};

function groupsOf(keys: readonly string[], months: number, rows: number, share: number, { provinces, districts, partners }: Statistics): number {
  const place = keys.includes("DISTRICT") ? districts : keys.includes("PROVINCE") ? provinces : 1;
  const kind = kindOf(keys);
  const groups =
    Math.max(1, place * share) *
    (keys.includes("IMPLEMENTING_PARTNER") ? partners : 1) *
    (keys.includes("MODE") ? modes : 1) *
    (keys.includes("LIBRARY_VERSION") ? versions : 1) *
    (kind === null ? 1 : Math.max(1, months / kind));
  return Math.min(mostGroups, groups, Math.max(1, rows));
}

/** Visits or TDBs: all of the days are read, and sorted by facility, period and what else the group is told by. */
const historyReads =
  (all: (statistics: Statistics) => { rows: number; first: string | null }, texts: readonly string[]): Reads =>
  (args, statistics) => {
    const keys = keysOf(args);
    const { rows: whole, first } = all(statistics);
    const share = args.facilityUuid == null ? shareOf(args, statistics) : 1 / Math.max(1, statistics.facilities);
    const part = partOf(args, first, statistics);
    const rows = whole * share * part;
    // A short range of days or a facility is found by an index; otherwise all rows are read.
    const scanned = args.facilityUuid == null ? whole * (part < 0.2 ? part : 1) : rows;
    const weight = weights.history + weights.historyText * keys.filter((key) => texts.includes(key)).length;
    const joined = Math.min(rows, 2 * statistics.facilities);
    return { rows: weights.scanned * scanned + weight * rows + weights.joined * joined, groups: groupsOf(keys, monthsOf(first, statistics) * part, rows, share, statistics) };
  };

export const assessmentGroupReads = historyReads(({ assessments, firstVisit }) => ({ rows: assessments, first: firstVisit }), ["MODE", "LIBRARY_VERSION"]);
export const tdbGroupReads = historyReads(({ tdbs, firstTdb }) => ({ rows: tdbs, first: firstTdb }), ["LIBRARY_VERSION"]);

/** The months of a period that was named. */
function monthsNamed(period: unknown): number | null {
  if (typeof period !== "object" || period === null) return null;
  const { quarter, month, relative } = period as Record<string, unknown>;
  if (month != null || String(relative).endsWith("MONTH")) return 1;
  return (quarter != null && quarter !== -1) || String(relative).endsWith("QUARTER") ? 3 : 12;
}

/** Facilities, each once; with a period or a calendar key their rows of the roll-up. */
export const facilityGroupReads: Reads = (args, statistics) => {
  const { facilities, assessments, firstVisit } = statistics;
  const keys = keysOf(args);
  const kind = kindOf(keys);
  const share = shareOf(args, statistics);
  const history = monthsOf(firstVisit, statistics);
  const months = Math.min(monthsNamed(args.period) ?? history, history);
  const isTimed = kind !== null;
  const rows = isTimed || args.period != null ? Math.min(facilities * Math.max(1, isTimed ? months / kind : 1), (assessments * months) / Math.max(1, history)) : facilities;
  const own = rows * (isTimed || args.period != null ? weights.rollup : weights.facility);
  const matching = facilities * (weights.facility * matchesIn(args.filter) + (args.search == null ? 0 : weights.search));
  return { rows: (own + matching) * share, groups: groupsOf(keys, months, rows * share, share, statistics) };
};
