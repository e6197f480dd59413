import { sql } from "kysely";

import type { Handle } from "../../db/engine/connect.ts";

/** Data of the demonstration country for tests of assessments. */

export type SampleFacility = { facilityUuid: string; serviceAreas: number[]; otherArea: number };

/** A facility of the demonstration with at least two service areas, and an area that it does not have. */
export async function sampleFacility(handle: Handle, skip = 0): Promise<SampleFacility> {
  const { rows } = await sql<SampleFacility>`
    select facility_uuid, array_agg(service_area_id order by service_area_id) as service_areas,
      (select min(service_area_id) from service_area where service_area_id not in (
        select o.service_area_id from facility_service_area o where o.facility_uuid = f.facility_uuid)) as other_area
    from facility_service_area f group by facility_uuid
    having count(*) >= 2 and count(*) < (select count(*) from service_area)
    order by facility_uuid offset ${skip} limit 1`.execute(handle);
  return rows[0]!;
}

/** A complete visit, as the form sends it. */
export const visit = <More extends object>(
  { facilityUuid, serviceAreas }: SampleFacility,
  more: More = {} as More,
) => ({
  facilityUuid,
  primaryPower: true,
  primaryPowerWorking: true,
  primaryPowerNotes: "National grid",
  backupPower: false,
  backupPowerWorking: false,
  smartCareFunctional: true,
  libraryVersionConsistent: null,
  libraryVersion: "4.3.1",
  databaseVersion: "18.6",
  functionalityStatusMode: "EFirst",
  dateOfLastUpgrade: "2024-05-31",
  numberOfStaffTrainedInSmartCare: 7,
  latitude: -15.4167,
  longitude: 28.2833,
  otherIssues: null,
  closingComments: "Seen by the test",
  contactAName: "Ruth Kapwelo",
  contactARole: "Nurse",
  contactAPrimaryPhone: "+260900012345",
  contactAEmail: "ruth@example.org",
  serviceAreaAssessments: serviceAreas.map((serviceAreaId) => ({ serviceAreaId, smartCareFunctional: true })),
  ...more,
});
