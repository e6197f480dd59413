import type { FacilityRow } from "../../db/facility.ts";
import * as db from "../../db/facility.ts";
import type { PageInput } from "../../db/page.ts";
import { requireViewer } from "../access/access.ts";
import type { Privileges } from "../access/access.rules.ts";
import { batched } from "../batch.ts";
import type { Context } from "../context.ts";
import { periodOf } from "../fiscal.rules.ts";
import { notFound } from "../problem.ts";
import { checkScope } from "../reference/reference.ts";
import { readOwnPrivileges } from "../user/user.ts";
import type { FacilityFilter } from "./facility.rules.ts";

/** Acts on facilities, shared by REST and GraphQL: every signed-in person may read them. */

export type { FacilityRow } from "../../db/facility.ts";

/**
 * Facilities of a scope and mode by name; with a search text the best match first. A place or partner that is not there is
 * refused, never an empty list that looks like data.
 *
 * @throws Problem NOT_FOUND
 */
export async function listFacilities(
  context: Context,
  { search, page, ...filter }: FacilityFilter & { search?: string | null; page: PageInput },
) {
  requireViewer(context);
  await checkScope(context, filter);
  const { year, quarter, month, ...rest } = filter;
  const list = { ...rest, period: year == null ? null : periodOf({ year, quarter, month }), page };
  return search == null ? db.listFacilities(context.db, list) : db.searchFacilities(context.db, { ...list, search });
}

/** @throws Problem NOT_FOUND */
export async function readFacility(context: Context, facilityUuid: string): Promise<FacilityRow> {
  requireViewer(context);
  const facility = await db.findFacility(context.db, { facilityUuid });
  if (!facility) throw notFound("facility");
  return facility;
}

/** A facility that another row points at, read together with the request's others. */
export const loadFacility = batched<string, FacilityRow>(
  async (context, facilityUuids) => {
    requireViewer(context);
    const rows = await db.listFacilitiesByUuid(context.db, { facilityUuids });
    return new Map(rows.map((row) => [row.facilityUuid, row]));
  },
  () => notFound("facility"),
);

type ServiceAreaRow = { serviceAreaId: number; serviceArea: string };

/** A facility's service areas by name, read together with those of the request's other facilities. */
export const loadServiceAreas = batched<string, ServiceAreaRow[]>(
  async (context, facilityUuids) => {
    requireViewer(context);
    const areas = new Map<string, ServiceAreaRow[]>(facilityUuids.map((uuid) => [uuid, []]));
    for (const { facilityUuid, ...area } of await db.listFacilityServiceAreas(context.db, { facilityUuids }))
      areas.get(facilityUuid)?.push(area);
    return areas;
  },
  () => [],
);

/** What the caller may do at a facility: rights reach every facility of the country. @throws Problem NOT_FOUND */
export async function readPrivilegesAtFacility(context: Context, facilityUuid: string): Promise<Privileges> {
  await readFacility(context, facilityUuid);
  return readOwnPrivileges(context);
}
