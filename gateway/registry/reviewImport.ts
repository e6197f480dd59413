import { v7 as newUuid } from "uuid";

import type { Handle } from "../../db/engine/connect.ts";
import { fieldNames } from "../../db/facilityFields.rules.ts";
import { listAllIdentifiers } from "../../db/facilityIdentifier.ts";
import type { IdentifierSystem } from "../../db/identifierSystems.rules.ts";
import * as lists from "../../db/load.ts";
import { listMergesForLoad } from "../../db/registry.ts";
import type { Change, NewRow, RowWarning } from "../../db/registryImport.ts";
import { listClosedDistricts, listFacilityVersions } from "../../db/registryImportApply.ts";
import { whyOutside } from "../reference/country.rules.ts";
import { isAlmost, nameKey } from "../reference/load/load.rules.ts";
import { isSame } from "../reference/load/match.rules.ts";
import { identifierKey, type Known, matchImport, type MatchRow, type MatchStored, type Reviewed } from "./importMatch.rules.ts";
import type { ImportRow } from "./importRow.rules.ts";

/** Holds the rows of a list against the registry: what each would change, and what is doubtful about it. */

/** The small lists, by name and by id. */
async function readLists(handle: Handle) {
  const [provinces, districts, partners, areas] = [
    await lists.listEntries(handle, { table: "province" }),
    await lists.listDistrictEntries(handle),
    await lists.listEntries(handle, { table: "implementingPartner" }),
    await lists.listEntries(handle, { table: "serviceArea" }),
  ];
  const byName = (entries: readonly lists.ListEntry[]) => new Map(entries.map((entry) => [nameKey(entry.name), entry.id]));
  const byId = (entries: readonly lists.ListEntry[]) => new Map(entries.map(({ id, name }) => [id, name]));
  const provinceNames = byId(provinces);
  const closed = await listClosedDistricts(handle, { districtIds: districts.map(({ districtId }) => districtId) });
  return {
    ...{ provinces: byName(provinces), provinceNames, partners: byName(partners), partnerNames: byId(partners), areas: byName(areas), areaNames: byId(areas), closed },
    districts: new Map(districts.map((one) => [`${one.provinceId} ${nameKey(one.name)}`, one])),
    placeNames: new Map(districts.map(({ districtId, provinceId, name }) => [districtId, `${name}, ${provinceNames.get(provinceId) ?? ""}`])),
  };
}
type Lists = Awaited<ReturnType<typeof readLists>>;

type Place = { districtId: number; provinceId: number };
/** A place's name without what other lists put around it: "ce Chibombo District" is Chibombo. */
const bareName = (name: string): string => name.replace(/^\p{Ll}{2} (?=\p{Lu})/u, "").replace(/ (province|district)$/i, "");
/** The name under which a place is known: the one that is given or, for another's list, the bare one. */
const knownName = (name: string, isKnown: (name: string) => boolean, isLoose: boolean): string => (isLoose && !isKnown(name) && isKnown(bareName(name)) ? bareName(name) : name);

/** The place that a row names: none, a known one, or why there is none. */
function placeOf({ cells }: ImportRow, known: Lists, isLoose: boolean): { place?: Place; fault?: string } {
  const given = cells as { province?: string | null; district?: string | null };
  if (given.province == null || given.district == null) return {};
  const province = knownName(given.province, (name) => known.provinces.has(nameKey(name)), isLoose);
  const district = knownName(given.district, (name) => known.districts.has(`${known.provinces.get(nameKey(province))} ${nameKey(name)}`), isLoose);
  const hint = (name: string, names: Iterable<string>) => {
    const almost = [...names].find((other) => isAlmost(name, other));
    return almost ? `: is '${almost}' meant?` : "";
  };
  const provinceId = known.provinces.get(nameKey(province));
  if (provinceId === undefined) return { fault: `province '${province}' is not known${hint(province, known.provinceNames.values())}` };
  const found = known.districts.get(`${provinceId} ${nameKey(district)}`);
  if (!found) {
    const all = [...known.districts.values()];
    const siblings = all.filter((one) => one.provinceId === provinceId).map(({ name }) => name);
    const elsewhere = all.filter(({ name }) => nameKey(name) === nameKey(district)).map((one) => known.provinceNames.get(one.provinceId)!);
    return { fault: `district '${district}' is not known in ${province}${elsewhere.length > 0 ? `: it lies in ${elsewhere.join(" and ")}` : hint(district, siblings)}` };
  }
  if (known.closed.has(found.districtId)) return { fault: `district '${district}' is closed` };
  return { place: { districtId: found.districtId, provinceId } };
}

