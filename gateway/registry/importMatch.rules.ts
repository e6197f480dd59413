import { groupedBy } from "../reading/groupedBy.rules.ts";
import { nameKey } from "../input/identity.rules.ts";
import { type ListedFacility, matchFacilities, placeKey, type StoredFacility } from "../reference/load/match.rules.ts";

/**
 * Matches the rows of an import with stored facilities: by identifier, then by name and district, then by name and
 * distance. It also finds what is doubtful about each row.
 */

type Identified = { system: string; value: string };
export type MatchStored = StoredFacility & {
  latitude: number | null;
  longitude: number | null;
  closedOn?: string | null;
};
export type MatchRow = ListedFacility & {
  line: number;
  identifiers: readonly Identified[];
  latitude?: number | null;
  longitude?: number | null;
};
/** The identifiers in the registry, by the keys of `identifierKey`. */
export type Known = {
  /** the facility of each identifier in use, of unique systems */
  holders: ReadonlyMap<string, string>;
  /**
   * the facility of each other identifier (no longer in use, or of a system that is not unique), if only one facility
   * has it
   */
  weakHolders: ReadonlyMap<string, string>;
  /** from the uuid of each merged facility to the one that it was merged into */
  survivors: ReadonlyMap<string, string>;
  isUnique: (system: string) => boolean;
  nameOf: (system: string) => string;
};
type Doubt = "duplicate" | "conflict" | "mergeCandidate";
export type Reviewed = {
  stored?: MatchStored;
  score: number | null;
  reason: string;
  doubt?: Doubt;
  /** Whether the row can be applied in spite of the doubt. */
  acceptable: boolean;
  /** the system of the identifier that is doubtful */
  system?: string;
  /** identifiers of the row that earlier rows or other facilities have; they are not imported */
  repeated: readonly Identified[];
  notes: string[];
};

/** The result for a row without a match, which most rows of a new list have. */
const unlike: Reviewed = {
  score: null,
  reason: "no stored facility is like it",
  acceptable: true,
  repeated: [],
  notes: [],
};

/** An identifier of a row that another system or the registry assigns to a stored facility. */
type Pointer = { uuid: string; by: Identified; words: string; isStrong: boolean; wasUnique?: boolean };
const uuidOf = (value: string): Identified => ({ system: "uuid", value });

/** An identifier as one text, for maps and sets. */
export const identifierKey = ({ system, value }: Identified): string => `${system} ${value}`;

/** Kilometres between two places, on a sphere. */
export function kilometres(
  one: { latitude: number; longitude: number },
  other: { latitude: number; longitude: number },
): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2;
  const root =
    half(other.latitude - one.latitude) +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * half(other.longitude - one.longitude);
  return 12_742 * Math.asin(Math.min(1, Math.sqrt(root)));
}

/** The pairs of letters of a name, in order. */
function pairsOf(name: string): string[] {
  const letters = nameKey(name)
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]/gu, "");
  return Array.from({ length: Math.max(0, letters.length - 1) }, (_, index) =>
    letters.slice(index, index + 2),
  ).toSorted();
}

/** The share of their pairs of letters that two names have in common (the Dice coefficient). */
function shareOf(pairs: readonly string[], others: readonly string[]): number {
  const total = pairs.length + others.length;
  let shared = 0;
  for (let at = 0, other = 0; at < pairs.length && other < others.length;) {
    const [one, two] = [pairs[at]!, others[other]!];
    if (one === two) shared += 1;
    if (one <= two) at += 1;
    if (two <= one) other += 1;
  }
  return total === 0 ? 0 : (2 * shared) / total;
}

/** How similar two names are, from 0 to 1. */
export const likeness = (name: string, other: string): number => shareOf(pairsOf(name), pairsOf(other));

type Placed = { latitude: number; longitude: number };
const isPlaced = (one: { latitude?: number | null; longitude?: number | null }): one is Placed =>
  one.latitude != null && one.longitude != null;
const apart = (
  one: { latitude?: number | null; longitude?: number | null },
  other: { latitude?: number | null; longitude?: number | null },
): number | null => (isPlaced(one) && isPlaced(other) ? kilometres(one, other) : null);
const shown = (km: number): string => `${km < 10 ? km.toFixed(1) : Math.round(km)} km`;

/**
 * A facility is found by its name and position alone if it is at most this far away and its name at least this similar.
 */
