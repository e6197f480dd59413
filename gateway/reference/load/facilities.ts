import { v7 as newUuid } from "uuid";

import type { Handle } from "../../../db/engine/connect.ts";
import { byField, fieldNames, valuesOf } from "../../../db/facilityFields.rules.ts";
import * as db from "../../../db/load.ts";
import { listMergesForLoad } from "../../../db/registry.ts";
import { type Journal, type Listed, refuse, warn, whereIs } from "./journal.ts";
import { findNames, type Names } from "./lists.ts";
import { findDistrict, type Places } from "./places.ts";
import { holderFor, holdersOf, loadIdentifiers } from "./identifiers.ts";
import { nameKey, whyOutside } from "./load.rules.ts";
import { isSame, type ListedFacility, type Match, matchFacilities, type StoredFacility } from "./match.rules.ts";

type Row = Listed<"facilities">;
type Given = ListedFacility & { listed: Row };

/** What a row says of its facility in terms of the database; undefined after naming what is wrong. */
function settle(journal: Journal, listed: Row, lists: { places: Places; partners: Names; areas: Names }): Given | undefined {
  const { row } = listed;
  const place = findDistrict(lists.places, row);
  const partner = findNames(journal, listed, {
    field: "implementingPartner",
    what: "implementing partner",
    names: lists.partners,
    option: "partners",
  });
  const areas = findNames(journal, listed, {
    field: "serviceAreas",
    what: "service area",
    names: lists.areas,
    option: "service-areas",
  });
  const wrong = !place || (row.implementingPartner && !partner) || (row.serviceAreas && !areas);
  if (wrong) return undefined;
  const outside = row.latitude != null && row.longitude != null ? whyOutside(row.latitude, row.longitude) : undefined;
  if (outside) warn(journal, "facilities", listed, "latitude", outside);
  return {
    listed,
    facilityUuid: row.facilityUuid ?? row.smartcare,
    facilityName: row.facilityName,
    hmisCode: row.hmisCode,
    districtId: place.districtId,
    values: {
      ...place,
      facilityName: row.facilityName,
      ...valuesOf(fieldNames, row),
      ...(outside ? { latitude: null, longitude: null } : {}),
      implementingPartnerId: partner && partner[0],
      serviceAreaIds: areas,
    },
  };
}

/** Codes and uuids stand for one facility each. */
function refuseRepeats(journal: Journal, rows: Row[]): void {
  for (const field of ["facilityUuid", "smartcare", "hmisCode"] as const) {
    const first = new Map<string, Row>();
    for (const listed of rows) {
      const value = listed.row[field];
      if (!value) continue;
      const earlier = first.get(value);
      if (earlier) refuse(journal, listed, field, `'${value}' stands in ${whereIs(earlier, listed)} already`);
      else first.set(value, listed);
    }
  }
}

/** Names that repeat within a district are legal, and often a mistake. */
function warnOfNamesakes(journal: Journal, rows: Given[]): void {
  const first = new Map<string, Row>();
  for (const { listed, districtId } of rows) {
    const { facilityName, district } = listed.row;
    const key = `${districtId} ${nameKey(facilityName)}`;
    const earlier = first.get(key);
    if (earlier)
      warn(journal, "facilities", listed, "facilityName", `'${facilityName}' is in ${district} in ${whereIs(earlier, listed)} too: loaded as another facility`);
    else first.set(key, listed);
  }
}

/** A facility's values after the row: an empty cell leaves what is stored. */
const merge = (stored: db.LoadedFacility, { values }: Given): db.LoadedFacility => ({
  ...stored,
  ...Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)),
});

const unknown: Omit<db.LoadedFacility, "facilityUuid" | "facilityName" | "districtId" | "provinceId"> = {
  ...byField(fieldNames, () => null),
  implementingPartnerId: null,
  serviceAreaIds: [],
};

const create = (given: Given): db.LoadedFacility =>
  merge({ ...unknown, facilityUuid: given.facilityUuid || newUuid() } as db.LoadedFacility, given);

/** After the load every code must belong to one facility, those that no row names included. */
function refuseTakenCodes(journal: Journal, stored: StoredFacility[], matches: Map<ListedFacility, Match>, rows: Given[]): void {
  const rowOf = new Map([...matches].map(([row, match]) => [match.stored, row]));
  const holders = new Map<string, StoredFacility>();
  for (const facility of stored) {
    if (facility.hmisCode && !rowOf.get(facility)?.hmisCode) holders.set(facility.hmisCode, facility);
  }
  for (const given of rows) {
    const holder = given.hmisCode && holders.get(given.hmisCode);
    if (holder && holder !== matches.get(given)?.stored)
      refuse(journal, given.listed, "hmisCode", `'${given.hmisCode}' is the code of '${holder.facilityName}' (${holder.facilityUuid}), which is not this row's facility`);
  }
}

