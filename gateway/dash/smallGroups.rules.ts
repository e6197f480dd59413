/**
 * Which TDB figures are shown to callers who may not read single TDBs. A figure is shown for the nation, a province or a district, and for
 * one calendar month (computers: one fiscal year); no other filter or grouping is allowed. Within such a period the places shown divide the
 * senders into groups of at least three, so that no sum or difference of shown figures is about fewer.
 */

/** The smallest number of facilities for which a figure is shown. */
const fewestFacilities = 3;

/** How many facilities of a district sent in a period; districts without any are left out. */
export type Senders = { provinceId: number; districtId: number; facilities: number };

/** The part of the country that a figure is about: the district if given, else the province, else the nation. */
export type Place = { provinceId?: number | null; districtId?: number | null };

const placeKey = ({ provinceId, districtId }: Place): string =>
  districtId != null ? `district ${districtId}` : provinceId != null ? `province ${provinceId}` : "nation";

/** Groups rows by a common key. */
export function groupedBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/**
 * The parts that are shown: each has three or more facilities, and so have all hidden parts together. If the hidden parts have fewer, the
 * smallest shown part is hidden too. Of two equal parts it is always the same one: otherwise two answers could be compared to reveal the
 * small one.
 */
function shownOf<Part extends { facilities: number }>(parts: readonly Part[], idOf: (part: Part) => number): Part[] {
  const shown = parts
    .filter(({ facilities }) => facilities >= fewestFacilities)
    .toSorted((one, other) => other.facilities - one.facilities || idOf(one) - idOf(other));
  let beside = parts.reduce((sum, { facilities }) => sum + (facilities >= fewestFacilities ? 0 : facilities), 0);
  while (beside > 0 && beside < fewestFacilities && shown.length > 0) beside += shown.pop()!.facilities;
  return shown;
}

/** The places that may be shown in a period. Places where nobody sent may always be shown, because they hide nothing. */
export function shownPlaces(senders: readonly Senders[]): (place: Place) => boolean {
  const provinces = groupedBy(senders, ({ provinceId }) => provinceId);
  const sums = [...provinces].map(([provinceId, districts]) => ({
    provinceId,
    districts,
    facilities: districts.reduce((sum, { facilities }) => sum + facilities, 0),
  }));
  const any = new Set<string>();
  const shown = new Set<string>();
  for (const { provinceId, districts } of sums) for (const place of [{}, { provinceId }, ...districts]) any.add(placeKey(place));
  if (sums.reduce((sum, { facilities }) => sum + facilities, 0) >= fewestFacilities) shown.add(placeKey({}));
  // A hidden province has no shown district: otherwise the districts could be subtracted from the total outside the shown provinces.
  for (const { provinceId, districts } of shownOf(sums, (sum) => sum.provinceId)) {
    shown.add(placeKey({ provinceId }));
    for (const district of shownOf(districts, ({ districtId }) => districtId)) shown.add(placeKey(district));
  }
  return (place) => shown.has(placeKey(place)) || !any.has(placeKey(place));
}

/**
 * The first day of the calendar month that a range of days is; null if it is not exactly one month. The running month may end at any day
 * from today.
 */
export function monthOfDays({ start, end }: { start: string; end: string }, today: string): string | null {
  if (!start.endsWith("-01")) return null;
  const [year, month] = [Number(start.slice(0, 4)), Number(start.slice(5, 7))];
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  const isRunning = start.slice(0, 7) === today.slice(0, 7) && end >= today;
  return end === last || isRunning ? start : null;
}
