import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import type { StoredIdentifier } from "../facility/facilityIdentifier.ts";
import type { LoadedFacility } from "../facility/load.ts";
import type { ImportStatus } from "./registryImport.rules.ts";
import type { NewRow } from "./registryImport.ts";

/** Queries for applying an import of facilities and for reverting it. */

/** A facility as it was before an import. */
type Before = { facility: LoadedFacility; identifiers: StoredIdentifier[] };
export type AcceptedRow = Pick<NewRow, "line" | "facilityName" | "written" | "identifiers"> & {
  facilityUuid: string;
  reviewedVersion: number | null;
  before: Before | null;
  appliedVersion: number | null;
};

/** How many rows are read, compared and written at a time, so that each statement takes a few milliseconds. */
const together = 500;

/**
 * The accepted rows of an import, in parts: those that would change something, or (`isApplied`) those that were
 * applied.
 */
export async function* listAcceptedInParts(
  handle: Handle,
  { importUuid, isApplied }: { importUuid: string; isApplied: boolean },
): AsyncGenerator<AcceptedRow[]> {
  const those = isApplied
    ? sql`applied_version is not null`
    : sql`(reviewed_version is null or written <> '{}' or identifiers <> '[]')`;
  for (let after = 0; ;) {
    const { rows } = await sql<AcceptedRow>`
      select line, facility_name, written, identifiers, facility_uuid, reviewed_version, before, applied_version
      from registry_import_row where import_uuid = ${importUuid} and line > ${after} and decision = 'accepted' and ${those} order by line limit ${sql.lit(together)}`.execute(
      handle,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < together) return;
    after = rows.at(-1)!.line;
  }
}

/**
 * Locks all facilities of the accepted rows of an import until the transaction ends. All transactions lock in the same
 * order, so that they cannot deadlock.
 */
export async function lockFacilitiesOf(handle: Handle, { importUuid }: { importUuid: string }): Promise<void> {
  await sql`
    select count(*) from (
      select from facility where facility_uuid in (
        select facility_uuid from registry_import_row where import_uuid = ${importUuid} and decision = 'accepted'
        union all select written ->> 'facilityUuid' from registry_import_row where import_uuid = ${importUuid} and decision = 'accepted')
      order by facility_uuid for update) as held`.execute(handle);
}

/**
 * Updates PostgreSQL's statistics of the registry's tables and of imports (ANALYZE). With statistics from when the
 * tables were empty, PostgreSQL would read a whole index, or the whole feed of changes, for each facility, until
 * autovacuum runs. If the gateway's role may not do it (`deploy/roles.sql`, before PostgreSQL 17), or another import is
 * doing it, nothing happens.
 */
export async function updateStatistics(handle: Handle): Promise<void> {
  await sql`analyze (skip_locked) facility (facility_uuid), facility_identifier (facility_uuid), tdb_silence (facility_uuid), change (kind, key), registry_import_row (import_uuid, line)`.execute(
    handle,
  );
}

/** The versions of these facilities, by uuid. */
export async function listVersionsOf(
  handle: Handle,
  { facilityUuids }: { facilityUuids: readonly string[] },
): Promise<Map<string, number>> {
  const { rows } = await sql<{
    facilityUuid: string;
    version: number;
  }>`select facility_uuid, version from facility where facility_uuid = any(${[...facilityUuids]}::text[])`.execute(
    handle,
  );
  return new Map(rows.map(({ facilityUuid, version }) => [facilityUuid, version]));
}

/** The codes that accepted rows of an import give to existing facilities, by uuid; null removes the code. */
export async function listNewCodes(
  handle: Handle,
  { importUuid }: { importUuid: string },
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ facilityUuid: string; code: string | null }>`
    select facility_uuid, written ->> 'hmisCode' as code from registry_import_row
    where import_uuid = ${importUuid} and decision = 'accepted' and reviewed_version is not null and written ? 'hmisCode'`.execute(
    handle,
  );
  return new Map(rows.map(({ facilityUuid, code }) => [facilityUuid, code]));
}

/** The versions of all facilities, by uuid. */
export async function listFacilityVersions(handle: Handle): Promise<Map<string, number>> {
  const rows = await handle.selectFrom("facility").select(["facilityUuid", "version"]).execute();
  return new Map(rows.map(({ facilityUuid, version }) => [facilityUuid, version]));
}

/** The identifiers of these facilities, with all their columns. */
export async function listWholeIdentifiers(
  handle: Handle,
  { facilityUuids }: { facilityUuids: readonly string[] },
): Promise<StoredIdentifier[]> {
  const { rows } = await sql<StoredIdentifier>`
    select facility_uuid, system, value, valid_from as "from", valid_until as until, is_unique
    from facility_identifier where facility_uuid = any(${[...facilityUuids]}::text[])`.execute(handle);
  return rows;
}

/** Raises the versions of facilities of which only identifiers changed. */
export async function updateFacilityVersions(
  handle: Handle,
  { facilityUuids }: { facilityUuids: readonly string[] },
): Promise<void> {
  await sql`update facility set version = version + 1, updated_at = now() where facility_uuid = any(${[...facilityUuids]}::text[])`.execute(
    handle,
  );
}

/** Which of these districts are closed: their names by id. */
export async function listClosedDistricts(
  handle: Handle,
  { districtIds }: { districtIds: readonly number[] },
): Promise<Map<number, string>> {
  const { rows } = await sql<{ districtId: number; name: string }>`
    select district_id, name from district where district_id = any(${[...districtIds]}::integer[]) and closed_on is not null`.execute(
    handle,
  );
  return new Map(rows.map(({ districtId, name }) => [districtId, name]));
}