/** What a row wants written, by the names of the table; what it leaves is missing, what it erases is null. */
function wantedOf(row: ImportRow, place: Place | undefined, known: Lists, warn: (column: string, message: string) => void): Record<string, unknown> {
  const { cells, erased } = row;
  const wanted: Record<string, unknown> = { ...place };
  if (cells["facilityName"] != null) wanted["facilityName"] = cells["facilityName"];
  for (const name of fieldNames) if (erased.includes(name) || cells[name] != null) wanted[name] = cells[name] ?? null;
  const partner = cells["implementingPartner"] as string | null | undefined;
  const partnerId = partner == null ? undefined : known.partners.get(nameKey(partner));
  if (partner != null && partnerId === undefined) warn("implementingPartner", `'${partner}' is no implementing partner that is known: not taken`);
  if (partnerId !== undefined || erased.includes("implementingPartner")) wanted["implementingPartnerId"] = partnerId ?? null;
  const areas = cells["serviceAreas"] as string[] | null | undefined;
  const strange = (areas ?? []).filter((name) => !known.areas.has(nameKey(name)));
  for (const name of strange) warn("serviceAreas", `'${name}' is no service area that is known: not taken`);
  if (erased.includes("serviceAreas")) wanted["serviceAreaIds"] = [];
  else if (areas != null && strange.length === 0) wanted["serviceAreaIds"] = areas.map((name) => known.areas.get(nameKey(name))!).toSorted((a, b) => a - b);
  return wanted;
}

/** A value as the review shows it. */
function shownOf(field: string, given: unknown, known: Lists): string | null {
  const value = given as string | number | number[] | null | undefined;
  if (value == null) return null;
  if (field === "districtId") return known.placeNames.get(value as number) ?? null;
  if (field === "implementingPartnerId") return known.partnerNames.get(value as number) ?? null;
  if (field === "serviceAreaIds") return (value as number[]).map((id) => known.areaNames.get(id) ?? String(id)).join("; ") || null;
  return String(value as string | number);
}
const shownField: Record<string, string> = { districtId: "district", implementingPartnerId: "implementingPartner", serviceAreaIds: "serviceAreas" };

/** A row with the facility that it was found to be. */
export type MatchedRow = {
  row: ImportRow;
  asked: MatchRow;
  /** what is wrong with its place */
  fault: string | undefined;
  wanted: Record<string, unknown>;
  warnings: RowWarning[];
  review: Reviewed;
  before: lists.LoadedFacility | undefined;
};

type Manner = {
  /** the places of another's list may have more around their names */
  isLoose?: boolean;
  /** nobody reviews the rows: only what is certain finds a facility */
  isUnattended?: boolean;
};

type Position = { latitude?: number | null; longitude?: number | null };
const isAbroad = ({ latitude, longitude }: Position): boolean => latitude != null && longitude != null && whyOutside(latitude, longitude) !== undefined;

