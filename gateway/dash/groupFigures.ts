import type { Answers, Figures } from "../../db/figures.ts";
import type { GroupKeys } from "../../db/groupKeys.ts";
import type { Context } from "../context.ts";
import { requireRight } from "../access/access.ts";

export type { Answers, Figures };

/** What is told of groups beside their rows: figures that are read when they are asked for, shares, a comparison, an order. */

/** Names a group among others of the same grouping. */
const keyOf = (row: GroupKeys): string =>
  JSON.stringify([
    ...[row.provinceId, row.districtId, row.implementingPartnerId, row.facilityOwner, row.facilityType, row.healthCenterType, row.laboratoryLevel],
    ...[row.operationStatus, row.connectivityPresent, row.connectivityType, row.mobileCoverage, row.serviceAreaId, row.mode, row.libraryVersion],
    ...[row.smartCareFunctional, row.userUuid, row.weekday, row.periodStart],
  ]);

const noFigures: Figures = { known: 0, notStated: 0, sum: null, mean: null, median: null, p90: null, min: null, max: null };
const noAnswers: Answers = { yes: 0, no: 0, notStated: 0 };

/** Reads something for all groups at once, when it is first asked for. */
function readOnce<What extends string, Row>(read: (what: What) => Promise<(GroupKeys & Row)[]>, none: Row) {
  const found = new Map<What, Promise<Map<string, Row>>>();
  return async (what: What, group: GroupKeys): Promise<Row> => {
    if (!found.has(what)) found.set(what, read(what).then((rows) => new Map(rows.map((row) => [keyOf(row), row]))));
    return (await found.get(what)!).get(keyOf(group)) ?? none;
  };
}

/** What all groups of one answer have in common. */
export type Source<Fact extends string, Question extends string> = {
  figures: (fact: Fact, group: GroupKeys) => Promise<Figures>;
  /** null for a question that these groups cannot be asked */
  answers: (question: Question, group: GroupKeys) => Promise<Answers | null>;
  /** All facilities that the group's are some of, whatever was found in them and when. */
  facilities: (group: GroupKeys) => Promise<number>;
  /** The group's part of the groups that have these keys in common with it; null where one of them is not told. */
  share: (within: readonly (keyof GroupKeys)[], group: GroupKeys) => { count: number; of: number } | null;
};

type Reads<Row, Fact extends string, Question extends string> = {
  rows: readonly Row[];
  /** how many things a group holds; null where that is not told */
  sizeOf: (row: Row) => number | null;
  figures: (fact: Fact) => Promise<(GroupKeys & Figures)[]>;
  answers?: (question: Question) => Promise<(GroupKeys & Answers)[]>;
  isAskable?: (question: Question) => boolean;
  facilities?: () => Promise<(GroupKeys & { facilities: number })[]>;
};

export function sourceOf<Row extends GroupKeys, Fact extends string, Question extends string = never>({
  rows,
  sizeOf,
  figures,
  answers,
  isAskable = () => true,
  facilities,
}: Reads<Row, Fact, Question>): Source<Fact, Question> {
  const sums = new Map<string, Map<string, number | null>>();
  const partOf = (within: readonly (keyof GroupKeys)[], row: GroupKeys) => JSON.stringify(within.map((name) => row[name] ?? null));
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
  const every = readOnce<"all", { facilities: number }>(facilities ?? (() => Promise.resolve([])), { facilities: 0 });
  const answered = readOnce<Question, Answers>(answers ?? (() => Promise.resolve([])), noAnswers);
  return {
    figures: readOnce(figures, noFigures),
    answers: (question, group) => (answers && isAskable(question) ? answered(question, group) : Promise.resolve(null)),
    facilities: async ({ mode: _mode, libraryVersion: _version, smartCareFunctional: _functional, periodStart: _start, ...group }) => (await every("all", group)).facilities,
    share: (within, group) => {
      const [count, of] = [sizeOf(group as Row), sumsWithin(within).get(partOf(within, group)) ?? null];
      return count === null || of === null ? null : { count, of };
    },
  };
}

/** A group with where more of it is read, and, in a comparison, with what it was before. */
export type Sourced<Row, Fact extends string, Question extends string = never> = Row & {
  source: Source<Fact, Question>;
  isCompared: boolean;
  before: Sourced<Row, Fact, Question> | null;
};
type Listed<Row, Fact extends string, Question extends string> = { rows: Row[]; source: Source<Fact, Question> };

/** Groups, beside those of `before` in a comparison: a group that is only in one of the two has nothing (`counts` of 0) in the other. */
export function sourced<Row extends GroupKeys, Fact extends string, Question extends string>(
  { rows, source }: Listed<Row, Fact, Question>,
  before: Listed<Row, Fact, Question> | null,
  counts: readonly string[],
): Sourced<Row, Fact, Question>[] {
  if (!before) return rows.map((row) => Object.assign(row, { source, isCompared: false, before: null }));
  const then = new Map(before.rows.map((row) => [keyOf(row), Object.assign(row, { source: before.source, isCompared: false, before: null })]));
  const nothing = Object.fromEntries(counts.map((name) => [name, 0]));
  const present = new Set(rows.map(keyOf));
  const gone = before.rows.filter((row) => !present.has(keyOf(row))).map((row) => ({ ...row, ...nothing }));
  return [...rows, ...gone].map((row) => Object.assign(row, { source, isCompared: true, before: then.get(keyOf(row)) ?? null }));
}

export type Arrangement = { sort?: string | null; first?: number | null; minimumSize?: number | null };

/** The groups that are large enough, in an order, and no more of them than asked for. Those of which the figure is not known come last. */
export async function arranged<Row extends GroupKeys>(
  rows: Row[],
  { sort, first, minimumSize }: Arrangement,
  { sizeOf, valueOf }: { sizeOf: (row: Row) => number | null; valueOf: (name: string, row: Row) => Promise<number | null> },
): Promise<Row[]> {
  let kept = minimumSize == null ? rows : rows.filter((row) => (sizeOf(row) ?? 0) >= minimumSize);
  if (sort != null) {
    const descending = sort.startsWith("-");
    const name = descending ? sort.slice(1) : sort;
    const valued = await Promise.all(kept.map(async (row) => ({ row, value: await valueOf(name, row) })));
    const order = (one: number | null, other: number | null) =>
      one === null || other === null ? Number(one === null) - Number(other === null) : descending ? other - one : one - other;
    kept = valued.toSorted((one, other) => order(one.value, other.value)).map(({ row }) => row);
  }
  return first == null ? kept : kept.slice(0, first);
}

/** Figures of TDBs of few facilities would tell of single ones, so they are for people who may read TDBs. @throws Problem FORBIDDEN */
export const requireTdbFigures = (context: Context): void => void requireRight(context, "viewTdbs");
