import * as db from "../../db/reference/boundary.ts";
import { requireViewer } from "../access/access.ts";
import type { Context } from "../context.ts";
import { batched } from "../reading/batch.ts";
import { checkScope } from "./reference.ts";

/** Outlines of places, shared by REST and GraphQL: every signed-in person may read them. */

export type { BoundaryRow } from "../../db/reference/boundary.ts";
export type Boundaries = { credit: string | null; outlines: db.BoundaryRow[] };

export async function listProvinceBoundaries(context: Context): Promise<Boundaries> {
  requireViewer(context);
  return { credit: await db.findBoundaryCredit(context.db), outlines: await db.listProvinceBoundaries(context.db) };
}

/** @throws Problem NOT_FOUND */
export async function listDistrictBoundaries(
  context: Context,
  scope: { provinceId?: number | null; districtId?: number | null },
): Promise<Boundaries> {
  requireViewer(context);
  await checkScope(context, scope);
  return {
    credit: await db.findBoundaryCredit(context.db),
    outlines: await db.listDistrictBoundaries(context.db, scope),
  };
}

/** The outline of a district, or null; read together with the request's others. */
export const loadDistrictBoundary = batched<number, db.BoundaryRow | null>(
  async (context, ids) => {
    requireViewer(context);
    const rows = await db.listDistrictBoundariesById(context.db, { ids });
    return new Map(rows.map((row) => [row.id, row]));
  },
  () => null,
);
