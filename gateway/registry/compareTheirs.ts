import type { Handle } from "../../db/engine/connect.ts";
import { fieldNames } from "../../db/facility/facilityFields.rules.ts";
import type { IdentifierSystem } from "../../db/facility/identifierSystems.rules.ts";
import {
  type Difference,
  type FormerFinding,
  type Found,
  listClosedFacilities,
  type NewFinding,
} from "../../db/registry/reconciliation.ts";
import { nameKey } from "../input/identity.rules.ts";
import { isSame } from "../reference/load/match.rules.ts";
import { kilometres } from "./importMatch.rules.ts";
import { mapInSlices } from "./inSlices.ts";
import type { TheirRow, Theirs } from "./readTheirs.ts";
import { type MatchedRow, matchRegistry, readWanted } from "./reviewImport.ts";

/** Compares the registry with another list: what only one of them has, and what differs. */

type Matching = Awaited<ReturnType<typeof matchRegistry>>;

/** Positions nearer to each other than this count as equal: two GPS receivers at one site may differ by as much. */
const leastKilometres = 0.1;
const plainFields = fieldNames.filter((name) => name !== "latitude" && name !== "longitude");

type Position = { latitude?: number | null; longitude?: number | null };
const isPlaced = (one: Position): one is { latitude: number; longitude: number } =>
  one.latitude != null && one.longitude != null;
const shownPosition = (one: Position): string | null =>
  isPlaced(one) ? `${one.latitude.toFixed(5)}, ${one.longitude.toFixed(5)}` : null;
const shown = (value: unknown): string | null =>
  value == null || value === "" ? null : String(value as string | number);
const listed = (names: readonly string[]): string | null => names.join("; ") || null;
const sameNames = (one: readonly string[], other: readonly string[]): boolean =>
  isSame(one.map(nameKey), other.map(nameKey));

/** What every row is compared with: the columns of the list, and the contents of the registry. */
type Ground = {
  columns: ReadonlySet<string>;
  systems: readonly IdentifierSystem[];
  matching: Matching;
  closed: ReadonlyMap<string, string>;
  today: string;
};

const isClosedThere = ({ closed }: TheirRow, today: string): boolean =>
  closed !== undefined && closed !== "" && closed <= today;

/** The differences between a row and its facility. Fields for which the list has no column are not compared. */
function differencesOf(
  { row, before, place, fault }: MatchedRow,
  { columns, systems, matching: { known, inUse }, closed, today }: Ground,
): Difference[] {
  if (!before) return [];
  const found: Difference[] = [];
  const note = (field: string, ours: string | null, theirs: string | null) => void found.push({ field, ours, theirs });
  const { cells } = row;
  if (columns.has("facilityName") && cells["facilityName"] != null && before.facilityName !== cells["facilityName"])
    note("facilityName", before.facilityName, shown(cells["facilityName"]));
  if (cells["district"] != null && (fault !== undefined || place?.districtId !== before.districtId))
    note(
      "district",
      known.placeNames.get(before.districtId) ?? null,
      [shown(cells["district"]), shown(cells["province"])].filter((part) => part !== null).join(", "),
    );
  for (const field of plainFields)
    if (columns.has(field) && !isSame(before[field] ?? null, cells[field] ?? null))
      note(field, shown(before[field]), shown(cells[field]));
  if (columns.has("latitude")) {
    const theirs = cells as Position;
    const isNear = isPlaced(before) && isPlaced(theirs) && kilometres(before, theirs) < leastKilometres;
    if (!isNear && (isPlaced(before) || isPlaced(theirs)))
      note("position", shownPosition(before), shownPosition(theirs));
  }
  if (columns.has("implementingPartner")) {
    const ours = known.partnerNames.get(before.implementingPartnerId ?? -1) ?? null;
    const theirs = shown(cells["implementingPartner"]);
    if (nameKey(ours ?? "") !== nameKey(theirs ?? "")) note("implementingPartner", ours, theirs);
  }
  if (columns.has("serviceAreas")) {
    const ours = before.serviceAreaIds.map((id) => known.areaNames.get(id) ?? String(id));
    const theirs = (cells["serviceAreas"] as string[] | null | undefined) ?? [];
    if (!sameNames(ours, theirs)) note("serviceAreas", listed(ours), listed(theirs));
  }
  const own = inUse.get(before.facilityUuid) ?? [];
  for (const { system } of systems) {
    // A facility's own codes are fields.
    if (system === "hmis" || !columns.has(system) || (system === "formerHmis" && columns.has("oldHmisCode"))) continue;
    const ours = own.filter((one) => one.system === system).map(({ value }) => value);
    const theirs = row.identifiers.find((one) => one.system === system)?.value ?? shown(cells[system]);
    if (theirs === null ? ours.length > 0 : !ours.includes(theirs)) note(system, ours.join(", ") || null, theirs);
  }
  const closedOn = closed.get(before.facilityUuid) ?? null;
  const isGone = isClosedThere(row, today);
  if ((closedOn !== null) !== isGone) note("closed", closedOn, isGone ? (row as TheirRow).closed! : null);
  return found;
}

/** A row as an import would read it: with the names that its places have in the registry. */
function importable({ row, place }: MatchedRow, { known }: Matching): TheirRow {
  const district = [...known.districts.values()].find(({ districtId }) => districtId === place?.districtId);
  return district
    ? {
        ...row,
        cells: { ...row.cells, district: district.name, province: known.provinceNames.get(district.provinceId) },
      }
    : row;
}

