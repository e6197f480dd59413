/**
 * Small groups of TDB figures: what is told to who may not read the TDBs one by one. A figure is told of the nation, a province or a
 * district, of one calendar month (computers: of one fiscal year), and of nothing that these could be cut or crossed with. Within such a
 * period the places that are told of make a partition of the senders into parts of at least three, so that no sum or difference of what is
 * told is about fewer.
 */

/** Fewest facilities that a figure is told of. */
const fewestFacilities = 3;

/** How many facilities of a district sent in a period; districts without any are left out. */
export type Senders = { provinceId: number; districtId: number; facilities: number };

/** What part of the country a figure is about: the finest of what was named. */
export type Place = { provinceId?: number | null; districtId?: number | null };

const placeKey = ({ provinceId, districtId }: Place): string =>
  districtId != null ? `district ${districtId}` : provinceId != null ? `province ${provinceId}` : "nation";

/** Rows by what they have in common. */
export function groupedBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/**
 * Of several parts those that are told of: each has three or more, and so has all that is left beside them. Where it has fewer, the smallest
 * told part is left beside too, of two alike always the same one: else two answers could be told apart.
 */
function toldOf<Part extends { facilities: number }>(parts: readonly Part[], idOf: (part: Part) => number): Part[] {
  const told = parts
    .filter(({ facilities }) => facilities >= fewestFacilities)
    .toSorted((one, other) => other.facilities - one.facilities || idOf(one) - idOf(other));
  let beside = parts.reduce((sum, { facilities }) => sum + (facilities >= fewestFacilities ? 0 : facilities), 0);
  while (beside > 0 && beside < fewestFacilities && told.length > 0) beside += told.pop()!.facilities;
  return told;
}

/** Which places may be told of in a period; places where nobody sent can always be, for nothing is in them. */
export function tellablePlaces(senders: readonly Senders[]): (place: Place) => boolean {
  const provinces = groupedBy(senders, ({ provinceId }) => provinceId);
  const sums = [...provinces].map(([provinceId, districts]) => ({
    provinceId,
    districts,
    facilities: districts.reduce((sum, { facilities }) => sum + facilities, 0),
  }));
  const any = new Set<string>();
  const told = new Set<string>();
  for (const { provinceId, districts } of sums) for (const place of [{}, { provinceId }, ...districts]) any.add(placeKey(place));
  if (sums.reduce((sum, { facilities }) => sum + facilities, 0) >= fewestFacilities) told.add(placeKey({}));
  // Of a province that is not told of, no district is: the others could be subtracted from what lies beside the told provinces.
  for (const { provinceId, districts } of toldOf(sums, (sum) => sum.provinceId)) {
    told.add(placeKey({ provinceId }));
    for (const district of toldOf(districts, ({ districtId }) => districtId)) told.add(placeKey(district));
  }
  return (place) => told.has(placeKey(place)) || !any.has(placeKey(place));
}

/** The first day of the one calendar month that some days are; null where they are others. The running month may end at any day from today. */
export function monthOfDays({ start, end }: { start: string; end: string }, today: string): string | null {
  if (!start.endsWith("-01")) return null;
  const [year, month] = [Number(start.slice(0, 4)), Number(start.slice(5, 7))];
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  const isRunning = start.slice(0, 7) === today.slice(0, 7) && end >= today;
  return end === last || isRunning ? start : null;
}
