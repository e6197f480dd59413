import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/**
 * The present state of facilities as SQL conditions on the `facility` of a query, by its row of `facility_state` and
 * `tdb_silence`. Lists, work lists and counts share them.
 */

/** The present state of the query's facility. A facility without a row was never assessed and never sent a TDB. */
export const stateRow = sql`(select * from facility_state where facility_state.facility_uuid = facility.facility_uuid and facility_state."until" is null)`;

/**
 * The library versions that facilities run by their latest assessments; and (`isListed`) those of the reference list
 * and those that downloads require by today.
 */
export async function listVersions(handle: Handle): Promise<{ libraryVersion: string; isListed: boolean }[]> {
  const { rows } = await sql<{ libraryVersion: string; isListed: boolean }>`
    select param as library_version, false as is_listed from place_count_rollup
    where kind = 'presentVersion' and period = 'quarter' and district_id = 0 and implementing_partner_id = 0 and period_start = 'infinity'
    group by param having sum(value) > 0
    union all select distinct btrim(library_version), true from smartcare_version
    union all select version, true from download where version is not null and withdrawn_at is null and required_since <= current_date`.execute(
    handle,
  );
  return rows;
}
