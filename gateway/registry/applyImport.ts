import type { Handle } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import { listTaken, type StoredIdentifier, upsertIdentifiers } from "../../db/facility/facilityIdentifier.ts";
import { byField, fieldNames } from "../../db/facility/facilityFields.rules.ts";
import {
  deleteCodes,
  insertFacilities,
  listRecordedFacilities,
  listTheseForLoad,
  type LoadedFacility,
  updateFacilities,
  updateFacilityUuids,
} from "../../db/facility/load.ts";
import { lockImport } from "../../db/registry/registryImport.ts";
import * as db from "../../db/registry/registryImportApply.ts";
import { deletePieces } from "../../db/registry/registryReading.ts";
import { findToday } from "../../db/system/system.ts";
import { requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { explainTaken } from "../facility/identifier.ts";
import { isUuid } from "../input/page.rules.ts";
import { type InputError, notFound, Problem } from "../problem.ts";
import { groupedBy } from "../reading/groupedBy.rules.ts";
import { type Import, readImportOf } from "./registryImport.ts";

/**
 * Applies the accepted rows of an import, or reverts all of them. Each is one transaction, which locks the facilities
 * of all these rows.
 */

const mostNamed = 100;
const subjectOf = (id: string) => ({ type: "RegistryImport", id });

/** An error for each row in which `fault` finds one, named by its line. */
const errorsOf = (rows: readonly db.AcceptedRow[], fault: (row: db.AcceptedRow) => string | undefined): InputError[] =>
  rows.flatMap((row) => {
    const message = fault(row);
    return message === undefined ? [] : [{ path: `row ${row.line}`, message }];
  });

/** Refuses the whole import if there are such errors, and names the rows. @throws Problem CONFLICT */
function refuseStale(errors: InputError[], words: string): void {
  if (errors.length === 0) return;
  const names = errors
    .slice(0, 10)
    .map(({ path, message }) => `${path}: ${message}`)
    .join("; ");
  throw new Problem("CONFLICT", `${words} ${names}${errors.length > 10 ? `; and ${errors.length - 10} more` : ""}.`, {
    errors: errors.slice(0, mostNamed),
  });
}

type Placed = { districtId?: number | undefined; implementingPartnerId?: number | null | undefined };
const lockPlacesOf = (handle: Handle, placed: readonly Placed[]): Promise<db.PlaceStates> =>
  db.lockPlaces(handle, {
    districtIds: placed.flatMap(({ districtId }) => districtId ?? []),
    partnerIds: placed.flatMap(({ implementingPartnerId }) => implementingPartnerId ?? []),
  });

/** Why a facility cannot be given this district or partner; undefined if it can. */
function placeFault(
  { districts, partners }: db.PlaceStates,
  { districtId, implementingPartnerId }: Placed,
  since: string,
): string | undefined {
  const district = districtId === undefined ? undefined : districts.get(districtId);
  if (districtId !== undefined && !district) return `its district was removed ${since}`;
  if (district && district.closedOn !== null) return `district '${district.name}' was closed ${since}`;
  return implementingPartnerId == null || partners.has(implementingPartnerId)
    ? undefined
    : `its implementing partner was removed ${since}`;
}

/** The values with the province of their district, as it is now. */
const inProvince = <Values extends Placed>(values: Values, { districts }: db.PlaceStates): Values =>
  values.districtId === undefined ? values : { ...values, provinceId: districts.get(values.districtId)!.provinceId };

const noFields = byField(fieldNames, () => null);
/** The former values of a facility that is added: none. */
const nothing = { ...noFields, implementingPartnerId: null, serviceAreaIds: [] } as unknown as LoadedFacility;

/** The uuids that facilities take from their rows. */
const renamedBy = (rows: readonly db.AcceptedRow[]) =>
  rows.flatMap(({ facilityUuid, reviewedVersion, written }) =>
    reviewedVersion !== null && written.facilityUuid !== undefined
      ? [{ from: facilityUuid, to: written.facilityUuid }]
      : [],
  );

type Claimed = { system: string; value: string };
const claimsOf = ({ identifiers, written: { hmisCode } }: db.AcceptedRow): Claimed[] => [
  ...identifiers.filter(({ isUnique }) => isUnique),
  ...(hmisCode ? [{ system: "hmis", value: hmisCode }] : []),
];

/**
 * Finds the rows whose facility or place changed since the review, and locks the places that the rows name. `codes`:
 * the codes that the import gives to stored facilities.
 */
async function staleRows(
  handle: Handle,
  rows: readonly db.AcceptedRow[],
  codes: ReadonlyMap<string, string | null>,
): Promise<InputError[]> {
  const renamed = renamedBy(rows);
  const versions = await db.listVersionsOf(handle, {
    facilityUuids: [...rows.map(({ facilityUuid }) => facilityUuid), ...renamed.map(({ to }) => to)],
  });
  const recorded = new Set(
    renamed.length > 0 ? await listRecordedFacilities(handle, { facilityUuids: renamed.map(({ from }) => from) }) : [],
  );
  const places = await lockPlacesOf(
    handle,
    rows.map(({ written }) => written),
  );
  const taken = new Map(
    (await listTaken(handle, { facilityUuid: null, identifiers: rows.flatMap(claimsOf) })).map((one) => [
      `${one.system} ${one.value}`,
      one,
    ]),
  );
  /** Whether the facility of a code gets another one, or none, by its own row. */
  const isGivenUp = ({ system, value, facilityUuid }: Claimed & { facilityUuid: string }): boolean => {
    const code = system === "hmis" ? codes.get(facilityUuid) : undefined;
    return code !== undefined && code !== value;
  };
  return errorsOf(rows, (row) => {
    const version = versions.get(row.facilityUuid);
    if (row.reviewedVersion === null && version !== undefined) return `there is a facility ${row.facilityUuid} by now`;
    if (row.reviewedVersion !== null && version === undefined) return `'${row.facilityName}' is no longer there`;
    if (row.reviewedVersion !== null && version !== row.reviewedVersion)
      return `'${row.facilityName}' was changed since the review`;
    const uuid = row.reviewedVersion === null ? undefined : row.written.facilityUuid;
    if (uuid !== undefined && versions.has(uuid)) return `there is a facility ${uuid} by now`;
    if (uuid !== undefined && recorded.has(row.facilityUuid))
      return `'${row.facilityName}' has visits, TDBs or other records by now, which know it by its uuid`;
    const misplaced = placeFault(places, row.written, "since the review");
    if (misplaced !== undefined) return misplaced;
    const holder = claimsOf(row)
      .map(({ system, value }) => taken.get(`${system} ${value}`))
      .find((one) => one !== undefined && one.facilityUuid !== row.facilityUuid && !isGivenUp(one));
    return holder && `'${holder.value}' is that of '${holder.facilityName}' (${holder.facilityUuid}) by now`;
  });
}

/** The identifiers that rows add to their facilities. */
const begunBy = (rows: readonly db.AcceptedRow[]): StoredIdentifier[] =>
  rows.flatMap(({ facilityUuid, identifiers, before }) =>
    identifiers.map(({ system, value, isUnique }) => {
      const known = before?.identifiers.find((one) => one.system === system && one.value === value);
      return { facilityUuid, system, value, from: known?.from ?? null, until: null, isUnique };
    }),
  );

/** The identifiers of a facility that go out of use because its row has another one of the same unique system. */
const endedBy = (row: db.AcceptedRow, own: readonly StoredIdentifier[], today: string): StoredIdentifier[] =>
  row.identifiers
    .filter(({ isUnique }) => isUnique)
    .flatMap(({ system, value }) =>
      own
        .filter((one) => one.system === system && one.value !== value && one.until === null)
        .map((one) => ({ ...one, until: today })),
    );

/** Locks an import. @throws Problem NOT_FOUND, CONFLICT */
async function hold(handle: Handle, importUuid: string, isApplied: boolean): Promise<void> {
  const held = isUuid(importUuid) ? await lockImport(handle, { importUuid }) : undefined;
  if (!held) throw notFound("import", "uuid");
  if (held.status === "read")
    throw new Problem("CONFLICT", "This list was read, and not reviewed yet: review it first.");
  if ((held.status === "applied") !== isApplied)
    throw new Problem("CONFLICT", isApplied ? "This import is not applied." : "This import was applied already.");
}

/**
 * Stores the present state of the facilities, and frees the codes and identifiers that their rows replace: another row
 * may give them to its facility.
 */
async function prepareRows(
  transaction: Handle,
  importUuid: string,
  rows: readonly db.AcceptedRow[],
  today: string,
): Promise<void> {
  const present = rows.filter(({ reviewedVersion }) => reviewedVersion !== null);
  if (present.length === 0) return;
  const facilityUuids = present.map(({ facilityUuid }) => facilityUuid);
  const old = new Map((await listTheseForLoad(transaction, { facilityUuids })).map((one) => [one.facilityUuid, one]));
  const identifiers = groupedBy(
    await db.listWholeIdentifiers(transaction, { facilityUuids }),
    ({ facilityUuid }) => facilityUuid,
  );
  const ownOf = ({ facilityUuid }: db.AcceptedRow) => identifiers.get(facilityUuid) ?? [];
  await db.updateBefore(transaction, {
    importUuid,
    rows: present.map((row) => ({
      line: row.line,
      before: { facility: old.get(row.facilityUuid)!, identifiers: ownOf(row) },
    })),
  });
  await deleteCodes(transaction, {
    codes: present.flatMap(({ facilityUuid, written: { hmisCode } }) =>
      hmisCode === undefined ? [] : [{ facilityUuid, hmisCode }],
    ),
  });
  await upsertIdentifiers(transaction, { identifiers: present.flatMap((row) => endedBy(row, ownOf(row), today)) });
}

/** Writes prepared rows. @returns how many facilities were added and changed */
async function writeRows(
  transaction: Handle,
  importUuid: string,
  rows: readonly db.AcceptedRow[],
): Promise<{ added: number; changed: number }> {
  const places = await lockPlacesOf(
    transaction,
    rows.map(({ written }) => written),
  );
  const added = rows.filter(({ before }) => before === null);
  const present = rows.filter(({ before }) => before !== null);
  const isWritten = ({ written }: db.AcceptedRow) => Object.keys(written).length > 0;
  const changed = present.filter(isWritten);
  const only = present.filter((row) => !isWritten(row));
  if (changed.length > 0)
    await updateFacilities(transaction, {
      facilities: changed.map(({ facilityUuid, written, before }) => ({
        ...before!.facility,
        ...inProvince(written, places),
        facilityUuid,
      })),
    });
  if (added.length > 0)
    await insertFacilities(transaction, {
      facilities: added.map(({ facilityUuid, written }) => ({
        ...nothing,
        ...inProvince(written, places),
        facilityUuid,
      })),
    });
  if (only.length > 0)
    await db.updateFacilityVersions(transaction, { facilityUuids: only.map(({ facilityUuid }) => facilityUuid) });
  await upsertIdentifiers(transaction, { identifiers: begunBy(rows) });
  const renamed = new Map(renamedBy(rows).map(({ from, to }) => [from, to]));
  if (renamed.size > 0) await updateFacilityUuids(transaction, { changes: renamedBy(rows) });
  await db.updateApplied(transaction, {
    importUuid,
    rows: rows.map(({ line, facilityUuid }) => ({ line, facilityUuid: renamed.get(facilityUuid) ?? facilityUuid })),
  });
  return { added: added.length, changed: present.length };
}

/**
 * Applies the accepted rows of an import that the caller has locked, within the caller's transaction. All parts are
 * checked, then all are prepared, then all are written: no statement is long, and only one part is in memory. It checks
 * no rights and writes no audit.
 *
 * @returns how many facilities were added and changed
 * @throws Problem CONFLICT
 */
export async function applyAccepted(
  transaction: Handle,
  importUuid: string,
  userUuid: string | null,
): Promise<{ added: number; changed: number }> {
  const parts = () => db.listAcceptedInParts(transaction, { importUuid, isApplied: false });
  await db.lockFacilitiesOf(transaction, { importUuid });
  const codes = await db.listNewCodes(transaction, { importUuid });
  const errors: InputError[] = [];
  const done = { added: 0, changed: 0 };
  let count = 0;
  for await (const rows of parts()) {
    count += rows.length;
    errors.push(...(await staleRows(transaction, rows, codes)));
  }
  if (count === 0) throw new Problem("CONFLICT", "No accepted row would change anything.");
  refuseStale(errors, "Nothing was applied. Import the list again:");
  const today = await findToday(transaction);
  for await (const rows of parts()) await prepareRows(transaction, importUuid, rows, today);
  let noted = 0;
  for await (const rows of parts()) {
    const { added, changed } = await writeRows(transaction, importUuid, rows);
    done.added += added;
    done.changed += changed;
    if (done.added <= 2 * noted) continue;
    await db.updateStatistics(transaction);
    noted = done.added;
  }
  if (done.added > noted) await db.updateStatistics(transaction);
  await db.updateStatus(transaction, { importUuid, status: "applied", userUuid });
  return done;
}

/** Applies the accepted rows. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT */
export function applyRegistryImport(context: Context, importUuid: string): Promise<Import> {
  const { userUuid } = requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    await hold(transaction, importUuid, false);
    const details = await applyAccepted(transaction, importUuid, userUuid);
    await deletePieces(transaction, { importUuid });
    await recordAudit(
      context,
      { action: "registry.import.apply", outcome: "done", subject: subjectOf(importUuid), details },
      transaction,
    );
    return readImportOf(transaction, importUuid);
  }).catch((error: unknown) => {
    throw explainTaken(error);
  });
}