/** Finds the facility of each row. */
export async function matchRegistry(handle: Handle, rows: readonly ImportRow[], systems: readonly IdentifierSystem[], { isLoose = false, isUnattended = false }: Manner = {}) {
  const known = await readLists(handle);
  // Before the facilities: what changes meanwhile is then refused when it is applied.
  const versions = await listFacilityVersions(handle);
  const stored = await lists.listFacilitiesForLoad(handle);
  const all = await listAllIdentifiers(handle);
  const merges = await listMergesForLoad(handle);
  const systemOf = new Map(systems.map((one) => [one.system, one]));
  const isUnique = (system: string) => systemOf.get(system)?.isUnique ?? false;

  const inUse = new Map<string, { system: string; value: string }[]>();
  const holders = new Map<string, string>();
  const weak = new Map<string, string | null>();
  for (const one of all) {
    if (one.until === null) inUse.set(one.facilityUuid, [...(inUse.get(one.facilityUuid) ?? []), one]);
    const key = identifierKey(one);
    if (one.until === null && isUnique(one.system)) holders.set(key, one.facilityUuid);
    else weak.set(key, weak.has(key) && weak.get(key) !== one.facilityUuid ? null : one.facilityUuid);
  }
  const survivors = new Map(merges.map(({ facilityUuid, intoUuid }) => [facilityUuid, intoUuid]));
  const matching: Known = {
    ...{ holders, survivors, isUnique },
    weakHolders: new Map([...weak].flatMap(([key, uuid]) => (uuid === null || holders.has(key) ? [] : [[key, uuid] as const]))),
    nameOf: (system) => systemOf.get(system)?.name ?? system,
  };

  const prepared = rows.map((row) => {
    const warnings: RowWarning[] = [...row.warnings];
    const { place, fault } = placeOf(row, known, isLoose);
    const wanted = wantedOf(row, place, known, (column, message) => void warnings.push({ column, message }));
    const { latitude, longitude, facilityUuid, smartcare, facilityName, hmisCode } = row.cells as Record<string, never>;
    // How far a position abroad is from others says nothing.
    const position = isAbroad(row.cells) ? { latitude: null, longitude: null } : { latitude: latitude ?? null, longitude: longitude ?? null };
    const asked: MatchRow = {
      ...{ line: row.line, identifiers: row.identifiers, facilityUuid: facilityUuid ?? smartcare ?? null, facilityName: facilityName ?? "", hmisCode: hmisCode ?? null, districtId: place?.districtId ?? -1 },
      ...{ ...position, values: wanted },
    };
    return { row, asked, fault, wanted, warnings };
  });
  const reviews = matchImport(prepared.map(({ asked }) => asked), stored as unknown as MatchStored[], matching, (uuid) => inUse.get(uuid) ?? [], isUnattended);
  const matched = prepared.map((one): MatchedRow => {
    const review = reviews.get(one.asked)!;
    return { ...one, review, before: review.stored as lists.LoadedFacility | undefined };
  });
  const used = new Set([...stored.map(({ facilityUuid }) => facilityUuid), ...survivors.keys()]);
  return { matched, stored, known, versions, used, inUse, isUnique };
}

/** Facilities that take the uuid of their row, by the uuid that they have: nothing was recorded about them yet. */
async function listRenamed(handle: Handle, matched: readonly MatchedRow[], used: ReadonlySet<string>): Promise<Map<string, string>> {
  const wanted = matched.flatMap(({ asked: { facilityUuid }, before }) => (before && facilityUuid && !used.has(facilityUuid) ? [[before.facilityUuid, facilityUuid] as const] : []));
  const recorded = wanted.length > 0 ? new Set(await lists.listRecordedFacilities(handle, { facilityUuids: wanted.map(([uuid]) => uuid) })) : new Set();
  return new Map(wanted.filter(([uuid]) => !recorded.has(uuid)));
}

/** A row that was reviewed, and which field or system its doubt is about. */
export type ReviewedRow = NewRow & { doubtful: string | undefined };

/** Whether a row that is accepted would change anything. */
export const changesSomething = ({ written, identifiers, reviewedVersion }: Pick<NewRow, "written" | "identifiers" | "reviewedVersion">): boolean =>
  reviewedVersion === null || Object.keys(written).length > 0 || identifiers.length > 0;

