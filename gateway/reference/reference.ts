import type { PageInput } from "../../db/list/page.ts";
import * as db from "../../db/reference/reference.ts";
import { requireViewer } from "../access/access.ts";
import { batched } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { notFound } from "../problem.ts";

/** Acts on places, partners and the small lists, shared by REST and GraphQL: every signed-in person may read them. */

export type { DistrictRow, PartnerRow, ProvinceRow } from "../../db/reference/reference.ts";

type Named = { search?: string | null; descending?: boolean | null; page: PageInput };

export function listProvinces(context: Context, input: Named) {
  requireViewer(context);
  return db.listProvinces(context.db, input);
}

/** Read together with the request's others. @throws Problem NOT_FOUND */
export const readProvince = batched<number, db.ProvinceRow>(
  async (context, ids) => {
    requireViewer(context);
    const rows = await db.listProvincesById(context.db, { ids });
    return new Map(rows.map((row) => [row.provinceId, row]));
  },
  () => notFound("province", "provinceId"),
);

/** Districts of one province (which must exist) or of all. @throws Problem NOT_FOUND */
export async function listDistricts(context: Context, input: Named & { provinceId?: number | null }) {
  requireViewer(context);
  if (input.provinceId != null) await readProvince(context, input.provinceId);
  return db.listDistricts(context.db, input);
}

/** Read together with the request's others. @throws Problem NOT_FOUND */
export const readDistrict = batched<number, db.DistrictRow>(
  async (context, ids) => {
    requireViewer(context);
    const rows = await db.listDistrictsById(context.db, { ids });
    return new Map(rows.map((row) => [row.districtId, row]));
  },
  () => notFound("district", "districtId"),
);

export function listPartners(context: Context, input: Named & { active?: boolean | null }) {
  requireViewer(context);
  return db.listPartners(context.db, input);
}

/** Read together with the request's others. @throws Problem NOT_FOUND */
export const readPartner = batched<number, db.PartnerRow>(
  async (context, ids) => {
    requireViewer(context);
    const rows = await db.listPartnersById(context.db, { ids });
    return new Map(rows.map((row) => [row.implementingPartnerId, row]));
  },
  () => notFound("implementing partner", "implementingPartnerId"),
);

/** A part of the country: all of it, a province, a district, a partner's facilities, or several of these at once. */
export type Scope = { provinceId?: number | null; districtId?: number | null; implementingPartnerId?: number | null };

/** Checks that the places and the partner of a scope exist. @throws Problem NOT_FOUND */
export async function checkScope(context: Context, scope: Scope): Promise<void> {
  if (scope.provinceId != null) await readProvince(context, scope.provinceId);
  if (scope.districtId != null) await readDistrict(context, scope.districtId);
  if (scope.implementingPartnerId != null) await readPartner(context, scope.implementingPartnerId);
}

/** Read together with the request's others. @throws Problem NOT_FOUND */
export const readServiceArea = batched<number, { serviceAreaId: number; serviceArea: string }>(
  async (context) => new Map((await listServiceAreas(context)).map((area) => [area.serviceAreaId, area])),
  () => notFound("service area"),
);

export function listServiceAreas(context: Context) {
  requireViewer(context);
  return db.listServiceAreas(context.db);
}

export function listConnectivityTypes(context: Context) {
  requireViewer(context);
  return db.listConnectivityTypes(context.db);
}

export function listConnectivityProviders(context: Context) {
  requireViewer(context);
  return db.listConnectivityProviders(context.db);
}

export function listSmartCareVersions(context: Context) {
  requireViewer(context);
  return db.listSmartCareVersions(context.db);
}
