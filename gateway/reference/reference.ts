import type { PageInput } from "../../db/page.ts";
import * as db from "../../db/reference.ts";
import { requireViewer } from "../access/access.ts";
import type { Context } from "../context.ts";
import { notFound } from "../problem.ts";

/** Acts on places, partners and the small lists, shared by REST and GraphQL: every signed-in person may read them. */

export type { DistrictRow, PartnerRow, ProvinceRow } from "../../db/reference.ts";

export function listProvinces(context: Context, input: { search?: string | null; page: PageInput }) {
  requireViewer(context);
  return db.listProvinces(context.db, input);
}

/** @throws Problem NOT_FOUND */
export async function readProvince(context: Context, provinceId: number) {
  requireViewer(context);
  const province = await db.findProvince(context.db, { provinceId });
  if (!province) throw notFound("province");
  return province;
}

/** Districts of one province (which must exist) or of all. @throws Problem NOT_FOUND */
export async function listDistricts(
  context: Context,
  input: { provinceId?: number | null; search?: string | null; page: PageInput },
) {
  requireViewer(context);
  if (input.provinceId != null) await readProvince(context, input.provinceId);
  return db.listDistricts(context.db, input);
}

/** @throws Problem NOT_FOUND */
export async function readDistrict(context: Context, districtId: number) {
  requireViewer(context);
  const district = await db.findDistrict(context.db, { districtId });
  if (!district) throw notFound("district");
  return district;
}

export function listPartners(
  context: Context,
  input: { active?: boolean | null; search?: string | null; page: PageInput },
) {
  requireViewer(context);
  return db.listPartners(context.db, input);
}

/** @throws Problem NOT_FOUND */
export async function readPartner(context: Context, implementingPartnerId: number) {
  requireViewer(context);
  const partner = await db.findPartner(context.db, { implementingPartnerId });
  if (!partner) throw notFound("implementing partner");
  return partner;
}

/** A part of the country: all of it, a province, a district, a partner's facilities, or several of these at once. */
export type Scope = { provinceId?: number | null; districtId?: number | null; implementingPartnerId?: number | null };

/** Refuses a scope that names a place or partner that is not there. @throws Problem NOT_FOUND */
export async function checkScope(context: Context, scope: Scope): Promise<void> {
  if (scope.provinceId != null) await readProvince(context, scope.provinceId);
  if (scope.districtId != null) await readDistrict(context, scope.districtId);
  if (scope.implementingPartnerId != null) await readPartner(context, scope.implementingPartnerId);
}

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
