import { matchesIn } from "../facility/facilityReads.rules.ts";
import { monthsOf, partOf, type Reads, shareOf, type Statistics, weights } from "../reading/reads.rules.ts";

/**
 * The cost of groups of facilities, assessments and TDBs: the rows that they read, and the number of groups that may
 * result.
 */

const mostGroups = 10_000;
const monthsIn: Record<string, number> = { MONTH: 1, QUARTER: 3, YEAR: 12 };
/** All modes, and none. */
const modes = 7;
/** The usual number of versions in a country at one time. */
const versions = 10;
/** The assumed number of values of any other key. */
const usual = 8;
const known = new Set([
  "PROVINCE",
  "DISTRICT",
  "IMPLEMENTING_PARTNER",
  "MODE",
  "LIBRARY_VERSION",
  "MONTH",
  "QUARTER",
  "YEAR",
  "WEEKDAY",
]);
const ofFacility = [
  "FACILITY_OWNER",
  "FACILITY_TYPE",
  "HEALTH_CENTER_TYPE",
  "LABORATORY_LEVEL",
  "OPERATION_STATUS",
  "CONNECTIVITY_PRESENT",
  "CONNECTIVITY_TYPE",
  "MOBILE_COVERAGE",
  "SERVICE_AREA",
];
const ofRows = ["USER", "WEEKDAY", "SMART_CARE_FUNCTIONAL"];

type Arguments = Parameters<Reads>[0];
const keysOf = ({ by }: Arguments): string[] => (Array.isArray(by) ? by.map(String) : []);
/** The length of the finest calendar key in months; null without one. */
const kindOf = (keys: readonly string[]): number | null => {
  const months = keys.flatMap((key) => monthsIn[key] ?? []);
  return months.length > 0 ? Math.min(...months) : null;
};

/** The places and partners that the groups of a list have, whether anything was counted in them or not. */
function unitsOf(args: Arguments, statistics: Statistics): number {
  const { facilities, provinces, districts, partners } = statistics;
  if (args.facilityUuid != null) return 1;
  const keys = keysOf(args);
  const all = keys.includes("DISTRICT") ? districts : keys.includes("PROVINCE") ? provinces : 0;
  const places = Math.max(1, all * shareOf({ ...args, implementingPartnerId: null }, statistics));
  if (!keys.includes("IMPLEMENTING_PARTNER") || args.implementingPartnerId != null) return places;
  return Math.min(places * (partners + 1), all === 0 ? Infinity : places + facilities * shareOf(args, statistics));
}

/**
 * How many groups a list has: each combination of the units, and no more values of other keys than rows. `months` are
 * those of the history, `asked` those of the days that are asked for (null: all).
 */
function groupsOf(
  args: Arguments,
  { months, asked, rows }: { months: number; asked: number | null; rows: number },
  statistics: Statistics,
): number {
  const keys = keysOf(args);
  const kind = kindOf(keys);
  const periods = kind === null ? 1 : Math.max(1, (asked ?? months) / kind);
  const listed =
    unitsOf(args, statistics) *
    (keys.includes("MODE") && args.mode == null ? modes : 1) *
    (keys.includes("WEEKDAY") ? 7 : 1) *
    (asked === null ? 1 : periods);
  const occurring =
    (keys.includes("LIBRARY_VERSION") ? versions : 1) *
    usual ** keys.filter((key) => !known.has(key)).length *
    (asked === null ? periods : 1);
  const most = Math.max(1, rows);
  const groups =
    Number(args.minimumSize ?? 0) > 0 ? Math.min(listed * occurring, most) : listed * Math.min(occurring, most);
  return Math.min(mostGroups, groups, args.first == null ? Infinity : Number(args.first));
}

const wordOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
/** Whether a field is requested for each group, or the groups are sorted by it, or it is in their measure. */
function isWanted(name: string, args: Arguments, selected: ReadonlySet<string>): boolean {
  const { count, per } = (args.measure ?? {}) as { count?: unknown; per?: unknown };
  const word = wordOf(name);
  return selected.has(name) || String(args.sort).startsWith(word) || count === word || per === word;
}

/** Reading the units of a list and, if it is asked for, how many facilities each has. */
const unitReads = (args: Arguments, statistics: Statistics, selected: ReadonlySet<string>): number => {
  const sites = statistics.facilities * shareOf(args, statistics) * weights.facility;
  const keys = keysOf(args);
  const isBoth = keys.includes("IMPLEMENTING_PARTNER") && (keys.includes("PROVINCE") || keys.includes("DISTRICT"));
  return (
    weights.joined * unitsOf(args, statistics) + (isBoth ? sites : 0) + (isWanted("of", args, selected) ? sites : 0)
  );
};

