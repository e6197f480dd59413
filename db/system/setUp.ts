import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/** What a country needs before its first visits: how much of each is there, in one statement. */
export async function countSetUp(handle: Handle) {
  return handle
    .selectNoFrom([
      sql<number>`(select count(*)::int from province) + (select count(*)::int from district)`.as("places"),
      sql<number>`(select count(*)::int from boundary)`.as("outlines"),
      sql<number>`(select count(*)::int from facility where closed_on is null)`.as("facilities"),
      sql<number>`(select count(*)::int from facility where closed_on is null and implementing_partner_id is not null)`.as(
        "linked",
      ),
      sql<number>`(select count(*)::int from smartcare_version)`.as("versions"),
      sql<number>`(select count(*)::int from service_area)`.as("serviceAreas"),
      sql<number>`(select count(*)::int from app_user where active and kind = 'person')`.as("people"),
      sql<number>`(select count(distinct field_list_uuid)::int from field_list_site)`.as("fieldLists"),
    ])
    .executeTakeFirstOrThrow();
}
