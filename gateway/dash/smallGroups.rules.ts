import { groupedBy } from "../reading/groupedBy.rules.ts";

/**
 * Which figures of TDBs are shown to people who may not see TDBs. A group is some facilities that sent in one calendar
 * month (computers: in one fiscal year): all, those of a province, district or partner, or of a partner in a place.
 * `shownGroups` shows one group after another, each only if it does not divide the facilities into a part of one or
 * two. Facilities of one part are in the same shown groups, so whatever is added up from the shown figures or
 * subtracted has whole parts, and is about three facilities or more.
 */

/** The smallest number of facilities whose figures are shown. */
const fewestFacilities = 3;

/** Counts of computers and TDBs of other people's facilities are told in steps of this many. */
const step = 5;

/** A number of computers, to the nearest step. */
export const roundedCount = (count: number): number => Math.round(count / step) * step;

/**
 * Numbers of TDBs, rounded down. Which facilities sent is an open fact, so a group has at least one TDB of each: only
 * what they sent more than once is counted in steps. Rounded as a whole, seven TDBs of seven facilities would be told
 * as five, and whoever counts the facilities would know that each sent one.
 */
export function roundedTdbs(counts: { facilities: number; tdbCount: number; deltaTdbs?: number }) {
  const down = (count: number) => Math.floor(count / step) * step;
  const tdbCount = counts.facilities + down(counts.tdbCount - counts.facilities);
  return { tdbCount, deltaTdbs: Math.min(tdbCount, down(counts.deltaTdbs ?? 0)) };
}

/** How many facilities of a district and partner (0: no partner) sent in a period. */
export type Senders = { provinceId: number; districtId: number; implementingPartnerId: number; facilities: number };

/**
 * The place and the partner (0: no partner) of a figure; what is missing is not limited. A district needs no province.
 */
export type Group = { provinceId?: number | null; districtId?: number | null; implementingPartnerId?: number | null };

const keyOf = ({ provinceId, districtId, implementingPartnerId }: Group): string =>
  `${districtId != null ? `district ${districtId}` : provinceId != null ? `province ${provinceId}` : "nation"}, partner ${implementingPartnerId ?? "any"}`;

/**
 * The groups of a row, in the order in which they are tried: places first, because the specification's figures are by
 * place.
 */
const groupsOf = ({ provinceId, districtId, implementingPartnerId }: Senders): Group[] => [
  {},
  { provinceId },
  { districtId },
  { implementingPartnerId },
  { provinceId, implementingPartnerId },
  { districtId, implementingPartnerId },
];
const levels = 6;

const sizeOf = (rows: readonly Senders[]): number => rows.reduce((sum, { facilities }) => sum + facilities, 0);

/**
 * The groups that are shown in a period. Of each level the largest group is tried first, of equal ones always the same:
 * an order that changes would show more to who asks twice. Groups from which nobody sent are shown too, because they
 * hide nothing.
 */
export function shownGroups(senders: readonly Senders[]): (group: Group) => boolean {
  const any = new Set<string>();
  const shown = new Set<string>();
  /** The part of each row, and the facilities of each part. */
  const partOf = new Map<Senders, number>(senders.map((row) => [row, 0]));
  const sizes = [sizeOf(senders)];
  for (let level = 0; level < levels; level += 1) {
    const groups = [...groupedBy(senders, (row) => keyOf(groupsOf(row)[level]!))].map(([key, rows]) => ({
      key,
      rows,
      facilities: sizeOf(rows),
    }));
    groups.sort((one, other) => other.facilities - one.facilities || (one.key < other.key ? -1 : 1));
    for (const { key, rows } of groups) {
      any.add(key);
      const divided = [...groupedBy(rows, (row) => partOf.get(row)!)].map(([part, own]) => ({
        part,
        own,
        inside: sizeOf(own),
        outside: sizes[part]! - sizeOf(own),
      }));
      if (
        divided.some(({ inside, outside }) => inside < fewestFacilities || (outside > 0 && outside < fewestFacilities))
      )
        continue;
      shown.add(key);
      for (const { part, own, inside, outside } of divided.filter((each) => each.outside > 0)) {
        sizes[part] = outside;
        for (const row of own) partOf.set(row, sizes.length);
        sizes.push(inside);
      }
    }
  }
  return (group) => shown.has(keyOf(group)) || !any.has(keyOf(group));
}

/**
 * The first day of the calendar month that a range of days is; null if it is not exactly one month. The running month
 * may end at any day from today.
 */
export function monthOfDays({ start, end }: { start: string; end: string }, today: string): string | null {
  if (!start.endsWith("-01")) return null;
  const [year, month] = [Number(start.slice(0, 4)), Number(start.slice(5, 7))];
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  const isRunning = start.slice(0, 7) === today.slice(0, 7) && end >= today;
  return end === last || isRunning ? start : null;
}
