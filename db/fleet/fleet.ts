import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import { inScope, type Scope } from "../list/scope.ts";
import { covers } from "./rollout.ts";
import type { FleetState, UpdateOutcome } from "./rollout.rules.ts";
import { stateRow } from "../situation/state.ts";

/**
 * The fleet: which version each facility runs, which rollout covers it, and how far it is. The version comes from the
 * latest visit or TDB that names one (of the same day: from the TDB). If the site has reported since then that it
 * applied a library file, it is assumed to run that file's version, until a later TDB or visit names one.
 */

/**
 * A row of a rollout's plan, for sites that run `version`: the file to apply at a position, or (without a file) why
 * there is none.
 */
export type PlanRow = {
  rolloutUuid: string;
  version: string | null;
  position: number;
  downloadUuid: string | null;
  reach: "step" | "reached" | "noPath";
};

/** The sites in question. `rollouts`: uuids; each site gets the first of these that covers it. */
type Asked = { scope: Scope; rollouts: readonly string[]; facilityUuid?: string };

const present = sql`(
  select version, day, source from (values
    (nullif(btrim(tdb.library_version), ''), tdb.tdb_created_at::date, 'tdb', 1),
    (state.library_version, state.assessed_at::date, 'visit', 2)) as reported (version, day, source, rank)
  where version is not null order by day desc, rank limit 1)`;

const applied = sql`(
  select download.version, report.reported_at::date as day from update_report as report join download using (download_uuid)
  where report.facility_uuid = facility.facility_uuid and report.outcome = 'applied' and 'library' = any(download.installs)
    and report.reported_at::date >= coalesce(present.day, '-infinity') and download.version is not null
  order by report.reported_at desc, report.report_uuid desc limit 1)`;

/** Each open facility with the version that it runs and the rollout that is chosen for it. */
const sites = ({ scope, rollouts, facilityUuid }: Asked) => sql`
  select facility.facility_uuid, facility.facility_name, facility.province_id, facility.district_id, facility.implementing_partner_id,
    present.version as present_version, present.day as present_day, present.source, coalesce(applied.version, present.version) as version,
    applied.day as applied_day, chosen.rollout_uuid, chosen.target, chosen.paused, greatest(chosen.start_day, chosen.resumed_day, applied.day) as due_day
  from facility
  left join lateral ${stateRow} as state on true
  left join tdb_silence on tdb_silence.facility_uuid = facility.facility_uuid
  left join tdb on tdb.tdb_uuid = tdb_silence.tdb_uuid
  left join lateral ${present} as present on true
  left join lateral ${applied} as applied on true
  left join lateral (
    select rollout.rollout_uuid, rollout.version as target, rollout.paused_at is not null as paused, rollout.start_day, rollout.resumed_at::date as resumed_day
    from unnest(${rollouts}::uuid[]) with ordinality as running (rollout_uuid, place) join rollout using (rollout_uuid)
    where ${covers} order by running.place limit 1) as chosen on true
  where facility.closed_on is null and ${inScope(scope)} and ${facilityUuid === undefined ? sql`true` : sql`facility.facility_uuid = ${facilityUuid}`}`;

type RunningRow = {
  rolloutUuid: string | null;
  version: string | null;
  presentVersion: string | null;
  facilities: number;
};

/** How many facilities run which version, by the rollout that covers them. */
export async function countRunning(handle: Handle, asked: Asked): Promise<RunningRow[]> {
  const { rows } = await sql<RunningRow>`
    select rollout_uuid, version, present_version, count(*) as facilities from (${sites(asked)}) as site group by rollout_uuid, version, present_version`.execute(
    handle,
  );
  return rows;
}

const planned = (plan: readonly PlanRow[]) => {
  const of = <Key extends keyof PlanRow>(key: Key) => plan.map((row) => row[key]);
  return sql`unnest(${of("rolloutUuid")}::uuid[], ${of("version")}::text[], ${of("position")}::integer[], ${of("downloadUuid")}::uuid[], ${of("reach")}::text[])
    as plan (rollout_uuid, version, position, download_uuid, reach)`;
};

/**
 * What is left to do at each site: the files of its plan, without those that it has reported as applied since its
 * version was last seen.
 */