/** The facilities that get their former uuids back. */
const renamedBack = (rows: readonly db.AcceptedRow[]) =>
  rows.flatMap(({ facilityUuid, before }) =>
    before && before.facility.facilityUuid !== facilityUuid
      ? [{ from: facilityUuid, to: before.facility.facilityUuid }]
      : [],
  );

/** Finds the applied rows whose facilities were changed since, and locks the places to which the facilities return. */
async function touchedRows(handle: Handle, rows: readonly db.AcceptedRow[]): Promise<InputError[]> {
  const versions = await db.listVersionsOf(handle, { facilityUuids: rows.map(({ facilityUuid }) => facilityUuid) });
  const leaving = [
    ...rows.filter(({ before }) => before === null).map(({ facilityUuid }) => facilityUuid),
    ...renamedBack(rows).map(({ from }) => from),
  ];
  const used = new Set(await db.listUsedFacilities(handle, { facilityUuids: leaving }));
  const places = await lockPlacesOf(
    handle,
    rows.flatMap(({ before }) => before?.facility ?? []),
  );
  return errorsOf(rows, ({ facilityUuid, facilityName, appliedVersion, before }) => {
    const version = versions.get(facilityUuid);
    if (version === undefined) return `'${facilityName}' is no longer there`;
    if (version !== appliedVersion) return `'${facilityName}' was changed since`;
    if (used.has(facilityUuid)) return `'${facilityName}' has visits, TDBs or other records by now`;
    return before ? placeFault(places, before.facility, "since") : undefined;
  });
}

