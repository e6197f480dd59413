import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { anyOf } from "../list/keys.ts";
import { type Order, type Page, type PageInput, readPage } from "../list/page.ts";

export type ProvinceRow = { provinceId: number; name: string };
export type DistrictRow = { districtId: number; name: string; provinceId: number; province: string };
export type PartnerRow = { implementingPartnerId: number; implementingPartner: string; active: boolean };

const byName = (table: string, id: string, { key = "name", descending = false, edges = {} } = {}): Order => ({
  columns: [
    { key, column: `${table}.name`, type: "text" },
    { key: id, column: `${table}.${id}`, type: "integer" },
  ],
  descending,
  edges,
});

/** Lists by name can be asked for from Z to A. */
type Named = { search?: string | null; descending?: boolean | null; page: PageInput };

const nameContains = (column: string, search: string) =>
  sql<boolean>`search_key(${sql.ref(column)}) like '%' || search_key(${search}) || '%'`;

/** Provinces by name, without those that are closed. */
export function listProvinces(handle: Handle, { search, descending, page }: Named): Promise<Page<ProvinceRow>> {
  let query = handle.selectFrom("province").select(["provinceId", "name"]).where("closedOn", "is", null);
  if (search) query = query.where(nameContains("name", search));
  return readPage(query, byName("province", "provinceId", { descending: descending ?? false }), page);
}

/** Several provinces at once, in no order; unknown ones are left out. */
export const listProvincesById = (handle: Handle, { ids }: { ids: readonly number[] }): Promise<ProvinceRow[]> =>
  handle
    .selectFrom("province")
    .select(["provinceId", "name"])
    .where("provinceId", "=", anyOf(ids, "integer"))
    .execute();

const districts = (handle: Handle) =>
  handle
    .selectFrom("district")
    .innerJoin("province", "province.provinceId", "district.provinceId")
    .select(["district.districtId", "district.name", "district.provinceId", "province.name as province"]);

/** Districts by name, of one province or all, without those that are closed. */
export function listDistricts(
  handle: Handle,
  { provinceId, search, descending, page }: Named & { provinceId?: number | null },
): Promise<Page<DistrictRow>> {
  let query = districts(handle).where("district.closedOn", "is", null);
  if (provinceId != null) query = query.where("district.provinceId", "=", provinceId);
  if (search) query = query.where(nameContains("district.name", search));
  const edges: Order["edges"] = { provinceId: (key) => sql`district.province_id = ${key}` };
  return readPage(query, byName("district", "districtId", { descending: descending ?? false, edges }), page);
}

/** Several districts at once, in no order; unknown ones are left out. */
export const listDistrictsById = (handle: Handle, { ids }: { ids: readonly number[] }): Promise<DistrictRow[]> =>
  districts(handle).where("district.districtId", "=", anyOf(ids, "integer")).execute();

const partners = (handle: Handle) =>
  handle.selectFrom("implementingPartner").select(["implementingPartnerId", "name as implementingPartner", "active"]);

/** Implementing partners by name: the active ones, the inactive ones, or all. */
export function listPartners(
  handle: Handle,
  { active, search, descending, page }: Named & { active?: boolean | null },
): Promise<Page<PartnerRow>> {
  let query = partners(handle);
  if (active != null) query = query.where("active", "=", active);
  if (search) query = query.where(nameContains("name", search));
  const naming = { key: "implementingPartner", descending: descending ?? false };
  return readPage(query, byName("implementingPartner", "implementingPartnerId", naming), page);
}

/** Several partners at once, in no order; unknown ones are left out. */
export const listPartnersById = (handle: Handle, { ids }: { ids: readonly number[] }): Promise<PartnerRow[]> =>
  partners(handle).where("implementingPartnerId", "=", anyOf(ids, "integer")).execute();

export function listServiceAreas(handle: Handle): Promise<{ serviceAreaId: number; serviceArea: string }[]> {
  return handle
    .selectFrom("serviceArea")
    .select(["serviceAreaId", "name as serviceArea"])
    .orderBy("name")
    .orderBy("serviceAreaId")
    .execute();
}

export function listConnectivityTypes(handle: Handle): Promise<{ id: number; type: string }[]> {
  return handle
    .selectFrom("connectivityType")
    .select(["connectivityTypeId as id", "name as type"])
    .orderBy("name")
    .execute();
}

export function listConnectivityProviders(handle: Handle): Promise<{ id: number; provider: string }[]> {
  return handle
    .selectFrom("connectivityProvider")
    .select(["connectivityProviderId as id", "name as provider"])
    .orderBy("name")
    .execute();
}

export function listSmartCareVersions(
  handle: Handle,
): Promise<{ id: number; libraryVersion: string; databaseVersion: string }[]> {
  return handle
    .selectFrom("smartcareVersion")
    .select(["smartcareVersionId as id", "libraryVersion", "databaseVersion"])
    .orderBy("libraryVersion")
    .orderBy("databaseVersion")
    .execute();
}

/** The id of the partner with this name, ignoring case. The partner is created if it does not exist. */
export async function upsertPartner(handle: Handle, { name }: { name: string }): Promise<number> {
  const { implementingPartnerId } = await handle
    .insertInto("implementingPartner")
    .values({ name })
    .onConflict((conflict) =>
      conflict.expression(sql`lower(name)`).doUpdateSet({ name: sql<string>`implementing_partner.name` }),
    )
    .returning("implementingPartnerId")
    .executeTakeFirstOrThrow();
  return implementingPartnerId;
}
