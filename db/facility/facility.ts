import { type Insertable, type NotNull, sql, type Updateable } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { byField, fieldNames, sortNames } from "./facilityFields.rules.ts";
import { type FacilityListFilter, facilityMatches } from "./facilityFilter.ts";
import { type Identifier, identifiersAsJson } from "./facilityIdentifier.ts";
import { writtenOnce } from "../engine/writtenOnce.ts";
import { readJson } from "../list/json.ts";
import { anyOf } from "../list/keys.ts";
import { type Order, type Page, type PageInput, readPage, type Sort, sortOf } from "../list/page.ts";
import type { Facility } from "../schema.ts";
import { isCounted } from "../list/counted.ts";

/**
 * A facility with the names of its places and partner, so that the usual edges need no further query. All joins are
 * left joins, also those that always find a row: PostgreSQL leaves an unused left join out of the plan, for example in
 * a count.
 */
export const facilities = (handle: Handle) =>
  handle
    .selectFrom("facility")
    .leftJoin("district", "district.districtId", "facility.districtId")
    .leftJoin("province", "province.provinceId", "facility.provinceId")
    .leftJoin("implementingPartner", "implementingPartner.implementingPartnerId", "facility.implementingPartnerId")
    .leftJoin("connectivityType", "connectivityType.connectivityTypeId", "facility.connectivityTypeId")
    .leftJoin("connectivityProvider", "connectivityProvider.connectivityProviderId", "facility.mobileProviderId")
    .select([
      "facility.facilityUuid",
      "facility.facilityName",
      "facility.districtId",
      "district.name as district",
      "facility.provinceId",
      "province.name as province",
      "facility.implementingPartnerId",
      "implementingPartner.name as implementingPartner",
      "implementingPartner.active as implementingPartnerActive",
      ...fieldNames.map((name) => `facility.${name}` as const),
      "facility.functionalityStatusMode",
      "facility.closedOn",
      "facility.closeReason",
      "facility.connectivityPresent",
      "facility.connectivityTypeId",
      "connectivityType.name as connectivityType",
      "facility.connectivityDetails",
      "facility.mobileCoverage",
      "facility.mobileProviderId",
      "connectivityProvider.name as mobileProvider",
    ])
    .$narrowType<{ district: NotNull; province: NotNull }>();

export type FacilityRow = Awaited<ReturnType<ReturnType<typeof facilities>["executeTakeFirstOrThrow"]>> & {
  /** only if the facility was read by `findFacility` */
  serviceAreas?: { serviceAreaId: number; serviceArea: string }[];
  identifiers?: Identifier[];
};
export type WholeFacility = NonNullable<Awaited<ReturnType<typeof findFacility>>>;

const listWhole = writtenOnce((handle, { facilityUuid }: { facilityUuid: string }) =>
  facilities(handle)
    .select([
      sql<NonNullable<FacilityRow["serviceAreas"]>>`(
        select coalesce(json_agg(json_build_object('serviceAreaId', service_area_id, 'serviceArea', name) order by name, service_area_id), '[]')
        from facility_service_area join service_area using (service_area_id) where facility_service_area.facility_uuid = facility.facility_uuid)`.as(
        "serviceAreas",
      ),
      identifiersAsJson.as("identifiers"),
    ])
    .where("facility.facilityUuid", "=", facilityUuid),
);
/** A facility with its service areas, by name, and its identifiers, in the order of `listIdentifiers`. */
export const findFacility = async (handle: Handle, facility: { facilityUuid: string }) =>
  (await listWhole(handle, facility)).at(0);

/** Several facilities at once, in no order; unknown ones are left out. */
export const listFacilitiesByUuid = writtenOnce((handle, { facilityUuids }: { facilityUuids: readonly string[] }) =>
  facilities(handle).where("facility.facilityUuid", "=", anyOf(facilityUuids, "text")),
);

export type { AssessmentMatch, FacilityListFilter, FacilityMatch } from "./facilityFilter.ts";

const text = (column: string) => sql<string>`coalesce(${sql.ref(column)}, '')`;
/** The keys by which facilities can be sorted; the name follows each. Facilities without a value come first. */
const sortKeys = {
  name: null,
  ...byField(sortNames, (name, { type }) =>
    type === "count"
      ? ({ value: sql`coalesce(${sql.ref(`facility.${name}`)}, -1)`, type: "integer" } as const)
      : ({ value: text(`facility.${name}`), type: "text" } as const),
  ),
  district: { value: text("district.name"), type: "text", isJoined: true },
  province: { value: text("province.name"), type: "text", isJoined: true },
  implementingPartner: { value: text("implementingPartner.name"), type: "text", isJoined: true },
  mode: { value: text("facility.functionalityStatusMode"), type: "text" },
  lastAssessed: {
    value: sql`coalesce((select assessed_at from assessment where assessment.facility_uuid = facility.facility_uuid and ${isCounted("assessment")}
      order by assessed_at desc limit 1), 'epoch')`,
    type: "timestamptz",
  },
} as const;
export type FacilitySort = Sort<keyof typeof sortKeys>;

