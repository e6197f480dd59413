import { v7 as newUuid } from "uuid";

import type { Handle } from "../../db/engine/connect.ts";
import { facilityFields, fieldNames } from "../../db/facility/facilityFields.rules.ts";
import { listAllIdentifiers } from "../../db/facility/facilityIdentifier.ts";
import type { IdentifierSystem } from "../../db/facility/identifierSystems.rules.ts";
import * as lists from "../../db/facility/load.ts";
import { listMergesForLoad } from "../../db/registry/registry.ts";
import type { Change, NewRow, RowWarning } from "../../db/registry/registryImport.ts";
import { listFacilityVersions } from "../../db/registry/registryImportApply.ts";
import { nameKey } from "../input/identity.rules.ts";
import { whyOutside } from "../reference/country.rules.ts";
import { isOwnUuid, isSame } from "../reference/load/match.rules.ts";
import { identifierKey, type Known, matchImport, type MatchRow, type Reviewed } from "./importMatch.rules.ts";
import type { ImportRow } from "./importRow.rules.ts";
import { type Lists, type Place, placeFinder, type Placing, readLists } from "./importPlaces.ts";
import { inSlices, mapInSlices } from "./inSlices.ts";
import type { Rows } from "./packedRows.ts";

/** Compares the rows of a list with the registry: what each row would change, and what is doubtful about it. */

type Settled = { row: ImportRow; place: Place | undefined };

/**
 * The values that a row would write, by column name in camel case, and its warnings. A value that would not change is
 * missing; an erased one is null.
 */
export function readWanted(
  { row: { cells, erased, warnings: odd }, place }: Settled,
  known: Lists,
): { wanted: Record<string, unknown>; warnings: RowWarning[] } {
  const warnings: RowWarning[] = [...odd];
  const warn = (column: string, message: string) => void warnings.push({ column, message });
  // No spread: for each copy that is then filled by name, V8 makes new hidden classes (1 kB each), and keeps them until
  // the next full garbage collection.
  const wanted: Record<string, unknown> = {};
  if (place) [wanted["districtId"], wanted["provinceId"]] = [place.districtId, place.provinceId];
  if (cells["facilityName"] != null) wanted["facilityName"] = cells["facilityName"];
  for (const name of fieldNames) if (erased.includes(name) || cells[name] != null) wanted[name] = cells[name] ?? null;
  const partner = cells["implementingPartner"] as string | null | undefined;
  const partnerId = partner == null ? undefined : known.partners.get(nameKey(partner));
  if (partner != null && partnerId === undefined)
    warn("implementingPartner", `'${partner}' is no implementing partner that is known: not taken`);
  if (partnerId !== undefined || erased.includes("implementingPartner"))
    wanted["implementingPartnerId"] = partnerId ?? null;
  const areas = cells["serviceAreas"] as string[] | null | undefined;
  const strange = (areas ?? []).filter((name) => !known.areas.has(nameKey(name)));
  for (const name of strange) warn("serviceAreas", `'${name}' is no service area that is known: not taken`);
  if (erased.includes("serviceAreas")) wanted["serviceAreaIds"] = [];
  else if (areas != null && strange.length === 0)
    wanted["serviceAreaIds"] = areas.map((name) => known.areas.get(nameKey(name))!).toSorted((a, b) => a - b);
  return { wanted, warnings };
}

/** A value as the review shows it. */
function shownOf(field: string, given: unknown, known: Lists): string | null {
  const value = given as string | number | number[] | null | undefined;
  if (value == null) return null;
  if (field === "districtId") return known.placeNames.get(value as number) ?? null;
  if (field === "implementingPartnerId") return known.partnerNames.get(value as number) ?? null;
  if (field === "serviceAreaIds")
    return (value as number[]).map((id) => known.areaNames.get(id) ?? String(id)).join("; ") || null;
  return String(value as string | number);
}
const shownField: Record<string, string> = {
  districtId: "district",
  implementingPartnerId: "implementingPartner",
  serviceAreaIds: "serviceAreas",
};