const left = (asked: Asked, plan: readonly PlanRow[]) => sql`
  select site.*, plan.position, plan.download_uuid, plan.reach, report.outcome, report.why, report.reported_at
  from (${sites(asked)}) as site
  join ${planned(plan)} on plan.rollout_uuid = site.rollout_uuid and plan.version is not distinct from site.version
  left join lateral (
    select outcome, why, reported_at from update_report
    where update_report.facility_uuid = site.facility_uuid and update_report.download_uuid = plan.download_uuid
    order by reported_at desc, report_uuid desc limit 1) as report on true
  where report.outcome is distinct from 'applied' or report.reported_at::date < coalesce(site.present_day, '-infinity')`;

/** Days without a report after which a site is stuck. */
const stuckDays = 14;

/** The state of each site that a rollout covers, with the file that comes next. */
const states = (asked: Asked, plan: readonly PlanRow[]) => sql`
  select step.*, case
    when reach = 'noPath' then 'noPath'
    when reach = 'reached' and version is distinct from present_version then 'reported'
    when reach = 'reached' then 'reached'
    when outcome = 'failed' then 'failed'
    when paused then 'paused'
    when due_day <= current_date - ${sql.lit(stuckDays)} then 'silent'
    else 'due' end as state
  from (select distinct on (facility_uuid) * from (${left(asked, plan)}) as open order by facility_uuid, position) as step`;

type StateCount = { rolloutUuid: string; state: FleetState; facilities: number };

/** How far the sites of each rollout are. */
export async function countStates(
  handle: Handle,
  { plan, ...asked }: Asked & { plan: readonly PlanRow[] },
): Promise<StateCount[]> {
  const { rows } = await sql<StateCount>`
    select rollout_uuid, state, count(*) as facilities from (${states(asked, plan)}) as site group by rollout_uuid, state`.execute(
    handle,
  );
  return rows;
}

type NeedRow = { downloadUuid: string; needed: number; next: number; failed: number };

/** For each file: how many sites still need it, for how many it is the next one, and at how many of these it failed. */
export async function countNeeds(
  handle: Handle,
  { plan, ...asked }: Asked & { plan: readonly PlanRow[] },
): Promise<NeedRow[]> {
  const { rows } = await sql<NeedRow>`
    select download_uuid, count(*) as needed, count(*) filter (where is_next) as next, count(*) filter (where is_next and outcome = 'failed') as failed
    from (select *, position = min(position) over (partition by facility_uuid) as is_next from (${left(asked, plan)}) as open where reach = 'step') as step
    group by download_uuid`.execute(handle);
  return rows;
}

type StepTime = { downloadUuid: string; applied: number; medianDays: number; longestDays: number };

/** How long the sites took to apply each file, in days from the day on which it was due. */
export async function listStepTimes(handle: Handle, { scope }: { scope: Scope }): Promise<StepTime[]> {
  const { rows } = await sql<StepTime>`
    select report.download_uuid, count(*) as applied, max(report.reported_at::date - report.due_day) as longest_days,
      percentile_disc(0.5) within group (order by report.reported_at::date - report.due_day) as median_days
    from update_report as report join download using (download_uuid) join facility using (facility_uuid)
    where report.outcome = 'applied' and download.withdrawn_at is null and download.version is not null and ${inScope(scope)}
    group by report.download_uuid`.execute(handle);
  return rows;
}

type VersionCount = { periodStart: string; version: string; facilities: number };

/**
 * How many of today's facilities ran which version at the end of each quarter, by the latest visit or TDB up to then.
 * Each table is read once for all quarters: a facility's row of a quarter is valid until the quarter of its next row.
 */