type Compared = { found: Found[]; equal: number; here: number; columns: string[]; notes: string[] };

/** Compares a list with the registry, and changes nothing. */
export async function compareTheirs(
  handle: Handle,
  theirs: Theirs,
  systems: readonly IdentifierSystem[],
  today: string,
): Promise<Compared> {
  const matching = await matchRegistry(handle, theirs.rows, systems, { isLoose: true });
  const closed = await listClosedFacilities(handle);
  const columns = new Set(theirs.columns);
  for (const { identifiers } of theirs.rows) for (const { system } of identifiers) columns.add(system);
  const ground: Ground = { columns, systems, matching, closed, today };
  const placeOf = (districtId: number | undefined) => matching.known.placeNames.get(districtId ?? -1) ?? "";
  const keys = new Map<string, number>();
  const once = (key: string): string => {
    const count = (keys.get(key) ?? 0) + 1;
    keys.set(key, count);
    return count === 1 ? key : `${key} #${count}`;
  };
  const found: Found[] = [];
  const met = new Set<string>();
  let [equal, closedThere] = [0, 0];
  await mapInSlices(matching.asked, (each) => {
    const one = matching.matchedOf(each);
    const { row, asked, before, review, fault } = one;
    if (before) met.add(before.facilityUuid);
    const differences = differencesOf(one, ground);
    if (!before && !review.doubt && isClosedThere(row, today)) {
      closedThere += 1;
      return;
    }
    if (before && !review.doubt && differences.length === 0) {
      equal += 1;
      return;
    }
    const theirId =
      ["dhis2", "hmis", "smartcare"]
        .flatMap((system) => row.identifiers.find((each) => each.system === system)?.value ?? [])
        .at(0) ??
      asked.facilityUuid ??
      null;
    const theirPlace = ([row.cells["district"], row.cells["province"]] as (string | null | undefined)[])
      .filter((part) => part != null)
      .join(", ");
    found.push({
      kind: review.doubt ? "unclear" : before ? "differs" : "onlyThere",
      key: once(
        before
          ? `both ${before.facilityUuid}`
          : `there ${theirId ?? `${nameKey(asked.facilityName)}, ${nameKey(theirPlace)}`}`,
      ),
      ...{ facilityUuid: before?.facilityUuid ?? null, theirId, score: review.score, differences },
      facilityName: before?.facilityName ?? asked.facilityName,
      place: before ? placeOf(before.districtId) : theirPlace,
      reason: [before ? undefined : fault, review.reason].filter((words) => words !== undefined).join("; "),
      warnings: [
        ...readWanted(one, matching.known).warnings,
        ...review.notes.map((message) => ({ column: "row", message })),
      ],
      theirRow: importable(one, matching),
    });
  });
  const open = matching.stored.filter(({ facilityUuid }) => !closed.has(facilityUuid));
  for (const { facilityUuid, facilityName, districtId, hmisCode } of open)
    if (!met.has(facilityUuid))
      found.push({
        ...{
          kind: "onlyHere",
          key: once(`here ${facilityUuid}`),
          facilityUuid,
          theirId: null,
          facilityName,
          place: placeOf(districtId),
          score: null,
          warnings: [],
          differences: [],
          theirRow: null,
        },
        reason: hmisCode ? `HMIS code ${hmisCode}` : "without an HMIS code",
      });
  const notes = closedThere > 0 ? [`${closedThere} that are closed there and not in the registry are left out.`] : [];
  return {
    found,
    equal,
    here: open.length,
    columns: [...columns].filter(
      (name) =>
        name !== "province" &&
        name !== "longitude" &&
        name !== "facilityUuid" &&
        name !== "hmis" &&
        !(name === "formerHmis" && columns.has("oldHmisCode")),
    ),
    notes: [...theirs.notes, ...notes],
  };
}

/**
 * The content of a finding as a text, to see whether it changed. The number of its row in the list is not part of it.
 */
const contentOf = ({ kind, differences, reason }: Found): string =>
  JSON.stringify([
    kind,
    kind === "unclear" ? reason.replaceAll(/row \d+/g, "row") : "",
    differences.map(({ field, ours, theirs }) => [field, ours, theirs]),
  ]);

/**
 * Compares findings with those of the previous comparison with the same source. An ignored finding stays ignored as
 * long as it does not change. One that was done but is found again is open again, with its note. One that is no longer
 * found is gone.
 */
export function followFindings(found: readonly Found[], former: readonly FormerFinding[]): NewFinding[] {
  const before = new Map(former.map((one) => [one.key, one]));
  const now = found.map((one): NewFinding => {
    const last = before.get(one.key);
    before.delete(one.key);
    if (!last) return { ...one, trend: "new", state: "open", note: null, decidedAt: null, decidedBy: null };
    const isSameStill = contentOf(one) === contentOf(last);
    const isIgnored = isSameStill && last.state === "ignored";
    return {
      ...one,
      trend: isSameStill ? "still" : "changed",
      state: isIgnored ? "ignored" : "open",
      note: last.note,
      decidedAt: last.decidedAt,
      decidedBy: last.decidedBy,
    };
  });
  return [
    ...now,
    ...[...before.values()].map(({ number: _number, ...one }): NewFinding => ({
      ...one,
      theirRow: null,
      trend: "gone",
    })),
  ];
}