/** A row, and the facility that was found for it (`before`). */
export type MatchedRow<Row extends ImportRow = ImportRow> = {
  row: Row;
  asked: MatchRow;
  place: Place | undefined;
  /** the error about its place */
  fault: string | undefined;
  review: Reviewed;
  before: lists.LoadedFacility | undefined;
};

type Manner = {
  /** the list is from another system, whose names of places may have additions (bareName) */
  isLoose?: boolean;
  /** nobody reviews the rows, so only certain matches count */
  isUnattended?: boolean;
};

type Position = { latitude?: number | null; longitude?: number | null };
const isAbroad = ({ latitude, longitude }: Position): boolean =>
  latitude != null && longitude != null && whyOutside(latitude, longitude) !== undefined;

/**
 * The values of a row that are needed to find its facility. Other values, which few rows need, are read from the list
 * again.
 */
class Asked implements MatchRow {
  readonly line: number;
  readonly facilityUuid: string | null;
  readonly facilityName: string;
  readonly hmisCode: string | null;
  readonly districtId: number;
  readonly latitude: number | null = null;
  readonly longitude: number | null = null;
  constructor(
    readonly index: number,
    private readonly rows: Rows<ImportRow>,
    readonly placing: Placing,
    private readonly known: Lists,
  ) {
    const { line, cells } = rows.at(index)!;
    const { latitude, longitude, facilityUuid, smartcare, facilityName, hmisCode } = cells as Position &
      Partial<Record<"facilityUuid" | "smartcare" | "facilityName" | "hmisCode", string>>;
    this.line = line;
    this.facilityUuid = facilityUuid ?? smartcare ?? null;
    this.facilityName = facilityName ?? "";
    this.hmisCode = hmisCode ?? null;
    this.districtId = placing.place?.districtId ?? -1;
    // A position abroad is a mistake, so it is not used to find the nearest facility.
    if (!isAbroad(cells)) [this.latitude, this.longitude] = [latitude ?? null, longitude ?? null];
  }
  get row(): ImportRow {
    return this.rows.at(this.index)!;
  }
  get identifiers() {
    return this.row.identifiers;
  }
  get values() {
    return readWanted({ row: this.row, place: this.placing.place }, this.known).wanted;
  }
}

/** Finds the facility of each row. */
export async function matchRegistry<Row extends ImportRow>(
  handle: Handle,
  rows: Rows<Row>,
  systems: readonly IdentifierSystem[],
  { isLoose = false, isUnattended = false }: Manner = {},
) {
  const known = await readLists(handle);
  // Read before the facilities, so that applying the import refuses a facility that changed between the two reads.
  const versions = await listFacilityVersions(handle);
  const stored = await lists.listFacilitiesForLoad(handle);
  const all = await listAllIdentifiers(handle);
  const merges = await listMergesForLoad(handle);
  const systemOf = new Map(systems.map((one) => [one.system, one]));
  const isUnique = (system: string) => systemOf.get(system)?.isUnique ?? false;

  const inUse = new Map<string, { system: string; value: string }[]>();
  const holders = new Map<string, string>();
  const weak = new Map<string, string | null>();
  await mapInSlices(all, (one) => {
    if (one.until === null) inUse.set(one.facilityUuid, [...(inUse.get(one.facilityUuid) ?? []), one]);
    const key = identifierKey(one);
    if (one.until === null && isUnique(one.system)) holders.set(key, one.facilityUuid);
    else weak.set(key, weak.has(key) && weak.get(key) !== one.facilityUuid ? null : one.facilityUuid);
  });
  const survivors = new Map(merges.map(({ facilityUuid, intoUuid }) => [facilityUuid, intoUuid]));
  const matching: Known = {
    ...{ holders, survivors, isUnique },
    weakHolders: new Map(
      [...weak].flatMap(([key, uuid]) => (uuid === null || holders.has(key) ? [] : [[key, uuid] as const])),
    ),
    nameOf: (system) => systemOf.get(system)?.name ?? system,
  };

  const placeOf = placeFinder(known, isLoose);
  let index = 0;
  const asked = await mapInSlices(rows, (row) => new Asked(index++, rows, placeOf(row), known));
  const reviews = await inSlices(matchImport(asked, stored, matching, (uuid) => inUse.get(uuid) ?? [], isUnattended));
  /** The match of a row. */
  const matchedOf = (one: Asked): MatchedRow<Row> => {
    const review = reviews.get(one)!;
    return {
      row: one.row as Row,
      asked: one,
      place: one.placing.place,
      fault: one.placing.fault,
      review,
      before: review.stored as lists.LoadedFacility | undefined,
    };
  };
  const used = new Set([...stored.map(({ facilityUuid }) => facilityUuid), ...survivors.keys()]);
  return { asked, matchedOf, stored, known, versions, used, inUse, isUnique };
}

