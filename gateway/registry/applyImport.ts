import type { Handle } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import { listTaken, type StoredIdentifier, upsertIdentifiers } from "../../db/facilityIdentifier.ts";
import { byField, fieldNames } from "../../db/facilityFields.rules.ts";
import { insertFacilities, listFacilitiesForLoad, listRecordedFacilities, type LoadedFacility, updateFacilities, updateFacilityUuids } from "../../db/load.ts";
import { lockImport } from "../../db/registryImport.ts";
import * as db from "../../db/registryImportApply.ts";
import { findToday } from "../../db/system.ts";
import { requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { explainTaken } from "../facility/identifier.ts";
import { isUuid } from "../input/page.rules.ts";
import { type InputError, notFound, Problem } from "../problem.ts";
import { type Import, readImportOf } from "./registryImport.ts";
import { changesSomething } from "./reviewImport.ts";

/** Applies what was accepted of an import, and reverts it as a whole. Both are one transaction that holds the facilities of all its rows. */

const mostNamed = 100;
const subjectOf = (id: string) => ({ type: "RegistryImport", id });

/** What is wrong with rows, by their line. */
const errorsOf = (rows: readonly db.AcceptedRow[], fault: (row: db.AcceptedRow) => string | undefined): InputError[] =>
  rows.flatMap((row) => {
    const message = fault(row);
    return message === undefined ? [] : [{ path: `row ${row.line}`, message }];
  });

/** Refuses the whole where rows cannot be done any more, and names them. @throws Problem CONFLICT */
function refuseStale(errors: InputError[], words: string): void {
  if (errors.length === 0) return;
  const names = errors.slice(0, 10).map(({ path, message }) => `${path}: ${message}`).join("; ");
  throw new Problem("CONFLICT", `${words} ${names}${errors.length > 10 ? `; and ${errors.length - 10} more` : ""}.`, { errors: errors.slice(0, mostNamed) });
}

type Placed = { districtId?: number | undefined; implementingPartnerId?: number | null | undefined };
const lockPlacesOf = (handle: Handle, placed: readonly Placed[]): Promise<db.PlaceStates> =>
  db.lockPlaces(handle, { districtIds: placed.flatMap(({ districtId }) => districtId ?? []), partnerIds: placed.flatMap(({ implementingPartnerId }) => implementingPartnerId ?? []) });

/** Why a facility cannot be put where it is to be, if so. */
function placeFault({ districts, partners }: db.PlaceStates, { districtId, implementingPartnerId }: Placed, since: string): string | undefined {
  const district = districtId === undefined ? undefined : districts.get(districtId);
  if (districtId !== undefined && !district) return `its district was removed ${since}`;
  if (district && district.closedOn !== null) return `district '${district.name}' was closed ${since}`;
  return implementingPartnerId == null || partners.has(implementingPartnerId) ? undefined : `its implementing partner was removed ${since}`;
}

/** Values with the province in which their district lies now. */
const inProvince = <Values extends Placed>(values: Values, { districts }: db.PlaceStates): Values =>
  values.districtId === undefined ? values : { ...values, provinceId: districts.get(values.districtId)!.provinceId };

const nothing = { ...byField(fieldNames, () => null), implementingPartnerId: null, serviceAreaIds: [] } as unknown as LoadedFacility;

/** The uuids that facilities take from their rows. */
const renamedBy = (rows: readonly db.AcceptedRow[]) =>
  rows.flatMap(({ facilityUuid, reviewedVersion, written }) => (reviewedVersion !== null && written.facilityUuid !== undefined ? [{ from: facilityUuid, to: written.facilityUuid }] : []));

/** What became of the rows since the review, with the places that they name held. */
async function staleRows(handle: Handle, rows: readonly db.AcceptedRow[]): Promise<{ errors: InputError[]; places: db.PlaceStates }> {
  const renamed = renamedBy(rows);
  const versions = await db.lockFacilities(handle, { facilityUuids: [...rows.map(({ facilityUuid }) => facilityUuid), ...renamed.map(({ to }) => to)] });
  const recorded = new Set(renamed.length > 0 ? await listRecordedFacilities(handle, { facilityUuids: renamed.map(({ from }) => from) }) : []);
  const places = await lockPlacesOf(handle, rows.map(({ written }) => written));
  const claimsOf = ({ identifiers, written: { hmisCode } }: db.AcceptedRow) => [...identifiers.filter(({ isUnique }) => isUnique), ...(hmisCode ? [{ system: "hmis", value: hmisCode }] : [])];
  const taken = new Map((await listTaken(handle, { facilityUuid: null, identifiers: rows.flatMap(claimsOf) })).map((one) => [`${one.system} ${one.value}`, one]));
  const rowOf = new Map(rows.map((row) => [row.facilityUuid, row]));
  /** Whether the facility of a code gets another one, or none, by its own row. */
  const isGivenUp = ({ system, value, facilityUuid }: { system: string; value: string; facilityUuid: string }): boolean => {
    const code = system === "hmis" ? rowOf.get(facilityUuid)?.written.hmisCode : undefined;
    return code !== undefined && code !== value;
  };
  const fault = (row: db.AcceptedRow): string | undefined => {
    const version = versions.get(row.facilityUuid);
    if (row.reviewedVersion === null && version !== undefined) return `there is a facility ${row.facilityUuid} by now`;
    if (row.reviewedVersion !== null && version === undefined) return `'${row.facilityName}' is no longer there`;
    if (row.reviewedVersion !== null && version !== row.reviewedVersion) return `'${row.facilityName}' was changed since the review`;
    const uuid = row.reviewedVersion === null ? undefined : row.written.facilityUuid;
    if (uuid !== undefined && versions.has(uuid)) return `there is a facility ${uuid} by now`;
    if (uuid !== undefined && recorded.has(row.facilityUuid)) return `'${row.facilityName}' has visits, TDBs or other records by now, which know it by its uuid`;
    const misplaced = placeFault(places, row.written, "since the review");
    if (misplaced !== undefined) return misplaced;
    const holder = claimsOf(row).map(({ system, value }) => taken.get(`${system} ${value}`)).find((one) => one !== undefined && one.facilityUuid !== row.facilityUuid && !isGivenUp(one));
    return holder && `'${holder.value}' is that of '${holder.facilityName}' (${holder.facilityUuid}) by now`;
  };
  return { errors: errorsOf(rows, fault), places };
}

/** The identifiers that rows bring; what a facility had of a unique system gets its last day. */
function identifierChanges(rows: readonly db.AcceptedRow[], present: ReadonlyMap<string, StoredIdentifier[]>, today: string): { ended: StoredIdentifier[]; begun: StoredIdentifier[] } {
  const ended: StoredIdentifier[] = [];
  const begun: StoredIdentifier[] = [];
  for (const { facilityUuid, identifiers } of rows)
    for (const { system, value, isUnique } of identifiers) {
      const own = present.get(facilityUuid) ?? [];
      const known = own.find((one) => one.system === system && one.value === value);
      begun.push({ facilityUuid, system, value, from: known?.from ?? null, until: null, isUnique });
      if (isUnique) ended.push(...own.filter((one) => one.system === system && one.value !== value && one.until === null).map((one) => ({ ...one, until: today })));
    }
  return { ended, begun };
}

function byFacility(identifiers: readonly StoredIdentifier[]): Map<string, StoredIdentifier[]> {
  const found = new Map<string, StoredIdentifier[]>();
  for (const one of identifiers) found.set(one.facilityUuid, [...(found.get(one.facilityUuid) ?? []), one]);
  return found;
}

/** Holds an import. @throws Problem NOT_FOUND, CONFLICT */
async function hold(handle: Handle, importUuid: string, isApplied: boolean): Promise<void> {
  const held = isUuid(importUuid) ? await lockImport(handle, { importUuid }) : undefined;
  if (!held) throw notFound("import");
  if ((held.status === "applied") !== isApplied) throw new Problem("CONFLICT", isApplied ? "This import is not applied." : "This import was applied already.");
}

/**
 * Applies the accepted rows of an import that the caller holds, within the caller's transaction. It asks nobody's rights and writes no audit.
 *
 * @returns how many facilities were added and changed
 * @throws Problem CONFLICT
 */
export async function applyAccepted(transaction: Handle, importUuid: string, userUuid: string | null): Promise<{ added: number; changed: number }> {
  const rows = (await db.listAccepted(transaction, { importUuid })).filter(changesSomething);
  if (rows.length === 0) throw new Problem("CONFLICT", "No row that changes something is accepted.");
  const { errors, places } = await staleRows(transaction, rows);
  refuseStale(errors, "Nothing was applied. Import the list again:");
  const uuids = new Set(rows.map(({ facilityUuid }) => facilityUuid));
  const old = new Map((await listFacilitiesForLoad(transaction)).filter(({ facilityUuid }) => uuids.has(facilityUuid)).map((one) => [one.facilityUuid, one]));
  const identifiers = byFacility(await db.listWholeIdentifiers(transaction, { facilityUuids: [...uuids] }));
  const added = rows.filter(({ reviewedVersion }) => reviewedVersion === null);
  const present = rows.filter(({ reviewedVersion }) => reviewedVersion !== null);
  const changed = present.filter(({ written }) => Object.keys(written).length > 0);
  const only = present.filter(({ written }) => Object.keys(written).length === 0);
  if (changed.length > 0) await updateFacilities(transaction, { facilities: changed.map(({ facilityUuid, written }) => ({ ...old.get(facilityUuid)!, ...inProvince(written, places), facilityUuid })) });
  if (added.length > 0) await insertFacilities(transaction, { facilities: added.map(({ facilityUuid, written }) => ({ ...nothing, ...inProvince(written, places), facilityUuid })) });
  if (only.length > 0) await db.updateFacilityVersions(transaction, { facilityUuids: only.map(({ facilityUuid }) => facilityUuid) });
  const { ended, begun } = identifierChanges(rows, identifiers, await findToday(transaction));
  await upsertIdentifiers(transaction, { identifiers: ended });
  await upsertIdentifiers(transaction, { identifiers: begun });
  const renamed = new Map(renamedBy(rows).map(({ from, to }) => [from, to]));
  if (renamed.size > 0) await updateFacilityUuids(transaction, { changes: renamedBy(rows) });
  await db.updateApplied(transaction, {
    importUuid,
    rows: rows.map(({ line, facilityUuid, reviewedVersion }) => ({
      line,
      facilityUuid: renamed.get(facilityUuid) ?? facilityUuid,
      before: reviewedVersion === null ? null : { facility: old.get(facilityUuid)!, identifiers: identifiers.get(facilityUuid) ?? [] },
    })),
  });
  await db.updateStatus(transaction, { importUuid, status: "applied", userUuid });
  return { added: added.length, changed: present.length };
}

/** Applies the accepted rows. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT */
export function applyRegistryImport(context: Context, importUuid: string): Promise<Import> {
  const { userUuid } = requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    await hold(transaction, importUuid, false);
    const details = await applyAccepted(transaction, importUuid, userUuid);
    await recordAudit(context, { action: "registry.import.apply", outcome: "done", subject: subjectOf(importUuid), details }, transaction);
    return readImportOf(transaction, importUuid);
  }).catch((error: unknown) => {
    throw explainTaken(error);
  });
}

