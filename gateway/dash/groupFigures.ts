import type { Answers, Figures } from "../../db/dash/figures.ts";
import type { GroupKeys } from "../../db/dash/groupKeys.ts";
import type { Context } from "../context.ts";
import { requireRight } from "../access/access.ts";

export type { Answers, Figures };

/** What groups have in addition to their rows: figures that are read on demand, shares, a comparison, an order. */

/** Identifies a group within its grouping. */
export const keyOf = (row: GroupKeys): string =>
  JSON.stringify([
    ...[
      row.provinceId,
      row.districtId,
      row.implementingPartnerId,
      row.facilityOwner,
      row.facilityType,
      row.healthCenterType,
      row.laboratoryLevel,
    ],
    ...[
      row.operationStatus,
      row.connectivityPresent,
      row.connectivityType,
      row.mobileCoverage,
      row.serviceAreaId,
      row.distanceFrom,
      row.mode,
      row.libraryVersion,
    ],
    ...[row.smartCareFunctional, row.userUuid, row.weekday, row.periodStart],
  ]);

const noFigures: Figures = {
  known: 0,
  notStated: 0,
  sum: null,
  mean: null,
  median: null,
  p90: null,
  min: null,
  max: null,
};
const noAnswers: Answers = { yes: 0, no: 0, notStated: 0 };

/**
 * Reads a figure for all groups together, when it is requested for the first group. `none`: the figure of a group that
 * has no row.
 */
function readOnce<What extends string, Row>(read: (what: What) => Promise<(GroupKeys & Row)[]>, none: Row) {
  const found = new Map<What, Promise<Map<string, Row>>>();
  return async (what: What, group: GroupKeys): Promise<Row> => {
    if (!found.has(what))
      found.set(
        what,
        read(what).then((rows) => new Map(rows.map((row) => [keyOf(row), row]))),
      );
    return (await found.get(what)!).get(keyOf(group)) ?? none;
  };
}

/** The keys of visits and TDBs, without values. */
const notOfFacilities = {
  mode: undefined,
  libraryVersion: undefined,
  smartCareFunctional: undefined,
  userUuid: undefined,
  weekday: undefined,
  periodStart: undefined,
};

/** Reads the figures of all groups of one answer. */
export type Source<Fact extends string, Question extends string> = {
  figures: (fact: Fact, group: GroupKeys) => Promise<Figures>;
  /** null for a question that does not exist for these groups */
  answers: (question: Question, group: GroupKeys) => Promise<Answers | null>;
  /** The number of facilities that are there with the group's keys of facilities, whatever was found in them and when. */
  of: (group: GroupKeys) => Promise<number>;
  /** Those of them that match the filter. */
  matching: (group: GroupKeys) => Promise<number>;
  /** Those that were assessed (in the group's period), whatever was found in them. */
  ofAssessed: (group: GroupKeys) => Promise<number>;
  /** The group's share of the groups that have the same values of these keys; null if one of these groups is hidden. */
  share: (within: readonly (keyof GroupKeys)[], group: GroupKeys) => { count: number; of: number } | null;
};

type Reads<Row, Fact extends string, Question extends string> = {
  rows: readonly Row[];
  /** the number of things in a group; null if it is hidden */
  sizeOf: (row: Row) => number | null;
  figures: (fact: Fact) => Promise<(GroupKeys & Figures)[]>;
  answers?: (question: Question) => Promise<(GroupKeys & Answers)[]>;
  isAskable?: (question: Question) => boolean;
  of: () => Promise<Sites[]>;
  matching?: () => Promise<Sites[]>;
  assessed?: () => Promise<Sites[]>;
};
type Sites = GroupKeys & { facilities: number };

/** Makes the reader of the figures of all groups of one answer. */
export function sourceOf<Row extends GroupKeys, Fact extends string, Question extends string = never>({
  rows,
  sizeOf,
  figures,
  answers,
  isAskable = () => true,
  of: sites,
  matching = sites,
  assessed = sites,
}: Reads<Row, Fact, Question>): Source<Fact, Question> {
  const sums = new Map<string, Map<string, number | null>>();
  const partOf = (within: readonly (keyof GroupKeys)[], row: GroupKeys) =>
    JSON.stringify(within.map((name) => row[name] ?? null));
  const sumsWithin = (within: readonly (keyof GroupKeys)[]) => {
    const name = within.join();
    const known = sums.get(name);
    if (known) return known;
    const added = new Map<string, number | null>();
    for (const row of rows) {
      const [part, size] = [partOf(within, row), sizeOf(row)];
      const before = added.get(part);
      added.set(part, size === null || before === null ? null : (before ?? 0) + size);
    }
    sums.set(name, added);
    return added;
  };
  const reads = { of: sites, matching, ofAssessed: assessed };
  const counted = readOnce<keyof typeof reads, { facilities: number }>((which) => reads[which](), { facilities: 0 });
  const countOf = async (which: keyof typeof reads, group: GroupKeys) =>
    (await counted(which, { ...group, ...notOfFacilities })).facilities;
  const answered = readOnce<Question, Answers>(answers ?? (() => Promise.resolve([])), noAnswers);
  return {
    figures: readOnce(figures, noFigures),
    answers: (question, group) => (answers && isAskable(question) ? answered(question, group) : Promise.resolve(null)),
    of: (group) => countOf("of", group),
    matching: (group) => countOf("matching", group),
    ofAssessed: async (group) =>
      (await counted("ofAssessed", { ...group, ...notOfFacilities, periodStart: group.periodStart })).facilities,
    share: (within, group) => {
      const [count, of] = [sizeOf(group as Row), sumsWithin(within).get(partOf(within, group)) ?? null];
      return count === null || of === null ? null : { count, of };
    },
  };
}

