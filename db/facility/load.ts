import { type RawBuilder, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { byField, fieldNames } from "./facilityFields.rules.ts";
import { anyOf } from "../list/keys.ts";

/** Tables that are lists of names, each with its key column. */
const lists = {
  province: "provinceId",
  implementingPartner: "implementingPartnerId",
  serviceArea: "serviceAreaId",
  connectivityType: "connectivityTypeId",
  connectivityProvider: "connectivityProviderId",
} as const;
export type ListTable = keyof typeof lists;
export type ListEntry = { id: number; name: string };

/**
 * Blocks all other writers of the lists until the transaction ends, so that what a load has read does not change.
 * Facilities are locked first and exclusively, as in derived/recount.ts: transactions that hold a facility's row must
 * end before rows are changed.
 */
export async function lockForLoad(handle: Handle): Promise<void> {
  await sql`lock table facility in exclusive mode`.execute(handle);
  await sql`
    lock table province, district, implementing_partner, service_area, smartcare_version, connectivity_type,
      connectivity_provider in share row exclusive mode`.execute(handle);
}

/** Every entry of a list of names. */
export async function listEntries(handle: Handle, { table }: { table: ListTable }): Promise<ListEntry[]> {
  const { rows } = await sql<ListEntry>`select ${sql.ref(lists[table])} as id, name from ${sql.table(table)}`.execute(
    handle,
  );
  return rows;
}

/** Adds names to a list, in the order given. */
export async function insertEntries(
  handle: Handle,
  { table, names }: { table: ListTable; names: string[] },
): Promise<ListEntry[]> {
  const { rows } = await sql<ListEntry>`
    insert into ${sql.table(table)} (name)
    select name from unnest(${names}::text[]) with ordinality as given (name, place) order by place
    returning ${sql.ref(lists[table])} as id, name`.execute(handle);
  return rows;
}

/** Renames entries of a list. */
export async function updateEntries(
  handle: Handle,
  { table, entries }: { table: ListTable; entries: ListEntry[] },
): Promise<void> {
  await sql`
    update ${sql.table(table)} as entry set name = given.name
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as given (id integer, name text)
    where ${sql.ref(`entry.${lists[table]}`)} = given.id`.execute(handle);
}

/** Which partners are active, closed ones too. */
export function listPartnerStates(handle: Handle) {
  return handle.selectFrom("implementingPartner").select(["implementingPartnerId", "active"]).execute();
}

/** Sets partners active or inactive. */
export async function updatePartnerStates(
  handle: Handle,
  { partners }: { partners: { implementingPartnerId: number; active: boolean }[] },
): Promise<void> {
  await sql`
    update implementing_partner as partner set active = given.active, closed_on = case when given.active then null else closed_on end, version = version + 1
    from jsonb_to_recordset(${JSON.stringify(partners)}::jsonb) as given ("implementingPartnerId" integer, active boolean)
    where partner.implementing_partner_id = given."implementingPartnerId"`.execute(handle);
}

export type DistrictEntry = { districtId: number; provinceId: number; name: string };

export function listDistrictEntries(handle: Handle): Promise<DistrictEntry[]> {
  return handle.selectFrom("district").select(["districtId", "provinceId", "name"]).execute();
}

/** Adds districts to their provinces, in the order given. */
export async function insertDistricts(
  handle: Handle,
  { districts }: { districts: { provinceId: number; name: string }[] },
): Promise<DistrictEntry[]> {
  const { rows } = await sql<DistrictEntry>`
    insert into district (province_id, name)
    select given.province_id, given.name
    from unnest(${districts.map(({ provinceId }) => provinceId)}::integer[], ${districts.map(({ name }) => name)}::text[])
      with ordinality as given (province_id, name, place)
    order by place
    returning district_id, province_id, name`.execute(handle);
  return rows;
}

/** Renames districts. */
export async function updateDistrictNames(
  handle: Handle,
  { districts }: { districts: { districtId: number; name: string }[] },
) {
  await sql`
    update district set name = given.name
    from jsonb_to_recordset(${JSON.stringify(districts)}::jsonb) as given ("districtId" integer, name text)
    where district.district_id = given."districtId"`.execute(handle);
}

export function listVersions(handle: Handle) {
  return handle.selectFrom("smartcareVersion").select(["libraryVersion", "databaseVersion"]).execute();
}

/** Adds SmartCare versions, in the order given. */
export async function insertVersions(
  handle: Handle,
  { versions }: { versions: { libraryVersion: string; databaseVersion: string }[] },
): Promise<void> {
  await handle.insertInto("smartcareVersion").values(versions).execute();
}

const facilitiesForLoad = (handle: Handle) =>
  handle.selectFrom("facility").select([
    "facilityUuid",
    "facilityName",
    "districtId",
    "provinceId",
    "implementingPartnerId",
    ...fieldNames,
    sql<number[]>`array(
      select service_area_id from facility_service_area as link where link.facility_uuid = facility.facility_uuid
      order by service_area_id)`.as("serviceAreaIds"),
  ]);
export type LoadedFacility = Awaited<ReturnType<ReturnType<typeof facilitiesForLoad>["executeTakeFirstOrThrow"]>>;

/** Every facility with all columns that a load can change, the oldest first. */
export const listFacilitiesForLoad = (handle: Handle): Promise<LoadedFacility[]> =>
  facilitiesForLoad(handle).orderBy("createdAt").orderBy("facilityUuid").execute();

/** These facilities with the same columns. */
export const listTheseForLoad = (
  handle: Handle,
  { facilityUuids }: { facilityUuids: readonly string[] },
): Promise<LoadedFacility[]> =>
  facilitiesForLoad(handle).where("facilityUuid", "=", anyOf(facilityUuids, "text")).execute();

/** Which of these facilities have records or are named in the audit log. */
export async function listRecordedFacilities(
  handle: Handle,
  { facilityUuids }: { facilityUuids: string[] },
): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from unnest(${facilityUuids}::text[]) as uuid
    where exists (select from assessment where facility_uuid = uuid)
      or exists (select from tdb where facility_uuid = uuid)
      or exists (select from audit_event where facility_uuid = uuid)`.execute(handle);
  return rows.map(({ uuid }) => uuid);
}

const typesInSql = { text: "text", choice: "text", count: "integer", degrees: "double precision" } as const;
/** The columns of a facility that a load writes, by their names in the JSON parameter, with their SQL types. */
const written: Record<string, string> = {
  ...{ facilityName: "text", districtId: "integer", provinceId: "integer", implementingPartnerId: "integer" },
  ...byField(fieldNames, (_name, { type }) => typesInSql[type]),
};
const writtenNames = Object.keys(written);
const listOf = (names: readonly string[], make: (name: string) => RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(names.map(make));

/** These facilities as SQL rows, with the column names of the table. */
const given = (facilities: LoadedFacility[]): RawBuilder<unknown> => sql`
  (select "facilityUuid" as facility_uuid, ${listOf(writtenNames, (name) => sql`${sql.raw(`"${name}"`)} as ${sql.ref(name)}`)}
  from jsonb_to_recordset(${JSON.stringify(facilities)}::jsonb) as json (
    "facilityUuid" text, ${listOf(writtenNames, (name) => sql.raw(`"${name}" ${written[name]}`))}
  )) as given`;

/** Adds facilities with their service areas. */
export async function insertFacilities(
  handle: Handle,
  { facilities }: { facilities: LoadedFacility[] },
): Promise<void> {
  const columns = listOf(["facilityUuid", ...writtenNames], (name) => sql.ref(name));
  await sql`insert into facility (${columns}) select ${columns} from ${given(facilities)}`.execute(handle);
  await insertServiceAreas(handle, facilities);
}

/**
 * Clears the codes of facilities that are about to get other codes. The unique index is checked row by row, so a code
 * that moves to another facility must be free first.
 */
export async function deleteCodes(
  handle: Handle,
  { codes }: { codes: readonly { facilityUuid: string; hmisCode: string | null }[] },
): Promise<void> {
  await sql`
    update facility set hmis_code = null from unnest(${codes.map(({ facilityUuid }) => facilityUuid)}::text[], ${codes.map(({ hmisCode }) => hmisCode)}::text[]) as given (uuid, code)
    where facility_uuid = given.uuid and hmis_code <> coalesce(given.code, '')`.execute(handle);
}

/**
 * Updates all values of these facilities, and their service areas. If codes move between them, call `deleteCodes`
 * first.
 */
export async function updateFacilities(
  handle: Handle,
  { facilities }: { facilities: LoadedFacility[] },
): Promise<void> {
  const uuids = facilities.map(({ facilityUuid }) => facilityUuid);
  await sql`
    update facility set ${listOf(writtenNames, (name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`)},
      version = version + 1, updated_at = now()
    from ${given(facilities)} where facility.facility_uuid = given.facility_uuid`.execute(handle);
  await sql`delete from facility_service_area where facility_uuid = any(${uuids}::text[])`.execute(handle);
  await insertServiceAreas(handle, facilities);
}

async function insertServiceAreas(handle: Handle, facilities: LoadedFacility[]): Promise<void> {
  const links = facilities.flatMap(({ facilityUuid, serviceAreaIds }) =>
    serviceAreaIds.map((id) => [facilityUuid, id] as const),
  );
  if (links.length === 0) return;
  await sql`
    insert into facility_service_area (facility_uuid, service_area_id)
    select * from unnest(${links.map(([uuid]) => uuid)}::text[], ${links.map(([, id]) => id)}::integer[])`.execute(
    handle,
  );
}

/** Changes the uuids of facilities. Rows that refer to them follow. */
export async function updateFacilityUuids(
  handle: Handle,
  { changes }: { changes: { from: string; to: string }[] },
): Promise<void> {
  await sql`
    update facility set facility_uuid = change.after, version = version + 1, updated_at = now()
    from unnest(${changes.map(({ from }) => from)}::text[], ${changes.map(({ to }) => to)}::text[]) as change (before, after)
    where facility_uuid = change.before`.execute(handle);
}
