import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { anyOf } from "../list/keys.ts";

/** Outlines of provinces and districts. */

export type BoundaryRow = {
  id: number;
  name: string;
  path: string;
  west: number;
  south: number;
  east: number;
  north: number;
};
export type NewBoundary = Omit<BoundaryRow, "id" | "name"> & ({ provinceId: number } | { districtId: number });

/** All provinces that have an outline, by name. */
export function listProvinceBoundaries(handle: Handle): Promise<BoundaryRow[]> {
  return handle
    .selectFrom("boundary")
    .innerJoin("province", "province.provinceId", "boundary.provinceId")
    .select(["province.provinceId as id", "province.name", "path", "west", "south", "east", "north"])
    .orderBy("province.name")
    .execute();
}

const ofDistricts = (handle: Handle) =>
  handle
    .selectFrom("boundary")
    .innerJoin("district", "district.districtId", "boundary.districtId")
    .select(["district.districtId as id", "district.name", "path", "west", "south", "east", "north"]);

/** The districts that have an outline, by name: all, those of a province, or one. */
export function listDistrictBoundaries(
  handle: Handle,
  { provinceId, districtId }: { provinceId?: number | null; districtId?: number | null },
): Promise<BoundaryRow[]> {
  let query = ofDistricts(handle);
  if (provinceId != null) query = query.where("district.provinceId", "=", provinceId);
  if (districtId != null) query = query.where("district.districtId", "=", districtId);
  return query.orderBy("district.name").orderBy("district.districtId").execute();
}

/** The outlines of several districts at once, in no order; districts without one are left out. */
export const listDistrictBoundariesById = (
  handle: Handle,
  { ids }: { ids: readonly number[] },
): Promise<BoundaryRow[]> => ofDistricts(handle).where("district.districtId", "=", anyOf(ids, "integer")).execute();

const creditSetting = "boundary_credit";
/** The attribution of the outlines; null if none was given. */
export async function findBoundaryCredit(handle: Handle): Promise<string | null> {
  const row = await handle.selectFrom("setting").select("value").where("name", "=", creditSetting).executeTakeFirst();
  return row?.value ?? null;
}

/** Replaces the outlines of these places, and their attribution. */
export async function updateBoundaries(
  handle: Handle,
  { boundaries, credit }: { boundaries: readonly NewBoundary[]; credit: string | null },
): Promise<void> {
  for (const boundary of boundaries)
    await handle
      .insertInto("boundary")
      .values(boundary)
      .onConflict((conflict) =>
        conflict.columns(["provinceId", "districtId"]).doUpdateSet((eb) => ({
          path: eb.ref("excluded.path"),
          west: eb.ref("excluded.west"),
          south: eb.ref("excluded.south"),
          east: eb.ref("excluded.east"),
          north: eb.ref("excluded.north"),
        })),
      )
      .execute();
  await sql`delete from setting where name = ${creditSetting}`.execute(handle);
  if (credit !== null) await handle.insertInto("setting").values({ name: creditSetting, value: credit }).execute();
}
