import type { Handle } from "../../db/engine/connect.ts";
import { fieldNames } from "../../db/facilityFields.rules.ts";
import type { IdentifierSystem } from "../../db/identifierSystems.rules.ts";
import { type Difference, type FormerFinding, type Found, listClosedFacilities, type NewFinding } from "../../db/reconciliation.ts";
import { nameKey } from "../reference/load/load.rules.ts";
import { isSame } from "../reference/load/match.rules.ts";
import { kilometres } from "./importMatch.rules.ts";
import type { TheirRow, Theirs } from "./readTheirs.ts";
import { type MatchedRow, matchRegistry } from "./reviewImport.ts";

/** Compares the registry with another list: what only one of them has, and what differs. */

type Matching = Awaited<ReturnType<typeof matchRegistry>>;

/** Positions that are nearer than this are the same: two receivers at one site differ so much. */
const leastKilometres = 0.1;
const plainFields = fieldNames.filter((name) => name !== "latitude" && name !== "longitude");

type Position = { latitude?: number | null; longitude?: number | null };
const isPlaced = (one: Position): one is { latitude: number; longitude: number } => one.latitude != null && one.longitude != null;
const shownPosition = (one: Position): string | null => (isPlaced(one) ? `${one.latitude.toFixed(5)}, ${one.longitude.toFixed(5)}` : null);
const shown = (value: unknown): string | null => (value == null || value === "" ? null : String(value as string | number));
const listed = (names: readonly string[]): string | null => names.join("; ") || null;
const sameNames = (one: readonly string[], other: readonly string[]): boolean => isSame(one.map(nameKey), other.map(nameKey));

/** What makes the comparison of a row with its facility: the columns of the list, and what is known of the registry. */
type Ground = { columns: ReadonlySet<string>; systems: readonly IdentifierSystem[]; matching: Matching; closed: ReadonlyMap<string, string>; today: string };

const isClosedThere = ({ closed }: TheirRow, today: string): boolean => closed !== undefined && closed !== "" && closed <= today;