type History = {
  all: (statistics: Statistics) => { rows: number; first: string | null };
  /** keys by which the history is sorted, besides facility and period */
  texts: readonly string[];
  /** keys and filters that roll-ups by place do not have, and those that roll-ups by facility do not have */
  byFacility: readonly string[];
  byHistory: readonly string[];
  /** the facts of the latest row of a facility, and those for which each row of the history is read */
  facts: { ofLatest: readonly string[]; ofRows: readonly string[] };
};

const isGiven = (value: unknown): value is string => value != null;
const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
/** Whether a period of `months` months begins on this day. Fiscal years begin in October. */
const begins = (day: unknown, months: number): boolean =>
  isGiven(day) && day.endsWith("-01") && (Number(day.slice(5, 7)) + 2) % months === 0;
const monthsAfter = (day: string, months: number): string =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + months, 1)).toISOString().slice(0, 10);

/** Whether a range of days consists of whole periods of a kind. Without a kind: whether it is exactly one period. */
function areWhole({ start, end }: Arguments, kind: number | null): boolean {
  const after = isGiven(end) ? dayAfter(end) : null;
  if (kind !== null) return (!isGiven(start) || begins(start, kind)) && (after === null || begins(after, kind));
  return isGiven(start) && [1, 3, 12].some((months) => begins(start, months) && monthsAfter(start, months) === after);
}

/**
 * Assessments or TDBs. Groups by place and whole periods are rows by place. Others are counted from a row for each
 * facility and period. If only the history has the requested values, or for days outside whole months, they are counted
 * from the history, sorted by facility, period and the other keys.
 */
const historyReads = (history: History): Reads => {
  const base = baseReads(history);
  const { all, facts } = history;
  return (args, statistics, selected) => {
    const { rows, groups } = base(args, statistics, selected);
    const { rows: whole, first } = all(statistics);
    const found =
      whole *
      (args.facilityUuid == null ? shareOf(args, statistics) : 1 / Math.max(1, statistics.facilities)) *
      partOf(args, first, statistics);
    const wanted = facts.ofLatest.filter((name) => isWanted(name, args, selected)).length;
    const ofLatest =
      wanted === 0
        ? 0
        : wanted *
          base({ ...args, facilityUuid: args.facilityUuid ?? "any" }, statistics, selected).rows *
          (args.facilityUuid == null ? statistics.facilities : 1);
    const ofEach =
      facts.ofRows.filter((name) => isWanted(name, args, selected)).length *
      found *
      (weights.scanned + weights.facility + weights.joined);
    const once =
      rows +
      Math.min(ofLatest, wanted * found * (weights.history + weights.joined)) +
      ofEach +
      unitReads(args, statistics, selected);
    return { rows: args.against == null ? once : 2 * once, groups };
  };
};

const baseReads =
  ({ all, texts, byFacility, byHistory }: History): Reads =>
  (args, statistics) => {
    const keys = keysOf(args);
    const isAsked = (names: readonly string[]) => names.some((name) => keys.includes(name) || args[name] != null);
    const { rows: whole, first } = all(statistics);
    const isOne = args.facilityUuid != null;
    const share = isOne ? 1 / Math.max(1, statistics.facilities) : shareOf(args, statistics);
    const part = partOf(args, first, statistics);
    const months = monthsOf(first, statistics) * part;
    const kind = kindOf(keys);
    const asked =
      isGiven(args.start) && isGiven(args.end)
        ? (Date.parse(args.end) - Date.parse(args.start)) / (30.4 * 86_400_000)
        : null;
    const groups = groupsOf(args, { months, asked, rows: whole * share * part }, statistics);
    const isRolledUp = !isAsked(byHistory);
    if (isRolledUp && !isAsked(byFacility) && areWhole(args, kind)) {
      const place = keys.includes("DISTRICT") ? statistics.districts : statistics.provinces;
      const partners =
        keys.includes("IMPLEMENTING_PARTNER") && args.implementingPartnerId == null ? 1 + statistics.partners : 1;
      return {
        rows:
          weights.rollup *
          Math.min(
            Math.max(1, place * share) * partners * Math.max(1, months / (kind ?? months)),
            2 * whole * share * part,
          ),
        groups,
      };
    }
    // Outside whole months, half a month at each end on average; outside longer periods, the shorter periods.
    const ends = [args.start, args.end].filter(isGiven);
    const odd =
      (isGiven(args.start) && !begins(args.start, 1) ? 0.5 : 0) +
      (isGiven(args.end) && !begins(dayAfter(args.end), 1) ? 0.5 : 0);
    const left = isRolledUp && months > 1 + odd ? odd / months : 1;
    const periods = Math.min(months, 1 + months / (kind ?? 12) + (kind === 1 ? 0 : 2 * ends.length));
    const kept = left < 1 ? Math.min(whole * part, statistics.facilities * periods) * share : 0;
    const rows = whole * share * part * left;
    // A short range of days, or a facility, is found by an index. Otherwise all rows are read. The roll-up holds three
    // kinds of periods.
    const scanned =
      (isOne ? rows : whole * (part * left < 0.2 ? part * left : 1)) + (isOne ? kept : (3 * kept) / share);
    const weight = weights.history + weights.historyText * keys.filter((key) => texts.includes(key)).length;
    const joined = Math.min(rows + kept, 2 * statistics.facilities);
    return { rows: weights.scanned * scanned + weight * (rows + kept) + weights.joined * joined, groups };
  };