/**
 * Facilities that take the uuid of their row, because no record refers to them yet: from the present uuid to the new
 * one.
 */
async function listRenamed(
  handle: Handle,
  { asked, matchedOf, used }: Pick<Awaited<ReturnType<typeof matchRegistry>>, "asked" | "matchedOf" | "used">,
): Promise<Map<string, string>> {
  const wanted = asked.flatMap((one) => {
    const { facilityUuid } = one;
    const before = facilityUuid && !used.has(facilityUuid) ? matchedOf(one).before : undefined;
    return before && facilityUuid ? [[before.facilityUuid, facilityUuid] as const] : [];
  });
  const recorded =
    wanted.length > 0
      ? new Set(await lists.listRecordedFacilities(handle, { facilityUuids: wanted.map(([uuid]) => uuid) }))
      : new Set();
  return new Map(wanted.filter(([uuid]) => !recorded.has(uuid)));
}

/** A reviewed row. */
export type ReviewedRow = NewRow & {
  /** the field or the system of identifiers that is doubtful */
  doubtful: string | undefined;
  /** the identifiers of the facility that the row would change or remove */
  replaced: Change[];
};

/** Whether the value of a field identifies the facility. */
const isCode = (field: string): boolean =>
  (facilityFields as Record<string, { isCode?: true }>)[field]?.isCode === true;

/** Whether a row would change anything if it is accepted. */
export const changesSomething = ({
  written,
  identifiers,
  reviewedVersion,
}: Pick<NewRow, "written" | "identifiers" | "reviewedVersion">): boolean =>
  reviewedVersion === null || Object.keys(written).length > 0 || identifiers.length > 0;

/**
 * How many rows are reviewed and stored together. This takes a few milliseconds, and their JSON is small enough not to
 * be a large object of the heap; a long list would fill the heap with those.
 */
const together = 50;

/** The rows in parts of this size. */
export function* inParts<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += together) yield rows.slice(from, from + together);
}

/**
 * Reviews the rows in their order, and changes nothing. The result comes in parts, so that the changes of a long list
 * are never in memory at once.
 */
