import type { ImportReadSection_ReviewedRegistryImportFragment, ReadRegistryImportInput } from "../../gql/graphql.ts";

/** What was read of a list. */
export type ListReading = NonNullable<ImportReadSection_ReviewedRegistryImportFragment["reading"]>;

export type ReadPlace = ListReading["places"][number];
/** The key of a spelling. */
export const spellingKey = ({ province, district }: ReadPlace): string => JSON.stringify([province, district]);

/** What was changed on the screen, and is not read yet. */
export type Changes = {
  columns: Record<string, string>;
  places: Record<string, string>;
  encoding?: string;
  sheet?: string;
  headerLine?: string;
  level?: number;
  empty?: string;
  source?: string;
};
/** Nothing was changed. */
export const noChanges: Changes = { columns: {}, places: {} };

/** The choices as the call takes them: those of the last reading, with the changes. */
export function inputOf(uuid: string, reading: ListReading, changes: Changes): ReadRegistryImportInput {
  // Another line or sheet has other headings, so the columns are guessed again.
  const isOther = [changes.encoding, changes.sheet, changes.headerLine].some((one) => one !== undefined);
  const columns = reading.columns.map(({ heading, field }) => ({
    heading,
    field: (changes.columns[heading] ?? field) || null,
  }));
  const places = reading.places.flatMap((place) => {
    const means = changes.places[spellingKey(place)] ?? (place.manner === "CHOSEN" ? place.means : null);
    return means ? [{ province: place.province, district: place.district, means }] : [];
  });
  const empty = changes.empty?.split(";").map((text) => text.trim()) ?? reading.emptyWords;
  const level = changes.level ?? reading.levels.find(({ isChosen }) => isChosen)?.level;
  return {
    uuid,
    places,
    empty: empty.filter((text) => text !== ""),
    ...(isOther ? {} : { columns }),
    ...(reading.encoding ? { encoding: changes.encoding ?? reading.encoding } : {}),
    ...(reading.sheet ? { sheet: changes.sheet ?? reading.sheet } : {}),
    ...(changes.headerLine || !isOther ? { headerLine: Number(changes.headerLine ?? reading.headerLine) } : {}),
    ...(level === undefined ? {} : { level }),
    source: (changes.source ?? reading.source) || null,
  };
}
