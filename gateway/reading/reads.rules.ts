/**
 * How many rows a GraphQL field makes the database read, estimated from its arguments and the sizes of the tables: a
 * part of its cost.
 */

/** How much there is to read. */
export type Statistics = {
  facilities: number;
  assessments: number;
  tdbs: number;
  provinces: number;
  districts: number;
  partners: number;
  /** the first days of assessments and TDBs, YYYY-MM-DD; null where there are none */
  firstVisit: string | null;
  firstTdb: string | null;
  today: string;
};

/** The cost of reading a row, in units of one value of an answer: PostgreSQL's measured time, 6.5 µs a unit. */
export const weights = {
  /**
   * a visit or TDB that is read, one that is sorted to find each facility's latest, and the surcharge for each further
   * text that it is sorted by
   */
  scanned: 0.15,
  history: 0.3,
  historyText: 0.2,
  /** a row of another table that it is joined with */
  joined: 0.2,
  /** a row that is only counted, by an index */
  counted: 0.013,
  rollup: 0.4,
  facility: 0.6,
  search: 0.2,
} as const;

type Arguments = Readonly<Record<string, unknown>>;
/** The cost of what a field reads for one parent, and the number of groups if its answer is a list of groups. */
export type Reads = (
  args: Arguments,
  statistics: Statistics,
  selected: ReadonlySet<string>,
) => { rows: number; groups?: number };

/** The extensions of a field that reads more than the rows of its answer. */
export const reading = (reads: Reads) => ({ reads });

type Scope = { provinceId?: unknown; districtId?: unknown; implementingPartnerId?: unknown };

/** The share of the country that a scope covers, assuming equal parts. */
export function shareOf(
  { provinceId, districtId, implementingPartnerId }: Scope,
  { provinces, districts, partners }: Statistics,
): number {
  const place = districtId != null ? 1 / Math.max(1, districts) : provinceId != null ? 1 / Math.max(1, provinces) : 1;
  return place * (implementingPartnerId != null && implementingPartnerId !== -1 ? 1 / Math.max(1, partners) : 1);
}

const dayMs = 86_400_000;
const daysBetween = (start: string, end: string): number => (Date.parse(end) - Date.parse(start)) / dayMs + 1;
const isDay = (value: unknown): value is string => typeof value === "string" && !Number.isNaN(Date.parse(value));

/** The share of a history, from its first day until today, that a range of days covers. */
export function partOf(
  { start, end }: { start?: unknown; end?: unknown },
  first: string | null,
  { today }: Statistics,
): number {
  if (first === null) return 0;
  const from = isDay(start) && start > first ? start : first;
  const to = isDay(end) && end < today ? end : today;
  return Math.min(1, Math.max(0, daysBetween(from, to)) / Math.max(1, daysBetween(first, today)));
}

/** Months of a history until today. */
export const monthsOf = (first: string | null, { today }: Statistics): number =>
  first === null ? 0 : Math.max(1, daysBetween(first, today) / 30.4);

/**
 * The cost of lists of visits or TDBs: counting all that match, if the query counts them; reading a page costs nothing
 * more.
 */
export const countedReads =
  (all: (statistics: Statistics) => { rows: number; first: string | null }): Reads =>
  (args, statistics, selected) => {
    const { rows, first } = all(statistics);
    const isWhole = args.facilityUuid == null && args.userUuid == null;
    if (!selected.has("totalCount") || !isWhole) return { rows: 0 };
    return {
      rows: Math.max(0, weights.counted * rows * shareOf(args, statistics) * partOf(args, first, statistics) - 100),
    };
  };

/** Every facility of the scope is looked at. */
export const everyFacilityReads: Reads = (args, statistics) => ({
  rows: weights.facility * statistics.facilities * shareOf(args, statistics),
});