const mostKilometres = 5;
const leastLikeness = 0.7;
const cell = 0.05;
const round = (score: number): number => Math.round(score * 100) / 100;

/**
 * Makes a function that finds, among the facilities that no row has found yet, the one that is nearest and most
 * similar.
 */
function nearby(free: readonly MatchStored[]) {
  const grid = groupedBy(
    free.filter((one): one is MatchStored & Placed => isPlaced(one)),
    ({ latitude, longitude }) => `${Math.floor(latitude / cell)} ${Math.floor(longitude / cell)}`,
  );
  // Kept, because in a town hundreds of rows are compared with the same facilities.
  const known = new Map<MatchStored, string[]>();
  const pairsOfStored = (stored: MatchStored): string[] => {
    const pairs = known.get(stored) ?? pairsOf(stored.facilityName);
    known.set(stored, pairs);
    return pairs;
  };
  return (
    row: MatchRow,
    isFree: (stored: MatchStored) => boolean,
    differs: (stored: MatchStored) => boolean,
  ): { stored: MatchStored; score: number; km: number } | undefined => {
    if (!isPlaced(row) || !row.facilityName) return undefined;
    const [north, east] = [Math.floor(row.latitude / cell), Math.floor(row.longitude / cell)];
    let best: { stored: MatchStored; score: number; km: number } | undefined;
    let pairs: string[] | undefined;
    for (const [up, right] of [-1, 0, 1].flatMap((a) => [-1, 0, 1].map((b) => [a, b] as const)))
      for (const stored of grid.get(`${north + up} ${east + right}`) ?? []) {
        const km = apart(row, stored)!;
        if (km > mostKilometres || !isFree(stored)) continue;
        const alike = shareOf((pairs ??= pairsOf(row.facilityName)), pairsOfStored(stored));
        if (alike < leastLikeness || differs(stored)) continue;
        const score = round(0.3 + 0.35 * alike + 0.15 * (1 - km / mostKilometres));
        if (!best || score > best.score) best = { stored, score, km };
      }
    return best;
  };
}

/**
 * Finds the facility of each row, with score and reason; rows without one are new. No facility is matched with two
 * rows. It yields after each step of a row, because a long list takes seconds.
 *
 * @param isUnattended nobody reviews the rows. So a similar name alone matches no facility, and an identifier of
 *   another system stays with the facility that has it
 */
