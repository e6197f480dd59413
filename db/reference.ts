import { sql } from "kysely";

import type { Handle } from "./connect.ts";
import { type Order, type Page, type PageInput, readPage } from "./page.ts";

export type ProvinceRow = { provinceId: number; name: string };
export type DistrictRow = { districtId: number; name: string; provinceId: number; province: string };
export type PartnerRow = { implementingPartnerId: number; implementingPartner: string; active: boolean };

const byName = (table: string, id: string): Order => ({
  columns: [
    { key: "name", column: `${table}.name`, type: "text" },
    { key: id, column: `${table}.${id}`, type: "integer" },
  ],
});

const nameContains = (column: string, search: string) =>
  sql<boolean>`search_key(${sql.ref(column)}) like '%' || search_key(${search}) || '%'`;

/** Provinces by name. */
export function listProvinces(
  handle: Handle,
  { search, page }: { search?: string | null; page: PageInput },
): Promise<Page<ProvinceRow>> {
  let query = handle.selectFrom("province").select(["provinceId", "name"]);
  if (search) query = query.where(nameContains("name", search));
  return readPage(query, byName("province", "provinceId"), page);
}

export function findProvince(handle: Handle, { provinceId }: { provinceId: number }): Promise<ProvinceRow | undefined> {
  return handle
    .selectFrom("province")
    .select(["provinceId", "name"])
    .where("provinceId", "=", provinceId)
    .executeTakeFirst();
}

const districts = (handle: Handle) =>
  handle
    .selectFrom("district")
    .innerJoin("province", "province.provinceId", "district.provinceId")
    .select(["district.districtId", "district.name", "district.provinceId", "province.name as province"]);

/** Districts by name, of one province or all. */
export function listDistricts(
  handle: Handle,
  { provinceId, search, page }: { provinceId?: number | null; search?: string | null; page: PageInput },
): Promise<Page<DistrictRow>> {
  let query = districts(handle);
  if (provinceId != null) query = query.where("district.provinceId", "=", provinceId);
  if (search) query = query.where(nameContains("district.name", search));
  return readPage(query, byName("district", "districtId"), page);
}

export function findDistrict(handle: Handle, { districtId }: { districtId: number }): Promise<DistrictRow | undefined> {
  return districts(handle).where("district.districtId", "=", districtId).executeTakeFirst();
}

const partners = (handle: Handle) =>
  handle.selectFrom("implementingPartner").select(["implementingPartnerId", "name as implementingPartner", "active"]);

/** Implementing partners by name, the active ones, the others, or all. */
export function listPartners(
  handle: Handle,
  { active, search, page }: { active?: boolean | null; search?: string | null; page: PageInput },
): Promise<Page<PartnerRow>> {
  let query = partners(handle);
  if (active != null) query = query.where("active", "=", active);
  if (search) query = query.where(nameContains("name", search));
  const order: Order = {
    columns: [
      { key: "implementingPartner", column: "implementingPartner.name", type: "text" },
      { key: "implementingPartnerId", column: "implementingPartner.implementingPartnerId", type: "integer" },
    ],
  };
  return readPage(query, order, page);
}

export function findPartner(
  handle: Handle,
  { implementingPartnerId }: { implementingPartnerId: number },
): Promise<PartnerRow | undefined> {
  return partners(handle).where("implementingPartnerId", "=", implementingPartnerId).executeTakeFirst();
}

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

/** The id of the partner with this name, in any case; it is created when it is not there. */
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
