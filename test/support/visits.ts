import { bodyOf, type TestGateway } from "./gateway.ts";

/** A facility's visits, as an assessor reads them by REST. */

type Facility = { facilityUuid: string };

/** The newest first. */
export async function listVisits({ as }: TestGateway, { facilityUuid }: Facility): Promise<{ uuid: string }[]> {
  return bodyOf(await (await as("assessor")).get(`/api/v1/assessment/list/facility/${facilityUuid}`));
}

/** The latest one, as it is stored. */
export async function latestVisit<Visit>(gateway: TestGateway, facility: Facility): Promise<Visit> {
  const [latest] = await listVisits(gateway, facility);
  return bodyOf<Visit>(await (await gateway.as("assessor")).get(`/api/v1/assessment/${latest!.uuid}`));
}
