import type { Handle } from "../../../db/engine/connect.ts";
import * as db from "../../../db/facility/load.ts";
import { type Journal, type Listed, refuse, warn } from "./journal.ts";
import { distinct, type Names } from "./lists.ts";
import { nameKey } from "../../input/identity.rules.ts";
import { isAlmost } from "./load.rules.ts";

/**
 * Provinces, and districts within them: a district is identified by its province and its name. In an empty country,
 * files of facilities add their places. Once there are places, new ones come only from a list of places, or from files
 * of facilities if the load has the option for that and the names do not look like misspelt names of known places. If
 * the load has a list of provinces or districts, that list is complete.
 */
export type Places = {
  provinces: Names;
  /** by the province, then by the key of the name */
  districts: Map<number, Names>;
  /** whether there were places before the load: then new ones are reported */
  hadProvinces: boolean;
  hadDistricts: boolean;
  /** whether files of facilities may add to them */
  mayAddMore: boolean;
};

/** The places before the load. `provinces` are those after loading their list. */
export async function readPlaces(
  handle: Handle,
  provinces: Names,
  { hadProvinces, mayAddMore }: Pick<Places, "hadProvinces" | "mayAddMore">,
): Promise<Places> {
  const stored = await db.listDistrictEntries(handle);
  const places: Places = { provinces, districts: new Map(), hadProvinces, hadDistricts: stored.length > 0, mayAddMore };
  keep(places, stored);
  return places;
}

function keep({ districts }: Places, entries: db.DistrictEntry[]): void {
  for (const { districtId, provinceId, name } of entries)
    siblingsIn(districts, provinceId).set(nameKey(name), { id: districtId, name });
}

function siblingsIn(districts: Map<number, Names>, provinceId: number): Names {
  const names = districts.get(provinceId) ?? new Map();
  districts.set(provinceId, names);
  return names;
}

/** Stands for the id of a place that is added at the end of its file. */
const announced = 0;
/** A district that is added at the end of its file. */
const announce = (places: Places, { provinceId, name }: { provinceId: number; name: string }): void =>
  keep(places, [{ districtId: announced, provinceId, name }]);

type PlaceRow = Listed<"districts"> | Listed<"facilities">;

/** Whether an unknown name becomes a new place. If not, the error is reported. */
function mayAdd(
  journal: Journal,
  listed: PlaceRow,
  place: {
    kind: "districts" | "facilities";
    field: "province" | "district";
    name: string;
    known: Names;
    closed: boolean;
    had: boolean;
    mayAddMore: boolean;
  },
): boolean {
  const { kind, field, name, known, closed, had, mayAddMore } = place;
  const almost = [...known.values()].find((other) => isAlmost(name, other.name));
  const hint = almost ? `: is '${almost.name}' meant?` : "";
  const isRefused = almost !== undefined && almost.id !== announced;
  if (closed)
    refuse(journal, listed, field, `'${name}' is neither stored nor in the list of ${field}s of this load${hint}`);
  else if (isRefused)
    refuse(
      journal,
      listed,
      field,
      `'${name}' is not known${hint} A ${field} that is really called so is added by --${field}s`,
    );
  else if (had && kind === "facilities" && !mayAddMore)
    refuse(
      journal,
      listed,
      field,
      `'${name}' is not known: add it by --${field}s, or let this load add it by --add-places`,
    );
  else if (had || almost) warn(journal, kind, listed, field, `'${name}' is a new ${field}, added${hint}`);
  return !closed && !isRefused && !(had && kind === "facilities" && !mayAddMore);
}

/**
 * Gives rows that name only their district the province in which it lies. Rows whose district is unknown or lies in
 * several provinces are reported, and left out.
 */
export function settleProvinces<L extends Listed<"facilities">>(
  journal: Journal,
  places: Places,
  rows: readonly L[],
): L[] {
  return rows.filter((listed) => {
    const { row } = listed;
    if (row.province) return true;
    const found = [...places.provinces.values()].filter(({ id }) =>
      places.districts.get(id)?.has(nameKey(row.district)),
    );
    const [province, ...others] = found.map(({ name }) => name);
    const { district } = row;
    const why = !province
      ? `no district '${district}' is known: a new district needs its province`
      : `there is a district '${district}' in ${[province, ...others].join(" and ")}: name the province`;
    if (province && others.length === 0) row.province = province;
    else refuse(journal, listed, "province", `is empty, and ${why}`);
    return Boolean(row.province);
  });
}

