import { nameKey } from "../../input/identity.rules.ts";

/**
 * Matches the rows of a facility list with stored facilities: by uuid, then by HMIS code, then by identifiers of other
 * systems, then by name and district.
 */

export type StoredFacility = {
  facilityUuid: string;
  facilityName: string;
  hmisCode: string | null;
  districtId: number;
} & Values;

/** Values of a facility by name. */
type Values = Record<string, unknown>;

export type ListedFacility = {
  facilityUuid?: string | null;
  facilityName: string;
  hmisCode?: string | null;
  districtId: number;
  /** what the row says, undefined where the file has no such column, null where the cell is empty */
  values: Values;
};

type Match = { stored: StoredFacility; by: "uuid" | "code" | "identifier" | "name" };

/** Whether this product made a uuid (UUID v7 in its usual form), so that no other system knows it. */
export const isOwnUuid = (uuid: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(uuid);

/**
 * Whether a row and a facility can be the same. They cannot if both have a uuid from another system and found no match
 * by it: then they are two, however similar their names are.
 */
const mayBeOne = ({ facilityUuid }: ListedFacility, stored: StoredFacility): boolean =>
  !facilityUuid || isOwnUuid(facilityUuid) || isOwnUuid(stored.facilityUuid);

/** The key of a facility's name within its district. */
export const placeKey = ({ districtId, facilityName }: { districtId: number; facilityName: string }): string =>
  `${districtId} ${nameKey(facilityName)}`;

/** Groups items by key, and yields after each item. */
function* groupInSteps<T>(items: Iterable<T>, keyOf: (item: T) => string): Generator<void, Map<string, T[]>> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    yield;
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Runs a generator to its end, and returns its result. */
export function resultOf<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as Result;
  }
}

/** Whether two values are equal; of arrays, whether they have the same items in any order. */
export const isSame = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((item) => b.includes(item)) : a === b;

/**
 * Whether the row would change nothing (`agrees`), and how many of the facility's values the row does not give
 * (`unsaid`).
 */
function compare({ values }: ListedFacility, stored: StoredFacility): { agrees: boolean; unsaid: number } {
  let agrees = true;
  let unsaid = 0;
  for (const [field, value] of Object.entries(values)) {
    if (value == null) unsaid += stored[field] == null ? 0 : 1;
    else agrees &&= isSame(value, stored[field]);
  }
  return { agrees, unsaid };
}

/**
 * Pairs rows and facilities that have the same name and district: first as many as possible that agree (Kuhn's
 * augmenting paths), so that a list that is loaded again finds its own facilities, and then the others in their order.
 */
function pair(rows: ListedFacility[], facilities: StoredFacility[]): Map<ListedFacility, StoredFacility> {
  if (rows.length * facilities.length > 10_000) return pairInOrder(rows, facilities);
  const wishes = rows.map((row) =>
    facilities
      .map((stored, index) => ({ index, may: mayBeOne(row, stored), ...compare(row, stored) }))
      .filter(({ may }) => may)
      .toSorted((a, b) => a.unsaid - b.unsaid),
  );
  const rowOf = new Map<number, number>();
  const place = (row: number, tried: Set<number>): boolean => {
    const agreeing = wishes[row]!.filter(({ agrees }) => agrees).map(({ index }) => index);
    const free = agreeing.find((index) => !rowOf.has(index));
    const found =
      free ??
      agreeing.find((index) => {
        if (tried.has(index)) return false;
        tried.add(index);
        return place(rowOf.get(index)!, tried);
      });
    if (found !== undefined) rowOf.set(found, row);
    return found !== undefined;
  };
  const left = rows.map((_row, index) => index).filter((index) => !place(index, new Set()));
  for (const row of left) {
    const free = wishes[row]!.map(({ index }) => index).filter((index) => !rowOf.has(index));
    if (free.length > 0) rowOf.set(Math.min(...free), row);
  }
  return new Map([...rowOf].map(([index, row]) => [rows[row]!, facilities[index]!]));
}

/**
 * Pairs rows and facilities in their order, without comparing them. It is for names that thousands have, for which a
 * comparison would take too long.
 */
const pairInOrder = (rows: ListedFacility[], facilities: StoredFacility[]): Map<ListedFacility, StoredFacility> =>
  new Map(
    rows.flatMap((row, index) =>
      facilities[index] && mayBeOne(row, facilities[index]) ? [[row, facilities[index]]] : [],
    ),
  );

/**
 * Finds the facility of each row. Each facility is matched with one row at most. All uuids are tried first, then the
 * codes of the remaining rows, then identifiers of other systems, then names within districts. It yields after each
 * step of a row, because a long list takes seconds.
 *
 * @param holderOf the uuid of the facility that a row's identifiers name
 */
export function* matchFacilities<Row extends ListedFacility>(
  rows: Row[],
  stored: StoredFacility[],
  holderOf: (row: Row) => string | undefined = () => undefined,
): Generator<void, Map<ListedFacility, Match>> {
  const matches = new Map<ListedFacility, Match>();
  const free = new Set(stored);
  const claim = (row: ListedFacility, facility: StoredFacility | undefined, by: Match["by"]) => {
    if (!facility || !free.delete(facility)) return;
    matches.set(row, { stored: facility, by });
  };
  const byUuid = new Map(stored.map((facility) => [facility.facilityUuid, facility]));
  for (const row of rows) if (row.facilityUuid) claim(row, byUuid.get(row.facilityUuid), "uuid");
  const byCode = new Map(stored.map((facility) => [facility.hmisCode, facility]));
  for (const row of rows) if (row.hmisCode && !matches.has(row)) claim(row, byCode.get(row.hmisCode), "code");
  for (const row of rows) {
    yield;
    if (matches.has(row)) continue;
    const holder = holderOf(row);
    const named = holder === undefined ? undefined : byUuid.get(holder);
    // Another code means another facility: the identifier is wrong in one of the two rows.
    if (named && mayBeOne(row, named) && !(row.hmisCode && named.hmisCode && row.hmisCode !== named.hmisCode))
      claim(row, named, "identifier");
  }
  const candidates = yield* groupInSteps(free, placeKey);
  const left = yield* groupInSteps(
    candidates.size === 0 ? [] : rows.filter((row) => !matches.has(row) && candidates.has(placeKey(row))),
    placeKey,
  );
  for (const [key, group] of left) {
    yield;
    for (const [row, facility] of pair(group, candidates.get(key) ?? [])) claim(row, facility, "name");
  }
  return matches;
}
