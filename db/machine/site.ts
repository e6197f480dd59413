import { type SqlBool, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { isOnFieldList, stateRow } from "../facility/facilityFilter.ts";
import { fieldNames } from "../facility/facilityFields.rules.ts";
import { inScope, type Scope } from "../list/scope.ts";

/** Sites as a device stores them for work offline: many rows with few columns. */

type SiteScope = Scope & { fieldList?: string | null | undefined };

const sites = (handle: Handle, { fieldList, ...scope }: SiteScope) =>
  handle
    .selectFrom("facility")
    .select([
      "facilityUuid",
      "facilityName",
      "districtId",
      "implementingPartnerId",
      ...fieldNames,
      "connectivityPresent",
      "connectivityTypeId",
      "connectivityDetails",
      "mobileCoverage",
      "mobileProviderId",
      sql<number[]>`array(select service_area_id from facility_service_area as area
        where area.facility_uuid = facility.facility_uuid order by service_area_id)`.as("serviceAreas"),
    ])
    .where(inScope(scope))
    .where(fieldList == null ? sql<SqlBool>`true` : isOnFieldList(fieldList))
    .where("closedOn", "is", null)
    // In this order similar rows are next to each other, and the answer compresses well.
    .orderBy("provinceId")
    .orderBy("districtId")
    .orderBy("facilityName")
    .orderBy("facilityUuid");

export type SiteRow = Awaited<ReturnType<ReturnType<typeof sites>["executeTakeFirstOrThrow"]>>;

/** All sites of a scope, by place and name. */
export const listSites = (handle: Handle, scope: SiteScope): Promise<SiteRow[]> => sites(handle, scope).execute();

/** The latest assessment of each facility of a district, as at a day or of all time, by the facility's name. */
export async function listLastVisitUuids(
  handle: Handle,
  { districtId, asOf }: { districtId: number; asOf: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ assessmentUuid: string }>`
    select latest.assessment_uuid from facility cross join lateral ${stateRow({ asOf })} as latest
    where facility.district_id = ${districtId}
    order by facility.facility_name, facility.facility_uuid`.execute(handle);
  return rows.map(({ assessmentUuid }) => assessmentUuid);
}
