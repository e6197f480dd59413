import { nameKey } from "../../input/identity.rules.ts";
import type { Lists } from "../importPlaces.ts";
import type { ListChoice, ReadPlace } from "./reading.rules.ts";

/**
 * The spellings of places in a list. One that differs from a known name only by punctuation, spaces and additions
 * ("North-Western", "Lusaka Province", "ce Chibombo District") is read as that place; others as a person chose.
 */

/** A name as it is compared: letters and digits only, without what DHIS2 and others add. */
const plainName = (name: string): string =>
  nameKey(name.replace(/^\p{Ll}{2} (?=\p{Lu})/u, ""))
    .replace(/^(?:the )?(?:province|region|district)(?: of)? /, "")
    .replace(/ (?:province|region|district|municipality|city)(?: health office)?$/, "")
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]/gu, "");

type Named = { province: string | null; district: string | null };
type Meant = { name: string; manner: "known" | "alike" | "chosen" } | undefined;

const keyOf = (province: string, district: string | null) =>
  JSON.stringify([nameKey(province), district === null ? null : nameKey(district)]);

/** Reads the places of rows, and counts the rows of each spelling that is no known name. */
export function spellingReader(known: Lists, chosen: NonNullable<ListChoice["places"]>) {
  const choices = new Map(
    chosen.map(({ province, district, means }) => [keyOf(province ?? "", district ?? null), means] as const),
  );
  const provinceNames = [...known.provinceNames.values()];
  const districts = [...known.districts.values()];
  const namesIn = (province: string | undefined): string[] => {
    const id = province === undefined ? undefined : known.provinces.get(nameKey(province));
    return districts.filter(({ provinceId }) => id === undefined || provinceId === id).map(({ name }) => name);
  };
  const meantBy = (spelt: string, choice: string | undefined, names: readonly string[]): Meant => {
    const exact = (text: string) => names.find((name) => nameKey(name) === nameKey(text));
    const meant = choice === undefined ? undefined : exact(choice);
    if (meant !== undefined) return { name: meant, manner: "chosen" };
    const same = exact(spelt);
    if (same !== undefined) return { name: same, manner: "known" };
    const alike = [...new Set(names.filter((name) => plainName(name) === plainName(spelt)).map(nameKey))];
    return alike.length === 1 ? { name: exact(alike[0]!)!, manner: "alike" } : undefined;
  };

  const places = new Map<string, ReadPlace>();
  const found = new Map<string, { named: Named; odd: ReadPlace[] }>();
  const note = (named: Named, meant: Meant): ReadPlace => {
    const key = JSON.stringify(named);
    const place = places.get(key) ?? {
      ...named,
      rows: 0,
      means: meant?.name ?? null,
      manner: meant === undefined || meant.manner === "known" ? "unknown" : meant.manner,
    };
    places.set(key, place);
    return place;
  };
  const find = ({ province, district }: Named): { named: Named; odd: ReadPlace[] } => {
    const odd: ReadPlace[] = [];
    const meantProvince =
      province === null ? undefined : meantBy(province, choices.get(keyOf(province, null)), provinceNames);
    if (province !== null && meantProvince?.manner !== "known")
      odd.push(note({ province, district: null }, meantProvince));
    const named = { province: meantProvince?.name ?? province, district };
    // The districts of a province that is not known are not looked at before it is.
    if (district === null || (province !== null && !meantProvince)) return { named, odd };
    const meant = meantBy(district, choices.get(keyOf(province ?? "", district)), namesIn(meantProvince?.name));
    if (meant?.manner !== "known") odd.push(note({ province, district }, meant));
    return { named: { ...named, district: meant?.name ?? district }, odd };
  };
  return {
    /** The place of a row in the names of the registry, as far as they are known. */
    read(named: Named): Named {
      const key = JSON.stringify([named.province, named.district]);
      const place = found.get(key) ?? find(named);
      found.set(key, place);
      for (const one of place.odd) one.rows += 1;
      return place.named;
    },
    /** The spellings that are no known names: first those that nobody has chosen yet, then the most frequent. */
    places: (): ReadPlace[] =>
      [...places.values()].toSorted(
        (a, b) => Number(b.manner === "unknown") - Number(a.manner === "unknown") || b.rows - a.rows,
      ),
    /** Whether a name is that of a province or district. */
    isPlace: (() => {
      const names = new Set([...provinceNames, ...districts.map(({ name }) => name)].map(plainName));
      return (name: string) => names.has(plainName(name));
    })(),
  };
}