/** In what a row differs from the facility that it was found to be. What the list has no column for is not compared. */
function differencesOf({ row, before, wanted, fault }: MatchedRow, { columns, systems, matching: { known, inUse }, closed, today }: Ground): Difference[] {
  if (!before) return [];
  const found: Difference[] = [];
  const note = (field: string, ours: string | null, theirs: string | null) => void found.push({ field, ours, theirs });
  const { cells } = row;
  if (columns.has("facilityName") && cells["facilityName"] != null && before.facilityName !== cells["facilityName"]) note("facilityName", before.facilityName, shown(cells["facilityName"]));
  if (cells["district"] != null && (fault !== undefined || wanted["districtId"] !== before.districtId))
    note("district", known.placeNames.get(before.districtId) ?? null, `${shown(cells["district"])}, ${shown(cells["province"])}`);
  for (const field of plainFields)
    if (columns.has(field) && !isSame(before[field] ?? null, cells[field] ?? null)) note(field, shown(before[field]), shown(cells[field]));
  if (columns.has("latitude")) {
    const theirs = cells as Position;
    const isNear = isPlaced(before) && isPlaced(theirs) && kilometres(before, theirs) < leastKilometres;
    if (!isNear && (isPlaced(before) || isPlaced(theirs))) note("position", shownPosition(before), shownPosition(theirs));
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

/** What an import would read of a row: with the names under which its place is known here. */
function importable({ row, wanted }: MatchedRow, { known }: Matching): TheirRow {
  const district = [...known.districts.values()].find(({ districtId }) => districtId === wanted["districtId"]);
  return district ? { ...row, cells: { ...row.cells, district: district.name, province: known.provinceNames.get(district.provinceId) } } : row;
}

export type Compared = { found: Found[]; equal: number; here: number; columns: string[]; notes: string[] };

/** Compares. Nothing is changed. */
export async function compareTheirs(handle: Handle, theirs: Theirs, systems: readonly IdentifierSystem[], today: string): Promise<Compared> {
  const matching = await matchRegistry(handle, theirs.rows, systems, { isLoose: true });
  const closed = await listClosedFacilities(handle);
  const given = new Set(theirs.rows.flatMap(({ identifiers }) => identifiers.map(({ system }) => system)));
  const columns = new Set([...theirs.columns, ...given]);
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
  for (const one of matching.matched) {
    const { row, asked, before, review, fault, warnings } = one;
    if (before) met.add(before.facilityUuid);
    const differences = differencesOf(one, ground);
    if (!before && !review.doubt && isClosedThere(row, today)) {
      closedThere += 1;
      continue;
    }
    if (before && !review.doubt && differences.length === 0) {
      equal += 1;
      continue;
    }
    const theirId = ["dhis2", "hmis", "smartcare"].flatMap((system) => row.identifiers.find((each) => each.system === system)?.value ?? []).at(0) ?? asked.facilityUuid ?? null;
    const theirPlace = ([row.cells["district"], row.cells["province"]] as (string | null | undefined)[]).filter((part) => part != null).join(", ");
    found.push({
      kind: review.doubt ? "unclear" : before ? "differs" : "onlyThere",
      key: once(before ? `both ${before.facilityUuid}` : `there ${theirId ?? `${nameKey(asked.facilityName)}, ${nameKey(theirPlace)}`}`),
      ...{ facilityUuid: before?.facilityUuid ?? null, theirId, score: review.score, differences },
      facilityName: before?.facilityName ?? asked.facilityName,
      place: before ? placeOf(before.districtId) : theirPlace,
      reason: [before ? undefined : fault, review.reason].filter((words) => words !== undefined).join("; "),
      warnings: [...warnings, ...review.notes.map((message) => ({ column: "row", message }))],
      theirRow: importable(one, matching),
    });
  }
  const open = matching.stored.filter(({ facilityUuid }) => !closed.has(facilityUuid));
  for (const { facilityUuid, facilityName, districtId, hmisCode } of open)
    if (!met.has(facilityUuid))
      found.push({
        ...{ kind: "onlyHere", key: once(`here ${facilityUuid}`), facilityUuid, theirId: null, facilityName, place: placeOf(districtId), score: null, warnings: [], differences: [], theirRow: null },
        reason: hmisCode ? `HMIS code ${hmisCode}` : "without an HMIS code",
      });
  const notes = closedThere > 0 ? [`${closedThere} that are closed there and not in the registry are left out.`] : [];
  return { found, equal, here: open.length, columns: [...columns].filter((name) => name !== "province" && name !== "longitude" && name !== "facilityUuid" && name !== "hmis" && !(name === "formerHmis" && columns.has("oldHmisCode"))), notes: [...theirs.notes, ...notes] };
}

/** What a finding says: the same text where nothing of it changed. In which row of the list it stood does not matter. */
const contentOf = ({ kind, differences, reason }: Found): string =>
  JSON.stringify([kind, kind === "unclear" ? reason.replaceAll(/row \d+/g, "row") : "", differences.map(({ field, ours, theirs }) => [field, ours, theirs])]);

/**
 * Holds findings against those of the previous comparison with the same source. What was ignored stays so while it is the same; what was
 * done and differs still is open again, with its note. What is no longer found is gone.
 */
export function followFindings(found: readonly Found[], former: readonly FormerFinding[]): NewFinding[] {
  const before = new Map(former.map((one) => [one.key, one]));
  const now = found.map((one): NewFinding => {
    const last = before.get(one.key);
    before.delete(one.key);
    if (!last) return { ...one, trend: "new", state: "open", note: null, decidedAt: null, decidedBy: null };
    const isSameStill = contentOf(one) === contentOf(last);
    const isIgnored = isSameStill && last.state === "ignored";
    return { ...one, trend: isSameStill ? "still" : "changed", state: isIgnored ? "ignored" : "open", note: last.note, decidedAt: last.decidedAt, decidedBy: last.decidedBy };
  });
  return [...now, ...[...before.values()].map(({ number: _number, ...one }): NewFinding => ({ ...one, theirRow: null, trend: "gone" }))];
}
