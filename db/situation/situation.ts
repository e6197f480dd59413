import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { writtenOnce } from "../engine/writtenOnce.ts";
import { isCounted } from "../list/counted.ts";
import { anyOf } from "../list/keys.ts";
import { inScope, type Scope } from "../list/scope.ts";
import { type UnitLevel, unitsOf } from "../list/unit.ts";
import { daysSinceMade, isExpected, isOverdue } from "../facility/silence.ts";
import { isOpenOn } from "../derived/asOf.ts";

/**
 * The figures of the situation page. They are read from sums by place, within a district from rows by facility, and
 * never from assessments or TDBs.
 */

const sums = [
  "assessed",
  "functional",
  "power",
  "expected",
  "silent",
  "stopped",
  "lostPower",
  "notRecordedFunctional",
  "notRecordedPower",
] as const;
const modes = ["efirst", "efast", "elast", "partial", "notDeployed", "notOperational"] as const;
export type StateSums = Record<(typeof sums)[number] | (typeof modes)[number], number>;
/**
 * How much a unit's sums changed in the quarter that begins on `periodStart`; `infinity`: today's sums. `hxId` is the
 * id of the unit.
 */
export type StateRow = StateSums & { hxId: number; periodStart: string };

/**
 * The sums of each unit today, and how much they changed in each quarter after `since` (the first day of a quarter).
 */
