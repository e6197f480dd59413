import type { Figures } from "../../db/dash/figures.ts";
import type { GroupKeys } from "../../db/dash/groupKeys.ts";
import { periodBefore, type PeriodKind } from "../calendar/fiscal.rules.ts";
import { keyOf, type Measured, type Sourced } from "./groupFigures.ts";
import type { MeasureAsked } from "./groups.rules.ts";

/**
 * The measure that a list of groups is asked for: a count, or one count for each of another; its change; its running
 * total. It is made of the figures that are shown, so it reveals nothing that they do not.
 */

/** The number of facilities of which it is recorded whether something is so, by the name of their `notRecorded…`. */
const recorded = /^recorded/;

/** Counts that are the sum of a figure. */
export const figureCounts = {
  facilities: ["clients", "computers", "catchmentPopulation"],
  assessments: ["withoutPower"],
};
export const isFigureCount = (name: string): boolean => Object.values(figureCounts).flat().includes(name);

/** A count of a group by its name. */
async function countOf<Row extends GroupKeys, Fact extends string, Question extends string>(
  name: string,
  group: Sourced<Row, Fact, Question>,
): Promise<number | null> {
  const row = group as Record<string, unknown> as Record<string, number | null | undefined>;
  if (name === "of" || name === "ofAssessed") return group.source[name](group);
  if (isFigureCount(name)) return ((await group.source.figures(name as Fact, group)) satisfies Figures).sum;
  if (recorded.test(name))
    return (row["assessed"] ?? row["facilities"] ?? 0) - row[name.replace(recorded, "notRecorded")]!;
  return row[name] ?? null;
}

const changeOf = (change: MeasureAsked["change"], now: number | null, before: number | null): number | null => {
  if (now === null || before === null) return null;
  if (change === "difference") return now - before;
  return before === 0 ? null : (100 * (now - before)) / before;
};

/** The groups with the measure that is asked for. Beside a calendar key, a change is since the period before. */
export async function withMeasure<Row extends GroupKeys, Fact extends string, Question extends string>(
  groups: Sourced<Row, Fact, Question>[],
  asked: MeasureAsked | null | undefined,
  kind: PeriodKind | null,
): Promise<Sourced<Row, Fact, Question>[]> {
  if (!asked) return groups;
  type Group = Sourced<Row, Fact, Question>;
  const stateOf = async (group: Group) => {
    const count = await countOf(asked.count, group);
    const of = asked.per == null ? null : await countOf(asked.per, group);
    const isKnown = count !== null && of !== null && of !== 0;
    const now = asked.per == null ? count : isKnown ? ((asked.each ?? 1) * count) / of : null;
    return { count, of, now };
  };
  const found = new Map(groups.map((group) => [keyOf(group), group]));
  const beforeOf = async (group: Group): Promise<number | null> => {
    if (kind !== null) {
      const { start } = periodBefore({ kind, start: group.periodStart! });
      const earlier = found.get(keyOf({ ...group, periodStart: start }));
      return earlier ? (await stateOf(earlier)).now : null;
    }
    if (group.before) return (await stateOf(group.before)).now;
    return asked.per == null ? 0 : null;
  };
  const totals = new Map<string, number | null>();
  const inTime = asked.running
    ? groups.toSorted((one, other) => one.periodStart!.localeCompare(other.periodStart!))
    : groups;
  for (const group of inTime) {
    const { count, of, now } = await stateOf(group);
    const measure: Measured = { value: now, count, of, now, before: null };
    if (asked.running) {
      const key = keyOf({ ...group, periodStart: undefined });
      const total = totals.has(key) ? totals.get(key)! : 0;
      measure.value = total === null || count === null ? null : total + count;
      totals.set(key, measure.value);
    } else if (asked.change != null) {
      measure.before = await beforeOf(group);
      measure.value = changeOf(asked.change, now, measure.before);
    }
    group.measure = measure;
  }
  return groups;
}