const identifiersBefore = (rows: readonly db.AcceptedRow[]) => {
  const before = rows.flatMap((row) => row.before ?? []);
  return {
    facilityUuids: before.map(({ facility }) => facility.facilityUuid),
    identifiers: before.flatMap(({ identifiers }) => identifiers),
  };
};

/** Removes the facilities, identifiers and codes that the rows added. @returns how many facilities were removed */
async function removeRows(transaction: Handle, rows: readonly db.AcceptedRow[]): Promise<number> {
  const renamed = renamedBack(rows);
  const added = rows.filter(({ before }) => before === null).map(({ facilityUuid }) => facilityUuid);
  if (renamed.length > 0) await updateFacilityUuids(transaction, { changes: renamed });
  if (added.length > 0) await db.deleteFacilities(transaction, { facilityUuids: added });
  if (added.length === rows.length) return added.length;
  await db.deleteNewIdentifiers(transaction, identifiersBefore(rows));
  await deleteCodes(transaction, { codes: rows.flatMap(({ before }) => before?.facility ?? []) });
  return added.length;
}

/** Restores the former values of changed facilities. @returns how many facilities were restored */
async function restoreRows(transaction: Handle, importUuid: string, rows: readonly db.AcceptedRow[]): Promise<number> {
  const before = rows.flatMap((row) => row.before ?? []);
  if (before.length > 0) {
    const { facilityUuids, identifiers } = identifiersBefore(rows);
    const places = await lockPlacesOf(
      transaction,
      before.map(({ facility }) => facility),
    );
    await updateFacilities(transaction, { facilities: before.map(({ facility }) => inProvince(facility, places)) });
    await db.deleteNewIdentifiers(transaction, { facilityUuids, identifiers });
    await upsertIdentifiers(transaction, { identifiers: identifiers.filter(({ until }) => until !== null) });
    await upsertIdentifiers(transaction, { identifiers: identifiers.filter(({ until }) => until === null) });
  }
  await db.updateReverted(transaction, { importUuid, lines: rows.map(({ line }) => line) });
  return before.length;
}

/**
 * Reverts an applied import, if its facilities were not changed since.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT
 */
export function revertRegistryImport(context: Context, importUuid: string): Promise<Import> {
  const { userUuid } = requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    await hold(transaction, importUuid, true);
    const parts = () => db.listAcceptedInParts(transaction, { importUuid, isApplied: true });
    const details = { removed: 0, restored: 0 };
    await db.lockFacilitiesOf(transaction, { importUuid });
    const errors: InputError[] = [];
    for await (const rows of parts()) errors.push(...(await touchedRows(transaction, rows)));
    refuseStale(errors, "Nothing was reverted. Something newer touched rows of this import:");
    for await (const rows of parts()) details.removed += await removeRows(transaction, rows);
    for await (const rows of parts()) details.restored += await restoreRows(transaction, importUuid, rows);
    await db.updateStatus(transaction, { importUuid, status: "reverted", userUuid });
    await recordAudit(
      context,
      { action: "registry.import.revert", outcome: "done", subject: subjectOf(importUuid), details },
      transaction,
    );
    return readImportOf(transaction, importUuid);
  }).catch((error: unknown) => {
    throw explainTaken(error);
  });
}