/** Takes an applied import back, while nothing newer touched its rows. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT */
export function revertRegistryImport(context: Context, importUuid: string): Promise<Import> {
  const { userUuid } = requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    await hold(transaction, importUuid, true);
    const rows = (await db.listAccepted(transaction, { importUuid })).filter(({ appliedVersion }) => appliedVersion !== null);
    const versions = await db.lockFacilities(transaction, { facilityUuids: rows.map(({ facilityUuid }) => facilityUuid) });
    const added = rows.filter(({ before }) => before === null);
    const renamed = rows.flatMap(({ facilityUuid, before }) => (before && before.facility.facilityUuid !== facilityUuid ? [{ from: facilityUuid, to: before.facility.facilityUuid }] : []));
    const used = new Set(await db.listUsedFacilities(transaction, { facilityUuids: [...added.map(({ facilityUuid }) => facilityUuid), ...renamed.map(({ from }) => from)] }));
    const before = rows.flatMap((row) => row.before ?? []);
    const places = await lockPlacesOf(transaction, before.map(({ facility }) => facility));
    const fault = ({ facilityUuid, facilityName, appliedVersion, before: old }: db.AcceptedRow): string | undefined => {
      const version = versions.get(facilityUuid);
      if (version === undefined) return `'${facilityName}' is no longer there`;
      if (version !== appliedVersion) return `'${facilityName}' was changed since`;
      if (used.has(facilityUuid)) return `'${facilityName}' has visits, TDBs or other records by now`;
      return old ? placeFault(places, old.facility, "since") : undefined;
    };
    refuseStale(errorsOf(rows, fault), "Nothing was reverted. Something newer touched rows of this import:");
    const facilityUuids = before.map(({ facility }) => facility.facilityUuid);
    const identifiers = before.flatMap((one) => one.identifiers);
    if (renamed.length > 0) await updateFacilityUuids(transaction, { changes: renamed });
    await db.deleteFacilities(transaction, { facilityUuids: added.map(({ facilityUuid }) => facilityUuid) });
    if (before.length > 0) {
      await db.deleteNewIdentifiers(transaction, { facilityUuids, identifiers });
      await updateFacilities(transaction, { facilities: before.map(({ facility }) => inProvince(facility, places)) });
      await db.deleteNewIdentifiers(transaction, { facilityUuids, identifiers });
      await upsertIdentifiers(transaction, { identifiers: identifiers.filter(({ until }) => until !== null) });
      await upsertIdentifiers(transaction, { identifiers: identifiers.filter(({ until }) => until === null) });
    }
    await db.updateReverted(transaction, { importUuid });
    await db.updateStatus(transaction, { importUuid, status: "reverted", userUuid });
    const details = { removed: added.length, restored: before.length };
    await recordAudit(context, { action: "registry.import.revert", outcome: "done", subject: subjectOf(importUuid), details }, transaction);
    return readImportOf(transaction, importUuid);
  }).catch((error: unknown) => {
    throw explainTaken(error);
  });
}
