import { sql } from "kysely";

import type { Handle } from "../../db/engine/connect.ts";

/** Which actions are closed by which record, as it is stored, and counted slowly from all visits and TDBs. */

type Closed = { actionUuid: string; state: string; evidenceUuid: string | null };

export async function presentActions(handle: Handle, facilityUuid: string): Promise<Closed[]> {
  const { rows } = await sql<Closed>`
    select action_uuid, state, coalesce(closing_assessment_uuid, closing_tdb_uuid) as evidence_uuid
    from action where facility_uuid = ${facilityUuid} order by action_uuid`.execute(handle);
  return rows;
}

/** Versions of this test are numbers with dots, or nothing that can be compared. */
const numbers = sql`string_to_array(nullif(regexp_replace(visit.library_version, '[^0-9.]', '', 'g'), ''), '.')::integer[]`;

export async function slowActions(handle: Handle, facilityUuid: string): Promise<Closed[]> {
  const { rows } = await sql<Closed>`
    select action_uuid, case when evidence.uuid is null then 'open' else 'done' end as state, evidence.uuid as evidence_uuid
    from action left join lateral (
      select uuid from (
        select assessment_uuid as uuid, assessed_at as at from assessment as visit
        where visit.facility_uuid = action.facility_uuid and visit.set_aside_at is null and visit.held is null and case action.kind
          when 'stopped' then visit.smart_care_functional
          when 'lostPower' then visit.primary_power_working or visit.backup_power_working
          when 'oldVersion' then ${numbers} >= array[4, 3, 1]
          when 'notVisited' then true end
        union all
        select tdb_uuid, uploaded_at from tdb
        where tdb.facility_uuid = action.facility_uuid and tdb.set_aside_at is null and tdb.held is null and action.kind = 'silent'
          and tdb_created_at::date + 30 >= uploaded_at::date) as found
      where at > action.evidence_after order by at, uuid limit 1) as evidence on true
    where action.facility_uuid = ${facilityUuid} order by action_uuid`.execute(handle);
  return rows;
}