export async function listStates(
  handle: Handle,
  { level, scope, since }: { level: UnitLevel; scope: Scope; since: string },
): Promise<StateRow[]> {
  const { id, isCounted } = unitsOf(level, scope);
  const { rows } = await sql<StateRow>`
    select ${id} as hx_id, period_start::text as period_start,
      ${sql.join([...sums, ...modes].map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`))}
    from place_state_rollup where ${isCounted} and period_start > ${since}::date group by 1, 2`.execute(handle);
  return rows;
}

export type VersionRow = { hxId: number; periodStart: string; libraryVersion: string; facilities: number };

/**
 * The number of facilities of each unit by library version: today (`infinity`), and how much it changed in each quarter
 * after `since`.
 */
export async function listVersionCounts(
  handle: Handle,
  { level, scope, since }: { level: UnitLevel; scope: Scope; since: string },
): Promise<VersionRow[]> {
  const { id, isCounted } = unitsOf(level, scope);
  const { rows } = await sql<VersionRow>`
    select ${id} as hx_id, period_start::text as period_start, param as library_version, sum(value)::bigint as facilities
    from place_count_rollup where kind = 'presentVersion' and period = 'quarter' and ${isCounted} and period_start > ${since}::date
    group by 1, 2, 3 having sum(value) <> 0`.execute(handle);
  return rows;
}

/** How many facilities of the scope were visited before but not within so many days, and how many have no position. */
export async function findScopeCounts(
  handle: Handle,
  { scope, visitDays }: { scope: Scope; visitDays: number },
): Promise<{ notVisited: number; withoutPosition: number; now: string }> {
  const within = (table: string) =>
    sql.join(
      [
        sql`true`,
        ...Object.entries(scope).flatMap(([name, id]) =>
          id == null ? [] : [sql`${sql.ref(`${table}.${name}`)} = ${id}`],
        ),
      ],
      sql` and `,
    );
  const { rows } = await sql<{ notVisited: number; withoutPosition: number; now: string }>`
    select
      (select count(*) from facility_state as state where "until" is null and assessed_at < ${beforeDays(visitDays)} and ${within("state")}) as not_visited,
      (select count(*) from facility where closed_on is null and (latitude is null or longitude is null) and ${within("facility")}) as without_position,
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as now`.execute(handle);
  return rows[0]!;
}

/** The instant before which a last visit was at least so many days ago. */
export const beforeDays = (days: number): RawBuilder<unknown> =>
  sql`(current_date - ${days}::integer + 1)::timestamptz`;

export type FacilityStateRow = {
  facilityUuid: string;
  facilityName: string;
  provinceId: number;
  districtId: number;
  implementingPartnerId: number | null;
  latitude: number | null;
  longitude: number | null;
  functionalityStatusMode: string | null;
  assessedDate: string | null;
  functional: boolean | null;
  power: boolean | null;
  primaryPower: boolean | null;
  primaryPowerWorking: boolean | null;
  backupPower: boolean | null;
  backupPowerWorking: boolean | null;
  libraryVersion: string | null;
  lastTdbDate: string | null;
  lastReceiptDate: string | null;
  daysSinceLastTdb: number | null;
  expected: boolean;
  silent: boolean;
  contactName: string | null;
  contactRole: string | null;
  contactPhone: string | null;
  /** null where a scope was asked for */ openActions: number | null;
};

/**
 * The latest assessment of the query's facility, also of one that is closed: `facility_state` has no present row for
 * it.
 */
const latestVisit = sql`(
  select last.assessment_uuid from assessment_rollup as last where last.facility_uuid = facility.facility_uuid and last.period = 'year'
  order by last.period_start desc limit 1)`;

/**
 * The present state of each open facility of the scope, or of these facilities, by name: as the latest assessment found
 * it.
 */
export async function listFacilityStates(
  handle: Handle,
  asked: { scope: Scope } | { facilityUuids: readonly string[] },
): Promise<FacilityStateRow[]> {
  const isAsked =
    "scope" in asked
      ? sql<SqlBool>`facility.closed_on is null and ${inScope(asked.scope)}`
      : sql<SqlBool>`facility.facility_uuid = ${anyOf(asked.facilityUuids, "text")}`;
  const openActions =
    "scope" in asked
      ? sql`null::integer`
      : sql`(select count(*)::integer from action where action.facility_uuid = facility.facility_uuid and action.state = 'open')`;
  const { rows } = await sql<FacilityStateRow>`
    select facility.facility_uuid, facility.facility_name, facility.province_id, facility.district_id, facility.implementing_partner_id,
      facility.latitude, facility.longitude, facility.functionality_status_mode,
      visit.assessed_at::date as assessed_date, visit.smart_care_functional as functional, visit.primary_power_working or visit.backup_power_working as power,
      nullif(btrim(visit.library_version), '') as library_version,
      visit.primary_power, visit.primary_power_working, visit.backup_power, visit.backup_power_working,
      tdb_silence.tdb_created_at::date as last_tdb_date, tdb_silence.uploaded_at::date as last_receipt_date,
      ${daysSinceMade(sql`current_date`)} as days_since_last_tdb,
      nullif(visit.contact_a_name, '') as contact_name, nullif(visit.contact_a_role, '') as contact_role, nullif(visit.contact_a_primary_phone, '') as contact_phone,
      ${openActions} as open_actions,
      facility.closed_on is null and ${isExpected} as expected, facility.closed_on is null and ${isOverdue} as silent
    from facility left join tdb_silence on tdb_silence.facility_uuid = facility.facility_uuid
      left join assessment as visit on visit.assessment_uuid = ${latestVisit}
    where ${isAsked} order by facility.facility_name, facility.facility_uuid`.execute(handle);
  return rows;
}

/** Since which day the latest assessments agree about an answer; null where the latest one does not give it. */
export type StateSinceRow = {
  facilityUuid: string;
  functionalSince: string | null;
  powerSince: string | null;
  versionSince: string | null;
  modeSince: string | null;
};

const answers: Record<string, (visit: string) => string> = {
  functional_since: (visit) => `${visit}.smart_care_functional`,
  power_since: (visit) => `(${visit}.primary_power_working or ${visit}.backup_power_working)`,
  version_since: (visit) => `nullif(btrim(${visit}.library_version), '')`,
  mode_since: (visit) => `${visit}.functionality_status_mode`,
};

/** The counted visits of the facility of the visit `last`. */
const visitsBefore = (visit: string) =>
  sql`from assessment as ${sql.ref(visit)} where ${sql.ref(`${visit}.facilityUuid`)} = last.facility_uuid and ${isCounted(visit)}`;

/**
 * The day of the first visit with the answer of the visit `last` after the latest one with another answer. Both are
 * found by walking along the index of a facility's visits, and no further than needed.
 */
const sinceOf = (answer: (visit: string) => string) => sql`case when ${sql.raw(answer("last"))} is not null then (
  select same.assessed_at::date ${visitsBefore("same")} and ${sql.raw(`${answer("same")} = ${answer("last")}`)} and same.assessed_at > coalesce((
    select other.assessed_at ${visitsBefore("other")} and ${sql.raw(`${answer("other")} <> ${answer("last")}`)}
    order by other.assessed_at desc limit 1), '-infinity')
  order by same.assessed_at limit 1) end`;

/**
 * Since when facilities stand as their latest assessments found them: the day of the first assessment with the present
 * answer after the last one with another answer. An assessment without an answer changes nothing.
 */
export const listStateSince = writtenOnce(
  (_, { facilityUuids }: { facilityUuids: readonly string[] }) => sql<StateSinceRow>`
    select last.facility_uuid, ${sql.join(Object.entries(answers).map(([name, answer]) => sql`${sinceOf(answer)} as ${sql.raw(name)}`))}
    from facility cross join lateral (
      select * from assessment as visit where visit.facility_uuid = facility.facility_uuid and ${isCounted("visit")}
      order by visit.assessed_at desc, visit.assessment_uuid desc limit 1) as last
    where facility.facility_uuid = ${anyOf(facilityUuids, "text")}`,
);

/** How many facilities of each unit were open at the end of each of these days. */
export async function listOpenCounts(
  handle: Handle,
  { level, scope, days }: { level: UnitLevel; scope: Scope; days: readonly string[] },
): Promise<{ hxId: number; day: string; facilities: number }[]> {
  const { rows } = await sql<{ hxId: number; day: string; facilities: number }>`
    select facility.${sql.ref(`${level}Id`)} as hx_id, ends.day::text as day, count(*)::integer as facilities
    from facility cross join unnest(${[...days]}::date[]) as ends (day)
    where ${inScope(scope)} and (facility.closed_on is null or facility.closed_on > ends.day)
    group by 1, 2`.execute(handle);
  return rows;
}

export type FacilityQuarterRow = {
  facilityUuid: string;
  facilityName: string;
  functionalityStatusMode: string | null;
  assessed: boolean;
  functional: boolean;
  notRecordedFunctional: boolean;
  power: boolean;
  notRecordedPower: boolean;
};

/**
 * How each facility of the scope stood at the end of the quarter that begins on `periodStart`, by name; `day` is the
 * quarter's last day.
 */
export async function listFacilityQuarters(
  handle: Handle,
  { scope, periodStart, day }: { scope: Scope; periodStart: string; day: string },
): Promise<FacilityQuarterRow[]> {
  const { rows } = await sql<FacilityQuarterRow>`
    select facility.facility_uuid, facility.facility_name, state.functionality_status_mode, state.assessment_uuid is not null as assessed,
      coalesce(state.smart_care_functional, false) as functional, coalesce(state.not_recorded_functional, false) as not_recorded_functional,
      coalesce(state.power_working, false) as power, coalesce(state.not_recorded_power, false) as not_recorded_power
    from facility left join facility_state as state on state.facility_uuid = facility.facility_uuid
      and state.period_start <= ${periodStart}::date and (state."until" is null or state."until" > ${periodStart}::date)
    where ${inScope(scope)} and ${isOpenOn(day)} order by facility.facility_name, facility.facility_uuid`.execute(
    handle,
  );
  return rows;
}