/** Facilities take the uuid that the list gives them as long as nothing was recorded about them. */
async function adoptUuids(handle: Handle, journal: Journal, matches: Map<ListedFacility, Match>): Promise<Set<string>> {
  const wanted = [...matches].flatMap(([{ facilityUuid }, { stored }]) =>
    facilityUuid && facilityUuid !== stored.facilityUuid ? [{ from: stored.facilityUuid, to: facilityUuid }] : [],
  );
  if (wanted.length === 0) return new Set();
  const recorded = new Set(await db.listRecordedFacilities(handle, { facilityUuids: wanted.map(({ from }) => from) }));
  const changes = wanted.filter(({ from }) => !recorded.has(from));
  if (changes.length > 0) {
    await db.updateFacilityUuids(handle, { changes });
    journal.notes.push(`uuids taken from the file: ${changes.length} (nothing was recorded about these facilities yet)`);
  }
  if (recorded.size > 0)
    journal.notes.push(`uuids not taken from the file: ${recorded.size} (records point at these facilities by the uuid that they have)`);
  return new Set(changes.map(({ from }) => from));
}

/**
 * The rows but those of facilities that were merged into others, by uuid or by a code that nobody else has: a list that still has
 * them does not bring them back. Each is named.
 */
async function withoutMerged(handle: Handle, journal: Journal, given: Given[], stored: StoredFacility[]): Promise<Given[]> {
  const merges = await listMergesForLoad(handle);
  if (merges.length === 0) return given;
  const byUuid = new Map(merges.map((merge) => [merge.facilityUuid, merge]));
  const byCode = new Map(merges.map((merge) => [merge.hmisCode, merge]));
  for (const { hmisCode } of stored) byCode.delete(hmisCode);
  byCode.delete(null);
  return given.filter(({ listed, facilityUuid, hmisCode }) => {
    const [field, merge] = facilityUuid && byUuid.has(facilityUuid) ? (["facilityUuid", byUuid.get(facilityUuid)] as const) : (["hmisCode", byCode.get(hmisCode ?? null)] as const);
    if (merge) warn(journal, "facilities", listed, field, `was merged into '${merge.intoName}' (${merge.intoUuid}): left out`);
    return !merge;
  });
}

/** Loads the facilities of all files of the load; rows with errors are left out, and the caller keeps nothing then. */
export async function loadFacilities(
  handle: Handle,
  journal: Journal,
  rows: Row[],
  lists: { places: Places; partners: Names; areas: Names },
): Promise<void> {
  if (rows.length === 0) return;
  refuseRepeats(journal, rows);
  const stored = await db.listFacilitiesForLoad(handle);
  const given = await withoutMerged(handle, journal, rows.flatMap((listed) => settle(journal, listed, lists) ?? []), stored);
  warnOfNamesakes(journal, given);
  const holders = await holdersOf(handle);
  const matches = matchFacilities(given, stored, ({ listed }) => holderFor(listed, holders));
  refuseTakenCodes(journal, stored, matches, given);
  if (journal.errors.length > 0) return;

  const created = new Map(given.filter((row) => !matches.has(row)).map((row) => [row, create(row)]));
  const added = [...created.values()];
  const changed: db.LoadedFacility[] = [];
  for (const row of given) {
    const before = matches.get(row)?.stored as db.LoadedFacility | undefined;
    if (!before) continue;
    const after = merge(before, row);
    if (before.hmisCode && after.hmisCode !== before.hmisCode)
      warn(journal, "facilities", row.listed, "hmisCode", `takes the place of '${before.hmisCode}', the code of this facility until now`);
    const fields = Object.keys(after) as (keyof db.LoadedFacility)[];
    if (fields.some((field) => !isSame(before[field], after[field]))) changed.push(after);
  }
  if (changed.length > 0) await db.updateFacilities(handle, { facilities: changed });
  const adopted = await adoptUuids(handle, journal, matches);
  if (added.length > 0) await db.insertFacilities(handle, { facilities: added });
  const present = given.map((row) => {
    const before = matches.get(row)?.stored.facilityUuid;
    const facilityUuid = before === undefined ? created.get(row)!.facilityUuid : adopted.has(before) ? row.facilityUuid! : before;
    return { listed: row.listed, facilityName: row.facilityName, facilityUuid };
  });
  const identified = await loadIdentifiers(handle, journal, present);
  const counts = journal.counts.facilities;
  counts.added = added.length;
  const isNew = new Set(added.map(({ facilityUuid }) => facilityUuid));
  const renamed = new Map([...matches].map(([row, { stored: before }]) => [before.facilityUuid, row.facilityUuid]));
  const uuidNow = (uuid: string) => (adopted.has(uuid) ? renamed.get(uuid)! : uuid);
  counts.changed = new Set([...[...adopted, ...changed.map(({ facilityUuid }) => facilityUuid)].map(uuidNow), ...[...identified].filter((uuid) => !isNew.has(uuid))]).size;
  counts.unchanged = matches.size - counts.changed;
}