/** Adds the unknown provinces that rows name. `closed`: the load has the complete list. */
export async function addProvinces(
  handle: Handle,
  journal: Journal,
  places: Places,
  { kind, rows, closed }: { kind: "districts" | "facilities"; rows: PlaceRow[]; closed: boolean },
): Promise<void> {
  const { provinces, hadProvinces: had, mayAddMore } = places;
  const added: string[] = [];
  for (const listed of rows) {
    const name = listed.row.province;
    if (provinces.has(nameKey(name))) continue;
    if (!mayAdd(journal, listed, { kind, field: "province", name, known: provinces, closed, had, mayAddMore }))
      continue;
    added.push(name);
    provinces.set(nameKey(name), { id: announced, name });
  }
  if (added.length === 0) return;
  const entries = await db.insertEntries(handle, { table: "province", names: added });
  for (const entry of entries) provinces.set(nameKey(entry.name), entry);
  journal.counts.provinces.added += entries.length;
}

/** A district with the same name in another province is not an error, but it is reported. */
function warnOfNamesake(journal: Journal, places: Places, kind: "districts" | "facilities", listed: PlaceRow): void {
  const { province, district } = listed.row;
  const elsewhere = [...places.provinces.values()].find(
    (entry) => nameKey(entry.name) !== nameKey(province) && places.districts.get(entry.id)?.has(nameKey(district)),
  );
  if (elsewhere)
    warn(journal, kind, listed, "district", `${elsewhere.name} has a district '${district}' too: this is another one`);
}

/** Loads the list of districts. New ones are added; known ones take the spelling of the file. */
export async function loadDistricts(
  handle: Handle,
  journal: Journal,
  places: Places,
  rows: Listed<"districts">[],
): Promise<void> {
  const provinceOf = ({ row }: Listed<"districts">) => places.provinces.get(nameKey(row.province));
  const keyOf = (listed: Listed<"districts">) => `${provinceOf(listed)!.id} ${nameKey(listed.row.district)}`;
  const settled = rows.filter(provinceOf);
  const added: { provinceId: number; name: string }[] = [];
  const respelt: db.DistrictEntry[] = [];
  const listed = distinct(journal, settled, { kind: "districts", field: "district", keyOf });
  for (const one of listed) {
    const provinceId = provinceOf(one)!.id;
    const name = one.row.district;
    const known = siblingsIn(places.districts, provinceId).get(nameKey(name));
    if (!known) {
      warnOfNamesake(journal, places, "districts", one);
      added.push({ provinceId, name });
      announce(places, { provinceId, name });
    } else if (known.name !== name) respelt.push({ districtId: known.id, provinceId, name });
  }
  if (respelt.length > 0) await db.updateDistrictNames(handle, { districts: respelt });
  keep(places, respelt);
  if (added.length > 0) keep(places, await db.insertDistricts(handle, { districts: added }));
  const counts = journal.counts.districts;
  counts.added += added.length;
  counts.changed += respelt.length;
  counts.unchanged += listed.length - added.length - respelt.length;
}

/** Adds the unknown districts that facilities name. `closed`: the load has the complete list. */
export async function addDistricts(
  handle: Handle,
  journal: Journal,
  places: Places,
  { rows, closed }: { rows: Listed<"facilities">[]; closed: boolean },
): Promise<void> {
  const added: { provinceId: number; name: string }[] = [];
  for (const listed of rows) {
    const name = listed.row.district;
    const provinceId = places.provinces.get(nameKey(listed.row.province))?.id;
    if (provinceId === undefined) continue;
    const known = siblingsIn(places.districts, provinceId);
    if (known.has(nameKey(name))) continue;
    if (
      !mayAdd(journal, listed, {
        kind: "facilities",
        field: "district",
        name,
        known,
        closed,
        had: places.hadDistricts,
        mayAddMore: places.mayAddMore,
      })
    )
      continue;
    warnOfNamesake(journal, places, "facilities", listed);
    added.push({ provinceId, name });
    announce(places, { provinceId, name });
  }
  if (added.length === 0) return;
  const entries = await db.insertDistricts(handle, { districts: added });
  keep(places, entries);
  journal.counts.districts.added += entries.length;
}

/** The district of a row; undefined if it names none or an unknown one. */
export function findDistrict(places: Places, { province, district }: { province: string; district: string }) {
  const provinceId = places.provinces.get(nameKey(province))?.id;
  if (provinceId === undefined) return undefined;
  const entry = places.districts.get(provinceId)?.get(nameKey(district));
  return entry && { provinceId, districtId: entry.id };
}