export async function countVersions(
  handle: Handle,
  { scope, starts }: { scope: Scope; starts: readonly string[] },
): Promise<VersionCount[]> {
  const [first] = starts.toSorted();
  const ofSite = sql`(select * from facility where ${inScope(scope)}) as facility`;
  const { rows } = await sql<VersionCount>`
    with quarter as materialized (select start from unnest(${starts}::date[]) as quarter (start)),
    visited as (
      select state.facility_uuid, quarter.start, state.library_version as version, state.assessed_at::date as day
      from facility_state as state join ${ofSite} using (facility_uuid)
      join quarter on state.period_start <= quarter.start and (state."until" is null or state."until" > quarter.start)
      where state.library_version is not null and (state."until" is null or state."until" > ${first}::date)),
    kept as (
      select facility_uuid, tdb_uuid, period_start, lead(period_start) over (partition by facility_uuid order by period_start) as "until" from (
        select facility_uuid, tdb_uuid, period_start from tdb_rollup join ${ofSite} using (facility_uuid) where period = 'quarter' and period_start > ${first}::date
        union all
        select facility.facility_uuid, before.* from ${ofSite} cross join lateral (
          select tdb_uuid, period_start from tdb_rollup where tdb_rollup.facility_uuid = facility.facility_uuid and period = 'quarter' and period_start <= ${first}::date
          order by period_start desc limit 1) as before) as each),
    sent as (
      select kept.facility_uuid, quarter.start, btrim(tdb.library_version) as version, tdb.tdb_created_at::date as day
      from kept join tdb using (tdb_uuid) join quarter on kept.period_start <= quarter.start and (kept."until" is null or kept."until" > quarter.start)
      where btrim(tdb.library_version) <> '')
    select start::text as period_start, case when visited.day > sent.day or sent.day is null then visited.version else sent.version end as version, count(*) as facilities
    from visited full join sent using (facility_uuid, start) join facility using (facility_uuid)
    where facility.closed_on is null or facility.closed_on >= start + interval '3 months'
    group by 1, 2`.execute(handle);
  return rows;
}

export type FleetSiteRow = {
  facilityUuid: string;
  facilityName: string;
  provinceId: number;
  province: string;
  districtId: number;
  district: string;
  implementingPartnerId: number | null;
  implementingPartner: string | null;
  presentVersion: string | null;
  presentDate: string | null;
  source: "tdb" | "visit" | null;
  rolloutUuid: string;
  target: string;
  state: FleetState;
  downloadUuid: string | null;
  dueDate: string;
  days: number;
  outcome: UpdateOutcome | null;
  why: string | null;
  reportedDate: string | null;
};

const byName: Order = {
  columns: [
    { key: "facilityName", column: "site.facilityName", type: "text" },
    { key: "facilityUuid", column: "site.facilityUuid", type: "text" },
  ],
};

type FleetSiteFilter = {
  states?: readonly FleetState[] | undefined;
  rolloutUuid?: string | null | undefined;
  downloadUuid?: string | null | undefined;
  version?: string | null | undefined;
};

/** The sites that rollouts cover, by name; `downloadUuid`: only those that still need this file. */
export function listFleetSites(
  handle: Handle,
  {
    plan,
    page,
    states: wanted,
    rolloutUuid,
    downloadUuid,
    version,
    ...asked
  }: Asked & FleetSiteFilter & { plan: readonly PlanRow[]; page: PageInput },
): Promise<Page<FleetSiteRow>> {
  const is: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`];
  if (wanted) is.push(sql`site.state = any(${[...wanted]}::text[])`);
  if (rolloutUuid != null) is.push(sql`site.rollout_uuid::text = ${rolloutUuid}`);
  if (version != null) is.push(sql`site.present_version = ${version}`);
  if (downloadUuid != null)
    is.push(
      sql`site.facility_uuid in (select facility_uuid from (${left(asked, plan)}) as open where open.download_uuid = ${downloadUuid})`,
    );
  const rows = sql<FleetSiteRow>`(
    select site.facility_uuid, site.facility_name, site.province_id, province.name as province, site.district_id, district.name as district,
      site.implementing_partner_id, partner.name as implementing_partner, site.present_version, site.present_day as present_date, site.source,
      site.rollout_uuid, site.target, site.state, site.download_uuid, site.due_day as due_date, current_date - site.due_day as days,
      site.outcome, site.why, site.reported_at::date as reported_date
    from (${states(asked, plan)}) as site
    join province on province.province_id = site.province_id join district on district.district_id = site.district_id
    left join implementing_partner as partner on partner.implementing_partner_id = site.implementing_partner_id
    where ${sql.join(is, sql` and `)})`;
  return readPage(handle.selectFrom(rows.as("site")).selectAll(), byName, page);
}

type OwnSite = {
  presentVersion: string | null;
  presentDate: string | null;
  version: string | null;
  rolloutUuid: string | null;
  dueDate: string | null;
};

/** The version that one facility runs, and the rollout that is chosen for it. */
export async function findOwnSite(
  handle: Handle,
  asked: Asked & { facilityUuid: string },
): Promise<OwnSite | undefined> {
  const { rows } = await sql<OwnSite>`
    select present_version, present_day as present_date, version, rollout_uuid, due_day as due_date from (${sites(asked)}) as site`.execute(
    handle,
  );
  return rows[0];
}