export function* matchImport(
  rows: readonly MatchRow[],
  stored: readonly MatchStored[],
  known: Known,
  identifiersOf: (facilityUuid: string) => readonly Identified[],
  isUnattended = false,
): Generator<void, Map<MatchRow, Reviewed>> {
  const reviewed = new Map<MatchRow, Reviewed>();
  const byUuid = new Map(stored.map((facility) => [facility.facilityUuid, facility]));
  const unique = (row: MatchRow) => row.identifiers.filter(({ system }) => known.isUnique(system));

  // Identifiers that repeat within the file belong to the first row that has them.
  const lines = new Map<string, number>();
  const firstLine = (one: Identified) => lines.get(identifierKey(one));
  const clean: MatchRow[] = [];
  const repeats = new Map<MatchRow, Identified[]>();
  for (const row of rows) {
    yield;
    const own = [...(row.facilityUuid ? [uuidOf(row.facilityUuid)] : []), ...unique(row)];
    const again = own.filter((one) => firstLine(one) !== undefined);
    for (const one of own) if (!again.includes(one)) lines.set(identifierKey(one), row.line);
    if (again.length === 0) {
      clean.push(row);
      continue;
    }
    const words = again
      .map(
        (one) =>
          `${one.system === "uuid" ? "uuid" : known.nameOf(one.system)} '${one.value}' is already in row ${firstLine(one)}`,
      )
      .join("; ");
    const isSelf =
      again.some(({ system }) => system === "uuid" || system === "hmis" || system === "smartcare") ||
      (again.length === own.length && !row.facilityName);
    if (isSelf)
      reviewed.set(row, {
        score: null,
        reason: words,
        doubt: "duplicate",
        acceptable: false,
        system: again[0]!.system,
        repeated: again,
        notes: [],
      });
    else {
      repeats.set(row, again);
      clean.push(row);
      reviewed.set(row, {
        score: null,
        reason: words,
        doubt: "duplicate",
        acceptable: true,
        system: again[0]!.system,
        repeated: again,
        notes: [`${words}: not taken`],
      });
    }
  }
  const taken = (row: MatchRow) => unique(row).filter((one) => !repeats.get(row)?.includes(one));

  /** The facilities to which a row's identifiers belong, each with the identifier. */
  const pointers = (row: MatchRow): Pointer[] => {
    const merged =
      row.facilityUuid === undefined || row.facilityUuid === null ? undefined : known.survivors.get(row.facilityUuid);
    return [
      ...(row.facilityUuid && byUuid.has(row.facilityUuid)
        ? [{ uuid: row.facilityUuid, by: uuidOf(row.facilityUuid), words: "uuid", isStrong: true }]
        : []),
      ...(merged
        ? [
            {
              uuid: merged,
              by: uuidOf(row.facilityUuid!),
              words: "uuid of a facility that was merged into it",
              isStrong: true,
            },
          ]
        : []),
      ...taken(row).flatMap((one) => {
        const uuid = known.holders.get(identifierKey(one));
        return uuid === undefined
          ? []
          : [{ uuid, by: one, words: `${known.nameOf(one.system)} ${one.value}`, isStrong: true }];
      }),
      ...row.identifiers.flatMap((one) => {
        const uuid = known.weakHolders.get(identifierKey(one));
        const words = `former ${known.nameOf(one.system)} ${one.value}`.replace("former Former", "former");
        return uuid === undefined || repeats.get(row)?.includes(one)
          ? []
          : [{ uuid, by: one, words, isStrong: false, wasUnique: known.isUnique(one.system) }];
      }),
    ];
  };
  // Only rows with pointers are stored, because most rows of a long list have none.
  const named = new Map<MatchRow, Pointer[]>();
  const namedBy = (row: MatchRow): readonly Pointer[] => named.get(row) ?? [];
  for (const row of clean) {
    yield;
    const all = pointers(row);
    if (all.length > 0) named.set(row, all);
  }
  // A row with the uuid of a merged facility belongs to the survivor, so it is matched without its uuid.
  const standIns = new Map<MatchRow, MatchRow>();
  for (const row of clean)
    if (row.facilityUuid && known.survivors.has(row.facilityUuid))
      standIns.set(row, Object.create(row, { facilityUuid: { value: null } }) as MatchRow);
  const rowOf = new Map<ListedFacility, MatchRow>([...standIns].map(([row, standIn]) => [standIn, row]));
  const matches = yield* matchFacilities<MatchRow>(
    clean.map((row) => standIns.get(row) ?? row),
    [...stored],
    (asked) => {
      const all = namedBy(rowOf.get(asked) ?? asked);
      return (all.find(({ isStrong }) => isStrong) ?? all[0])?.uuid;
    },
  );
  const claimed = new Map<StoredFacility, MatchRow>(
    [...matches].map(([asked, match]) => [match.stored, rowOf.get(asked) ?? (asked as MatchRow)]),
  );
  const free = stored.filter((facility) => !claimed.has(facility));
  const freeByPlace = groupedBy(free, placeKey);
  const find = nearby(free);

  /** Whether the row and the facility have different identifiers in one unique system, so that they are two. */
  const differs = (row: MatchRow, facility: MatchStored): boolean => {
    const own = identifiersOf(facility.facilityUuid);
    return unique(row).some(({ system, value }) => {
      const theirs = own.filter((one) => one.system === system);
      return theirs.length > 0 && !theirs.some((one) => one.value === value);
    });
  };
  /** Whether the facility that has a code gets another code from its own row. */
  const isGivenUp = ({ uuid, by: { system } }: Pointer, row: MatchRow): boolean => {
    const other = system === "hmis" ? claimed.get(byUuid.get(uuid)!) : undefined;
    return other !== undefined && other.hmisCode != null && other.hmisCode !== row.hmisCode;
  };
  /** Texts that say to which facility these identifiers belong, one for each facility. */
  const holds = (ids: readonly Pointer[], row: MatchRow): string[] =>
    [...groupedBy(ids, ({ uuid }) => uuid)].map(([uuid, all]) => {
      const holder = byUuid.get(uuid);
      const other = holder && claimed.get(holder);
      return `${all.map(({ words }) => words).join(", ")} ${all.length === 1 ? "is that" : "are those"} of '${holder?.facilityName ?? uuid}' (${uuid})${other && other !== row ? `, which row ${other.line} describes` : ""}`;
    });
  const first = new Map<string, MatchRow>();
  for (const row of clean) {
    yield;
    const before = reviewed.get(row);
    const match = matches.get(standIns.get(row) ?? row);
    const facility = match?.stored as MatchStored | undefined;
    const ids = namedBy(row);
    const notes = [...(before?.notes ?? [])];
    const left: Identified[] = [];
    const result = (one: Pick<Reviewed, "score" | "reason"> & Partial<Reviewed>): void =>
      void reviewed.set(row, {
        acceptable: true,
        repeated: [...(before?.repeated ?? []), ...left],
        notes,
        ...(before ? { doubt: "duplicate", system: before.system } : {}),
        ...one,
        reason: before ? `${before.reason}; ${one.reason}` : one.reason,
      });
    const strayed = ids.filter((one) => one.isStrong && one.uuid !== facility?.facilityUuid && !isGivenUp(one, row));
    const mayLeave = isUnattended && strayed.every(({ by: { system } }) => system !== "uuid" && system !== "hmis");
    if (mayLeave) {
      notes.push(...strayed.map((one) => `${holds([one], row).join()}: not taken`));
      left.push(...strayed.map(({ by }) => by));
    } else if (strayed.length > 0) {
      const words = holds(
        ids.filter(({ isStrong }) => isStrong),
        row,
      );
      result({
        score: null,
        reason: words.join("; "),
        doubt: "conflict",
        acceptable: false,
        system: strayed[0]!.by.system,
        ...(facility ? { stored: facility } : {}),
      });
      continue;
    }
    const earlier = row.facilityName ? first.get(placeKey(row)) : undefined;
    if (row.facilityName && !earlier && row.districtId >= 0) first.set(placeKey(row), row);
    if (facility && match) {
      const km = apart(row, facility);
      const isIdentified = match.by !== "name";
      const by = isIdentified
        ? ids
            .filter(({ uuid }) => uuid === facility.facilityUuid)
            .map(({ words }) => words)
            .join(", ") || "identifier"
        : `name and district${km === null ? "" : `, ${shown(km)} apart`}`;
      if (km !== null && km > 30) notes.push(`lies ${shown(km)} from the stored position`);
      const lookalikes = (freeByPlace.get(placeKey(row.facilityName ? row : facility)) ?? []).filter(
        (other) => !isIdentified || !differs(row, other),
      );
      const score = isIdentified
        ? match.by === "uuid" || match.by === "code"
          ? 1
          : 0.95
        : km === null
          ? 0.85
          : km <= mostKilometres
            ? 0.9
            : 0.7;
      const others = lookalikes
        .map(({ facilityName, facilityUuid }) => `'${facilityName}' (${facilityUuid})`)
        .join(", ");
      if (lookalikes.length > 0 && !before)
        result({
          stored: facility,
          score: isIdentified ? score : 0.5,
          reason: `${by}; it looks like ${others} too`,
          doubt: "mergeCandidate",
        });
      else result({ stored: facility, score, reason: by });
      continue;
    }
    const near = find(
      row,
      (other) => !claimed.has(other),
      (other) => differs(row, other),
    );
    if (near && isUnattended)
      notes.push(
        `its name is like '${near.stored.facilityName}' (${near.stored.facilityUuid}), ${shown(near.km)} apart: another facility`,
      );
    else if (near) {
      claimed.set(near.stored, row);
      result({
        stored: near.stored,
        score: near.score,
        reason: `name alike '${near.stored.facilityName}', ${shown(near.km)} apart`,
      });
      continue;
    }
    const was = ids
      .filter(({ wasUnique }) => wasUnique)
      .map(({ uuid, words }) => `${words} was that of '${byUuid.get(uuid)?.facilityName ?? uuid}' (${uuid})`);
    if (was.length > 0) {
      // The facility's code was replaced, or it was merged: adding a facility with that code would bring it back.
      result({
        score: null,
        reason: was.join("; "),
        doubt: "conflict",
        acceptable: false,
        system: ids.find(({ wasUnique }) => wasUnique)!.by.system,
      });
      continue;
    }
    if (earlier && row.districtId >= 0) {
      const words = `the same name and district as row ${earlier.line}`;
      const isDistinct = taken(row).some(({ system }) => taken(earlier).some((one) => one.system === system));
      if (isDistinct || before) notes.push(`${words}: another facility`);
      else {
        result({ score: null, reason: words, doubt: "duplicate" });
        continue;
      }
    }
    if (before || notes.length > 0 || left.length > 0) result({ score: null, reason: unlike.reason });
    else reviewed.set(row, unlike);
  }
  return reviewed;
}
