import type { Handle } from "../../db/engine/connect.ts";
import * as lists from "../../db/facility/load.ts";
import { listClosedDistricts } from "../../db/registry/registryImportApply.ts";
import { nameKey } from "../input/identity.rules.ts";
import { isAlmost } from "../reference/load/load.rules.ts";
import type { ImportRow } from "./importRow.rules.ts";

/** The places, partners and service areas of the registry, and the place that a row of a list names. */

/** Reads places, partners and service areas, by name and by id. */
export async function readLists(handle: Handle) {
  const [provinces, districts, partners, areas] = [
    await lists.listEntries(handle, { table: "province" }),
    await lists.listDistrictEntries(handle),
    await lists.listEntries(handle, { table: "implementingPartner" }),
    await lists.listEntries(handle, { table: "serviceArea" }),
  ];
  const byName = (entries: readonly lists.ListEntry[]) =>
    new Map(entries.map((entry) => [nameKey(entry.name), entry.id]));
  const byId = (entries: readonly lists.ListEntry[]) => new Map(entries.map(({ id, name }) => [id, name]));
  const provinceNames = byId(provinces);
  const closed = await listClosedDistricts(handle, { districtIds: districts.map(({ districtId }) => districtId) });
  return {
    ...{
      provinces: byName(provinces),
      provinceNames,
      partners: byName(partners),
      partnerNames: byId(partners),
      areas: byName(areas),
      areaNames: byId(areas),
      closed,
    },
    districts: new Map(districts.map((one) => [`${one.provinceId} ${nameKey(one.name)}`, one])),
    placeNames: new Map(
      districts.map(({ districtId, provinceId, name }) => [
        districtId,
        `${name}, ${provinceNames.get(provinceId) ?? ""}`,
      ]),
    ),
  };
}
export type Lists = Awaited<ReturnType<typeof readLists>>;

export type Place = { districtId: number; provinceId: number };
/** The name of a place without the additions of DHIS2: "ce Chibombo District" becomes Chibombo. */
const bareName = (name: string): string =>
  name.replace(/^\p{Ll}{2} (?=\p{Lu})/u, "").replace(/ (province|district)$/i, "");
/**
 * The name of a place in the registry: the given name or, if that is unknown and the list is from another system
 * (`isLoose`), the bare name.
 */
const knownName = (name: string, isKnown: (name: string) => boolean, isLoose: boolean): string =>
  isLoose && !isKnown(name) && isKnown(bareName(name)) ? bareName(name) : name;

export type Placing = { place?: Place; fault?: string };
type Named = { province: string | null | undefined; district: string };
/**
 * The place with these names, or the error if the registry does not have it. A district whose name is unique needs no
 * province.
 */
function placeNamed(given: Named, known: Lists, isLoose: boolean): Placing {
  const hint = (name: string, names: Iterable<string>) => {
    const almost = [...names].find((other) => isAlmost(name, other));
    return almost ? `: is '${almost}' meant?` : "";
  };
  if (given.province == null) {
    const { district } = given;
    const all = [...known.districts.values()];
    const namesakes = all.filter(({ name }) => nameKey(name) === nameKey(district));
    const provinces = namesakes.map(({ provinceId }) => known.provinceNames.get(provinceId)!);
    if (provinces.length > 1)
      return { fault: `there is a district '${district}' in ${provinces.join(" and ")}: name the province` };
    if (!provinces[0])
      return {
        fault: `district '${district}' is not known${hint(
          district,
          all.map(({ name }) => name),
        )}`,
      };
    return placeNamed({ province: provinces[0], district }, known, isLoose);
  }
  const province = knownName(given.province, (name) => known.provinces.has(nameKey(name)), isLoose);
  const district = knownName(
    given.district,
    (name) => known.districts.has(`${known.provinces.get(nameKey(province))} ${nameKey(name)}`),
    isLoose,
  );
  const provinceId = known.provinces.get(nameKey(province));
  if (provinceId === undefined)
    return { fault: `province '${province}' is not known${hint(province, known.provinceNames.values())}` };
  const found = known.districts.get(`${provinceId} ${nameKey(district)}`);
  if (!found) {
    const all = [...known.districts.values()];
    const siblings = all.filter((one) => one.provinceId === provinceId).map(({ name }) => name);
    const elsewhere = all
      .filter(({ name }) => nameKey(name) === nameKey(district))
      .map((one) => known.provinceNames.get(one.provinceId)!);
    return {
      fault: `district '${district}' is not known in ${province}${elsewhere.length > 0 ? `: it lies in ${elsewhere.join(" and ")}` : hint(district, siblings)}`,
    };
  }
  if (known.closed.has(found.districtId)) return { fault: `district '${district}' is closed` };
  return { place: { districtId: found.districtId, provinceId } };
}

/** Makes a function that finds the place of a row (nothing if the row has none). Each place is looked up only once. */
export function placeFinder(known: Lists, isLoose: boolean): (row: ImportRow) => Placing {
  const found = new Map<string, Placing>();
  return ({ cells }) => {
    const { province, district } = cells as Partial<Named>;
    if (district == null) return {};
    const key = JSON.stringify([province, district]);
    const before = found.get(key) ?? placeNamed({ province, district }, known, isLoose);
    found.set(key, before);
    return before;
  };
}