export const assessmentGroupReads = historyReads({
  all: ({ assessments, firstVisit }) => ({ rows: assessments, first: firstVisit }),
  texts: ["MODE", "LIBRARY_VERSION"],
  byFacility: ["facilityUuid", ...ofFacility],
  byHistory: ["MODE", "LIBRARY_VERSION", "userUuid", "mode", "smartCareFunctional", "search", ...ofRows],
  facts: { ofLatest: ["staffTrained", "withoutPower"], ofRows: ["daysBetweenVisits", "daysToReceipt", "visitors"] },
});
export const tdbGroupReads = historyReads({
  all: ({ tdbs, firstTdb }) => ({ rows: tdbs, first: firstTdb }),
  texts: ["LIBRARY_VERSION"],
  byFacility: ["MODE", "facilityUuid", ...ofFacility],
  byHistory: ["LIBRARY_VERSION", "userUuid", "delta", ...ofRows],
  facts: { ofLatest: ["clients"], ofRows: ["daysBetweenTdbs"] },
});

/** The length of a requested period in months. */
function monthsNamed(period: unknown): number | null {
  if (typeof period !== "object" || period === null) return null;
  const { quarter, month, relative } = period as Record<string, unknown>;
  if (month != null || String(relative).endsWith("MONTH")) return 1;
  return (quarter != null && quarter !== -1) || String(relative).endsWith("QUARTER") ? 3 : 12;
}

/** Facts and answers of facilities, and the additional rows that each reads for a facility. */
const furtherFacts = {
  ...{
    staffTrained: 0,
    daysSinceLastVisit: 0,
    daysSinceLastUpgrade: weights.joined,
    completeness: 0,
    ofAssessed: 0,
    catchmentPopulation: 0,
    clients: 3 * weights.rollup,
    computers: 3 * weights.rollup + weights.joined,
    daysSinceLastTdb: 3 * weights.rollup,
  },
  ...Object.fromEntries(
    [
      "smartCareFunctional",
      "primaryPower",
      "primaryPowerWorking",
      "backupPower",
      "backupPowerWorking",
      "libraryVersionConsistent",
      "serviceAreaFunctional",
    ].map((name) => [name, weights.joined]),
  ),
};

/** Facilities: one row each, or with a period or a calendar key their rows of the roll-up. */
export const facilityGroupReads: Reads = (args, statistics, selected) => {
  const { facilities, assessments, firstVisit } = statistics;
  const keys = keysOf(args);
  const kind = kindOf(keys);
  const share = shareOf(args, statistics);
  const history = monthsOf(firstVisit, statistics);
  const months = Math.min(monthsNamed(args.period) ?? history, history);
  const isTimed = kind !== null;
  const rows =
    isTimed || args.period != null
      ? Math.min(facilities * Math.max(1, isTimed ? months / kind : 1), (assessments * months) / Math.max(1, history))
      : facilities;
  const own = rows * (isTimed || args.period != null ? weights.rollup : weights.facility);
  const matching =
    facilities * (weights.facility * matchesIn(args.filter) + (args.search == null ? 0 : weights.search));
  // Each of these is a separate query of the same facilities.
  const further = Object.entries(furtherFacts).flatMap(([name, weight]) =>
    isWanted(name, args, selected) ? [own + matching + weight * rows] : [],
  );
  const once =
    (own + matching + further.reduce((sum, each) => sum + each, 0)) * share + unitReads(args, statistics, selected);
  const groups = groupsOf(args, { months, asked: monthsNamed(args.period), rows: rows * share }, statistics);
  return { rows: args.against == null ? once : 2 * once, groups };
};