export async function* reviewInParts(
  handle: Handle,
  rows: Rows<ImportRow>,
  systems: readonly IdentifierSystem[],
  manner: Manner = {},
): AsyncGenerator<ReviewedRow[]> {
  const matching = await matchRegistry(handle, rows, systems, manner);
  const { asked: all, matchedOf, known, versions, used, inUse, isUnique } = matching;
  const renamed = await listRenamed(handle, matching);
  const reviewed = ({ row, asked, place, fault, review, before }: MatchedRow): ReviewedRow => {
    const { wanted, warnings } = readWanted({ row, place }, known);
    if (before && isAbroad(wanted) && before.latitude !== null && !isAbroad(before)) {
      delete wanted["latitude"];
      delete wanted["longitude"];
      warnings.push({ column: "row", message: "the stored position stays: it lies in the country" });
    }
    const written: Record<string, unknown> = {};
    const changes: Change[] = [];
    const replaced: Change[] = [];
    for (const [field, value] of Object.entries(wanted)) {
      const present =
        (before as Record<string, unknown> | undefined)?.[field] ?? (field === "serviceAreaIds" ? [] : null);
      if (isSame(present, value)) continue;
      written[field] = value;
      const [shownPresent, proposed] = [present, value].map((one) => shownOf(field, one, known)) as [
        string | null,
        string | null,
      ];
      const change = { field: shownField[field] ?? field, present: shownPresent, proposed };
      if (isCode(field) && change.present !== null) replaced.push(change);
      else if (field !== "provinceId") changes.push(change);
    }
    const uuid = before && renamed.get(before.facilityUuid);
    if (uuid !== undefined) {
      written["facilityUuid"] = uuid;
      // A uuid that the product made, and that nothing refers to, is no identifier that somebody knows.
      (isOwnUuid(before!.facilityUuid) ? changes : replaced).push({
        field: "uuid",
        present: before!.facilityUuid,
        proposed: uuid,
      });
    }
    if ("districtId" in written && wanted["provinceId"] !== undefined) written["provinceId"] = wanted["provinceId"];
    const own = before ? (inUse.get(before.facilityUuid) ?? []) : [];
    const identifiers = row.identifiers.filter(
      (one) =>
        one.system !== "hmis" &&
        !(one.system === "formerHmis" && one.value === row.cells["oldHmisCode"]) &&
        !review.repeated.some(({ system, value }) => system === one.system && value === one.value) &&
        !own.some(({ system, value }) => system === one.system && value === one.value),
    );
    for (const { system, value } of identifiers) {
      const present =
        own
          .filter((one) => one.system === system)
          .map((one) => one.value)
          .join(", ") || null;
      (isUnique(system) && present !== null ? replaced : changes).push({ field: system, present, proposed: value });
    }
    for (const message of review.notes) warnings.push({ column: "row", message });
    const lacks = before
      ? undefined
      : asked.facilityName === ""
        ? "a new facility needs a name"
        : asked.districtId < 0
          ? "a new facility needs its province and district"
          : undefined;
    const placeFault = fault ?? (review.doubt ? undefined : lacks);
    const acceptable = review.acceptable && placeFault === undefined && lacks === undefined;
    const facilityUuid =
      before?.facilityUuid ??
      (acceptable ? (asked.facilityUuid && !used.has(asked.facilityUuid) ? asked.facilityUuid : newUuid()) : null);
    if (!before && facilityUuid !== null) used.add(facilityUuid);
    const kindOf = (): NewRow["kind"] => {
      if (placeFault !== undefined) return "unknownPlace";
      if (acceptable && replaced.length > 0) return "identifierChange";
      return review.doubt ?? (before ? (changes.length > 0 ? "changed" : "same") : "new");
    };
    return {
      ...{
        line: row.line,
        acceptable,
        facilityUuid,
        score: review.score,
        warnings,
        written: written as NewRow["written"],
      },
      ...{ replaced, changes: [...replaced, ...changes] },
      kind: kindOf(),
      facilityName: asked.facilityName || before?.facilityName || "",
      place:
        known.placeNames.get(asked.districtId >= 0 ? asked.districtId : (before?.districtId ?? -1)) ??
        ([row.cells["district"], row.cells["province"]] as (string | null | undefined)[])
          .filter((one) => one != null)
          .join(", "),
      reason: [placeFault, review.reason].filter((one) => one !== undefined).join("; "),
      identifiers: identifiers.map(({ system, value }) => ({ system, value, isUnique: isUnique(system) })),
      reviewedVersion: before ? (versions.get(before.facilityUuid) ?? null) : null,
      doubtful: placeFault === undefined ? review.system : "district",
    };
  };
  for (const part of inParts(all)) yield part.map((one) => reviewed(matchedOf(one)));
}