type DistrictState = { provinceId: number; name: string; closedOn: string | null };
/** Those of the given districts and partners that exist. A district of a closed province counts as closed. */
export type PlaceStates = { districts: ReadonlyMap<number, DistrictState>; partners: ReadonlySet<number> };

/** Locks districts with their provinces, and partners, until the transaction ends. Returns their states. */
export async function lockPlaces(
  handle: Handle,
  { districtIds, partnerIds }: { districtIds: readonly number[]; partnerIds: readonly number[] },
): Promise<PlaceStates> {
  const districts = await sql<DistrictState & { districtId: number }>`
    select district_id, district.province_id, district.name, coalesce(district.closed_on, province.closed_on) as closed_on
    from district join province using (province_id) where district_id = any(${[...new Set(districtIds)]}::integer[]) order by district_id for share`.execute(
    handle,
  );
  const partners = await sql<{ id: number }>`
    select implementing_partner_id as id from implementing_partner where implementing_partner_id = any(${[...new Set(partnerIds)]}::integer[]) order by 1 for share`.execute(
    handle,
  );
  return {
    districts: new Map(districts.rows.map(({ districtId, ...state }) => [districtId, state])),
    partners: new Set(partners.rows.map(({ id }) => id)),
  };
}

/** Records the facilities of rows as they were before the import was applied. */
export async function updateBefore(
  handle: Handle,
  { importUuid, rows }: { importUuid: string; rows: { line: number; before: Before }[] },
): Promise<void> {
  await sql`
    update registry_import_row row set before = given.before
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (line integer, before jsonb)
    where row.import_uuid = ${importUuid} and row.line = given.line`.execute(handle);
}

/** Records that rows were applied, with the present uuid and version of each facility. */
export async function updateApplied(
  handle: Handle,
  { importUuid, rows }: { importUuid: string; rows: { line: number; facilityUuid: string }[] },
): Promise<void> {
  await sql`
    update registry_import_row row set facility_uuid = facility.facility_uuid, applied_version = facility.version
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (line integer, "facilityUuid" text), facility
    where row.import_uuid = ${importUuid} and row.line = given.line and facility.facility_uuid = given."facilityUuid"`.execute(
    handle,
  );
}

/**
 * Records that rows were reverted: the present uuids and versions of their facilities become the reviewed ones, so that
 * the rows can be applied again. An earlier import of which these facilities are now in the state again can be reverted
 * next.
 */
export async function updateReverted(
  handle: Handle,
  { importUuid, lines }: { importUuid: string; lines: readonly number[] },
): Promise<void> {
  const uuid = sql`coalesce(row.before -> 'facility' ->> 'facilityUuid', row.facility_uuid)`;
  await sql`
    update registry_import_row earlier set applied_version = facility.version
    from registry_import_row row, facility
    where row.import_uuid = ${importUuid} and row.line = any(${[...lines]}::integer[]) and facility.facility_uuid = ${uuid}
      and earlier.facility_uuid = facility.facility_uuid and earlier.applied_version = row.reviewed_version
      and earlier.import_uuid <> ${importUuid}`.execute(handle);
  await sql`
    update registry_import_row row set applied_version = null, before = null, facility_uuid = ${uuid},
      reviewed_version = (select version from facility where facility.facility_uuid = ${uuid})
    where row.import_uuid = ${importUuid} and row.line = any(${[...lines]}::integer[])`.execute(handle);
}

/** Sets the status of an import, with the time and the person. */
export async function updateStatus(
  handle: Handle,
  {
    importUuid,
    status,
    userUuid,
  }: { importUuid: string; status: Extract<ImportStatus, "applied" | "reverted">; userUuid: string | null },
): Promise<void> {
  await handle
    .updateTable("registryImport")
    .set(
      status === "applied"
        ? { status, appliedAt: sql`now()`, appliedBy: userUuid, revertedAt: null, revertedBy: null }
        : { status, revertedAt: sql`now()`, revertedBy: userUuid },
    )
    .where("importUuid", "=", importUuid)
    .execute();
}

/** Which of these facilities have records: visits, TDBs, credentials, notes, actions or merges. */
export async function listUsedFacilities(
  handle: Handle,
  { facilityUuids }: { facilityUuids: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from unnest(${[...facilityUuids]}::text[]) as uuid
    where exists (select from assessment where facility_uuid = uuid) or exists (select from tdb where facility_uuid = uuid)
      or exists (select from site_account where facility_uuid = uuid) or exists (select from worklist_note where facility_uuid = uuid)
      or exists (select from action where facility_uuid = uuid)
      or exists (select from facility_merge where into_uuid = uuid) or exists (select from legal_hold where facility_uuid = uuid)`.execute(
    handle,
  );
  return rows.map(({ uuid }) => uuid);
}

export async function deleteFacilities(
  handle: Handle,
  { facilityUuids }: { facilityUuids: readonly string[] },
): Promise<void> {
  await sql`delete from facility where facility_uuid = any(${[...facilityUuids]}::text[])`.execute(handle);
}

/** Deletes all identifiers of these facilities except the given ones, which they had before. */
export async function deleteNewIdentifiers(
  handle: Handle,
  { facilityUuids, identifiers }: { facilityUuids: readonly string[]; identifiers: readonly StoredIdentifier[] },
): Promise<void> {
  await sql`
    delete from facility_identifier own where facility_uuid = any(${[...facilityUuids]}::text[]) and not exists (
      select from jsonb_to_recordset(${JSON.stringify(identifiers)}::jsonb) as given ("facilityUuid" text, system text, value text)
      where given."facilityUuid" = own.facility_uuid and given.system = own.system and given.value = own.value)`.execute(
    handle,
  );
}