const byName: Order["columns"] = [
  { key: "facilityName", column: "facility.facilityName", type: "text" },
  { key: "facilityUuid", column: "facility.facilityUuid", type: "text" },
];

/** A list of facilities in an order. Its query selects the columns of its cursors. */
export function sortedFacilities(query: ReturnType<typeof facilities>, sort: FacilitySort | null | undefined) {
  const { by, descending } = sortOf(sort ?? "name");
  const key = sortKeys[by];
  if (!key) return { query, order: { columns: byName, descending } };
  const carried =
    key.type === "timestamptz"
      ? sql`to_char(${key.value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
      : key.value;
  return {
    query: query.select(carried.as("sortKey")) as typeof query,
    order: { columns: [{ key: "sortKey", column: key.value, type: key.type }, ...byName], descending },
  };
}

export type FacilityList = FacilityListFilter & { sort?: FacilitySort | null; page: PageInput };

/** Facilities, by default by name. */
export function listFacilities(handle: Handle, { page, sort, ...filter }: FacilityList): Promise<Page<FacilityRow>> {
  const matches = facilityMatches(filter);
  const bare = handle.selectFrom("facility").where(matches);
  // The cast: where rows are only counted, no column is read.
  const all = page.counting === "only" ? (bare as unknown as ReturnType<typeof facilities>) : facilities(handle);
  const { query, order } = sortedFacilities(all.where(matches), sort);
  const key = sortKeys[sortOf(sort ?? "name").by];
  return readPage(query, order, page, bare, key && "isJoined" in key ? undefined : bare);
}

const facilityNames = (handle: Handle, filter: FacilityListFilter) =>
  handle.selectFrom("facility").select(["facilityUuid", "facilityName"]).where(facilityMatches(filter));

/** The names of facilities, by name. */
export function listFacilityNames(
  handle: Handle,
  { page, ...filter }: FacilityListFilter & { page: PageInput },
): Promise<Page<{ facilityUuid: string; facilityName: string }>> {
  return readPage(facilityNames(handle, filter), { columns: byName }, page);
}

/** The whole list of names as one JSON text. */
export const readFacilityNamesJson = (
  handle: Handle,
  filter: FacilityListFilter,
  keys: Readonly<Record<string, "facilityUuid" | "facilityName">>,
): Promise<string> =>
  readJson(handle, facilityNames(handle, filter).orderBy("facilityName").orderBy("facilityUuid"), keys);

/** The service areas of several facilities, by name. */
export const listFacilityServiceAreas = (handle: Handle, { facilityUuids }: { facilityUuids: readonly string[] }) =>
  handle
    .selectFrom("facilityServiceArea")
    .innerJoin("serviceArea", "serviceArea.serviceAreaId", "facilityServiceArea.serviceAreaId")
    .select(["facilityServiceArea.facilityUuid", "serviceArea.serviceAreaId", "serviceArea.name as serviceArea"])
    .where("facilityServiceArea.facilityUuid", "=", anyOf(facilityUuids, "text"))
    .orderBy("serviceArea.name")
    .orderBy("serviceArea.serviceAreaId")
    .execute();

/**
 * Locks a facility until the transaction ends, so that other changes and saves of its visits wait. Returns whether it
 * exists. It does not use FOR UPDATE, which would also wait for every insert of a row that refers to the facility.
 */
export async function lockFacility(handle: Handle, { facilityUuid }: { facilityUuid: string }): Promise<boolean> {
  const { rows } = await sql`select 1 from facility where facility_uuid = ${facilityUuid} for no key update`.execute(
    handle,
  );
  return rows.length > 0;
}

/** The facility with this HMIS code. */
export const findByCode = (handle: Handle, { hmisCode }: { hmisCode: string }) =>
  handle
    .selectFrom("facility")
    .select(["facilityUuid", "facilityName"])
    .where("hmisCode", "=", hmisCode)
    .executeTakeFirst();

export async function insertFacility(handle: Handle, values: Insertable<Facility>): Promise<void> {
  await handle.insertInto("facility").values(values).execute();
}

/** Changes columns of a facility and raises its version. */
export async function updateFacility(
  handle: Handle,
  { facilityUuid, values }: { facilityUuid: string; values: Updateable<Facility> },
): Promise<void> {
  await handle
    .updateTable("facility")
    .set({ ...values, version: sql`version + 1`, updatedAt: sql`now()` })
    .where("facilityUuid", "=", facilityUuid)
    .execute();
}

/** Sets the facility's active service areas to exactly these. */
export async function updateFacilityServiceAreas(
  handle: Handle,
  { facilityUuid, serviceAreas }: { facilityUuid: string; serviceAreas: readonly number[] },
): Promise<void> {
  await sql`
    delete from facility_service_area
    where facility_uuid = ${facilityUuid} and service_area_id <> all(${[...serviceAreas]}::int[])`.execute(handle);
  await sql`
    insert into facility_service_area (facility_uuid, service_area_id)
    select ${facilityUuid}, unnest(${[...serviceAreas]}::int[])
    on conflict do nothing`.execute(handle);
}