/** Reviews the rows, in their order. Nothing is changed. */
export async function reviewImport(handle: Handle, rows: readonly ImportRow[], systems: readonly IdentifierSystem[], manner: Manner = {}): Promise<ReviewedRow[]> {
  const { matched, known, versions, used, inUse, isUnique } = await matchRegistry(handle, rows, systems, manner);
  const renamed = await listRenamed(handle, matched, used);
  return matched.map(({ row, asked, fault, wanted, warnings, review, before }): ReviewedRow => {
    if (before && isAbroad(wanted) && before.latitude !== null && !isAbroad(before)) {
      delete wanted["latitude"];
      delete wanted["longitude"];
      warnings.push({ column: "row", message: "the stored position stays: it lies in the country" });
    }
    const written: Record<string, unknown> = {};
    const changes: Change[] = [];
    for (const [field, value] of Object.entries(wanted)) {
      const present = (before as Record<string, unknown> | undefined)?.[field] ?? (field === "serviceAreaIds" ? [] : null);
      if (isSame(present, value)) continue;
      written[field] = value;
      if (field !== "provinceId") changes.push({ field: shownField[field] ?? field, present: shownOf(field, present, known), proposed: shownOf(field, value, known) });
    }
    const uuid = before && renamed.get(before.facilityUuid);
    if (uuid !== undefined) {
      written["facilityUuid"] = uuid;
      changes.push({ field: "uuid", present: before!.facilityUuid, proposed: uuid });
    }
    if ("districtId" in written && wanted["provinceId"] !== undefined) written["provinceId"] = wanted["provinceId"];
    const own = before ? (inUse.get(before.facilityUuid) ?? []) : [];
    const identifiers = row.identifiers.filter(
      (one) =>
        one.system !== "hmis" && !(one.system === "formerHmis" && one.value === row.cells["oldHmisCode"]) && !review.repeated.some(({ system, value }) => system === one.system && value === one.value) &&
        !own.some(({ system, value }) => system === one.system && value === one.value),
    );
    for (const { system, value } of identifiers)
      changes.push({ field: system, present: own.filter((one) => one.system === system).map((one) => one.value).join(", ") || null, proposed: value });
    for (const message of review.notes) warnings.push({ column: "row", message });
    const lacks = before ? undefined : asked.facilityName === "" ? "a new facility needs a name" : asked.districtId < 0 ? "a new facility needs its province and district" : undefined;
    const placeFault = fault ?? (review.doubt ? undefined : lacks);
    const acceptable = review.acceptable && placeFault === undefined && lacks === undefined;
    const facilityUuid = before?.facilityUuid ?? (acceptable ? (asked.facilityUuid && !used.has(asked.facilityUuid) ? asked.facilityUuid : newUuid()) : null);
    if (!before && facilityUuid !== null) used.add(facilityUuid);
    return {
      ...{ line: row.line, acceptable, facilityUuid, score: review.score, warnings, changes, written: written as NewRow["written"] },
      kind: placeFault !== undefined ? "unknownPlace" : (review.doubt ?? (before ? (changes.length > 0 ? "changed" : "same") : "new")),
      facilityName: asked.facilityName || before?.facilityName || "",
      place: known.placeNames.get(asked.districtId >= 0 ? asked.districtId : (before?.districtId ?? -1)) ?? ([row.cells["district"], row.cells["province"]] as (string | null | undefined)[]).filter((one) => one != null).join(", "),
      reason: [placeFault, review.reason].filter((one) => one !== undefined).join("; "),
      identifiers: identifiers.map((one) => ({ ...one, isUnique: isUnique(one.system) })),
      reviewedVersion: before ? (versions.get(before.facilityUuid) ?? null) : null,
      doubtful: placeFault === undefined ? review.system : "district",
    };
  });
}