/** The measure that a list is asked for. `value` is what is asked for. `now` and `before` are those of a change. */
export type Measured = {
  value: number | null;
  count: number | null;
  of: number | null;
  now: number | null;
  before: number | null;
};

/**
 * A group with the reader of its figures, the measure that is asked for and, in a comparison, the earlier group.
 */
export type Sourced<Row, Fact extends string, Question extends string = never> = Row & {
  source: Source<Fact, Question>;
  measure: Measured | null;
  /** its place in the order that is asked for, from 1; equal figures share a place. Null without order or figure */
  rank: number | null;
  /** how many groups share this place, with those that are left out after the first ones */
  tied: number | null;
  isCompared: boolean;
  before: Sourced<Row, Fact, Question> | null;
};
type Listed<Row, Fact extends string, Question extends string> = { rows: Row[]; source: Source<Fact, Question> };

/**
 * Groups, each joined with its earlier group (`before`) in a comparison. A group that exists in only one of the two has
 * counts of 0 in the other.
 */
export function sourced<Row extends GroupKeys, Fact extends string, Question extends string>(
  { rows, source }: Listed<Row, Fact, Question>,
  before: Listed<Row, Fact, Question> | null,
  counts: readonly string[],
): Sourced<Row, Fact, Question>[] {
  const plain = { measure: null, rank: null, tied: null, before: null };
  if (!before) return rows.map((row) => Object.assign(row, { ...plain, source, isCompared: false }));
  const then = new Map(
    before.rows.map((row) => [keyOf(row), Object.assign(row, { ...plain, source: before.source, isCompared: false })]),
  );
  const nothing = Object.fromEntries(counts.map((name) => [name, 0]));
  const present = new Set(rows.map(keyOf));
  const gone = before.rows.filter((row) => !present.has(keyOf(row))).map((row) => ({ ...row, ...nothing }));
  return [...rows, ...gone].map((row) =>
    Object.assign(row, { ...plain, source, isCompared: true, before: then.get(keyOf(row)) ?? null }),
  );
}

type Arrangement = {
  sort?: string | null;
  first?: number | null;
  minimumSize?: number | null;
  minimumDenominator?: number | null;
};
/** A value to sort by. `of`: the denominator of a share, otherwise null. */
export type SortValue = { value: number | null; of: number | null };

/**
 * The groups of at least the requested size, sorted and limited as requested. Groups without a value to sort by come
 * last; those whose share has a smaller denominator than requested are left out. With an order, each gets its rank, and
 * how many share it.
 */
export async function arranged<Row extends GroupKeys & Pick<Sourced<GroupKeys, never>, "measure" | "rank" | "tied">>(
  rows: Row[],
  { sort, first, minimumSize, minimumDenominator }: Arrangement,
  { sizeOf, valueOf }: { sizeOf: (row: Row) => number | null; valueOf: (name: string, row: Row) => Promise<SortValue> },
): Promise<Row[]> {
  let kept = minimumSize == null ? rows : rows.filter((row) => (sizeOf(row) ?? 0) >= minimumSize);
  if (sort != null) {
    const descending = sort.startsWith("-");
    const name = descending ? sort.slice(1) : sort;
    const all = await Promise.all(kept.map(async (row) => ({ row, ...(await valueOf(name, row)) })));
    const valued = minimumDenominator == null ? all : all.filter(({ of }) => (of ?? 0) >= minimumDenominator);
    const order = (one: number | null, other: number | null) =>
      one === null || other === null
        ? Number(one === null) - Number(other === null)
        : descending
          ? other - one
          : one - other;
    const sorted = valued.toSorted((one, other) => order(one.value, other.value));
    for (const [index, { row, value }] of sorted.entries()) {
      const last = sorted[index - 1];
      row.rank = value === null ? null : last?.value === value ? last.row.rank : index + 1;
    }
    kept = sorted.map(({ row }) => row);
    const sharing = new Map<number | null, number>();
    for (const { rank } of kept) sharing.set(rank, (sharing.get(rank) ?? 0) + 1);
    for (const row of kept) row.tied = row.rank === null ? null : sharing.get(row.rank)!;
  } else if (minimumDenominator != null) kept = kept.filter(({ measure }) => (measure?.of ?? 0) >= minimumDenominator);
  return first == null ? kept : kept.slice(0, first);
}

/**
 * Requires the right to read TDBs, because figures about few facilities could reveal single TDBs.
 *
 * @throws Problem FORBIDDEN
 */
export const requireTdbFigures = (context: Context): void => void requireRight(context, "viewTdbs");
