import { type RawBuilder, sql } from "kysely";

import type { Database, Handle } from "./engine/connect.ts";
import { fixedRow } from "./engine/fixed.ts";
import type { DayRange } from "./period.ts";
import { unlimited } from "./engine/prepared.ts";
import { rebuildTdbSilence } from "./silenceRollup.ts";

/**
 * Roll-ups of the fiscal calendar, which the dashboards read: for each facility and each month, quarter and year the latest
 * assessment and the latest TDB of that period (with how many there are). They are derived: a rebuild from the assessments and TDBs gives the same rows.
 */

/** The month, quarter and fiscal year (from 1 October) that a local timestamp lies in, as rows period, period_start, period_end. */
const periodsOf = (local: RawBuilder<unknown>) => sql`lateral (
  select period, start::date as period_start, (start + length)::date as period_end
  from (values
    ('month', date_trunc('month', ${local}), interval '1 month'),
    ('quarter', date_trunc('quarter', ${local}), interval '3 months'),
    ('year', date_trunc('year', ${local} + interval '3 months') - interval '3 months', interval '1 year')
  ) as calendar (period, start, length)) as p`;

const assessmentColumns = sql`period, period_start, facility_uuid, assessment_uuid, staff_trained, smart_care_functional,
  primary_power, primary_power_working, backup_power, backup_power_working, functionality_status_mode, library_version, assessed_at, assessments`;
const tdbColumns = sql`period, period_start, facility_uuid, tdb_uuid, tdb_created_at, uploaded_at, tdbs, deltas, file_size, total_patients`;
/** A row that is there takes the new one's values, one that has them is left alone: the roll-ups by place see the difference only. */
const replaceRow = (table: string, columns: string) => sql`
  on conflict (period, period_start, facility_uuid) do update set (${sql.raw(columns)}) = (
    select ${sql.raw(columns.split(", ").map((name) => `excluded.${name}`).join(", "))})
  where ${sql.table(table)}.* is distinct from excluded.*`;
const replaceAssessment = replaceRow(
  "assessment_rollup",
  `assessment_uuid, staff_trained, smart_care_functional, primary_power, primary_power_working, backup_power, backup_power_working, functionality_status_mode, library_version, assessed_at, assessments`,
);
const replaceTdb = replaceRow("tdb_rollup", "tdb_uuid, tdb_created_at, uploaded_at, tdbs, deltas, file_size, total_patients");
/** Where the facility lies and whose it is: what the roll-ups by place are counted from (by triggers, see the migration of them). */
const placeColumns = sql`province_id, district_id, implementing_partner_id`;
const placeOf = sql`facility.province_id, facility.district_id, facility.implementing_partner_id`;
/** What a chart needs of an assessment; what is not known does not count as there. */
const assessmentValues = sql`a.facility_uuid, a.assessment_uuid, a.number_of_staff_trained_in_smart_care,
  coalesce(a.smart_care_functional, false), coalesce(a.primary_power, false), coalesce(a.primary_power_working, false),
  coalesce(a.backup_power, false), coalesce(a.backup_power_working, false), a.functionality_status_mode, a.library_version, a.assessed_at`;

/** The latest comes first; ids settle ties, so that every rebuild picks the same one. */
const latestAssessmentFirst = sql`a.assessed_at desc, a.assessment_uuid desc`;
const latestTdbFirst = sql`t.tdb_created_at desc, t.uploaded_at desc, t.tdb_uuid desc`;

/**
 * The latest assessment of every facility and period. The latest of a quarter or year is the latest of one of its months: all
 * rows are sorted once, the few that are left are sorted again.
 */
const latestAssessments = sql`(
  select distinct on (p.period, p.period_start, a.facility_uuid) p.period, p.period_start, a.assessment_uuid,
    sum(a.assessments) over (partition by p.period, p.period_start, a.facility_uuid) as assessments
  from (
    select distinct on (date_trunc('month', a.assessed_at::timestamp), a.facility_uuid) a.facility_uuid, a.assessed_at, a.assessment_uuid,
      count(*) over (partition by date_trunc('month', a.assessed_at::timestamp), a.facility_uuid) as assessments
    from assessment a order by date_trunc('month', a.assessed_at::timestamp), a.facility_uuid, ${latestAssessmentFirst}) as a
  cross join ${periodsOf(sql`a.assessed_at::timestamp`)}
  order by p.period, p.period_start, a.facility_uuid, ${latestAssessmentFirst}) as p`;
const latestTdbs = sql`
  select distinct on (p.period, p.period_start, t.facility_uuid) p.period, p.period_start, t.facility_uuid, t.tdb_uuid, t.tdb_created_at, t.uploaded_at,
    sum(t.tdbs) over same as tdbs, sum(t.deltas) over same as deltas, sum(t.file_size) over same as file_size, t.total_patients
  from (
    select distinct on (date_trunc('month', t.uploaded_at::timestamp), t.facility_uuid)
      t.facility_uuid, t.tdb_created_at, t.uploaded_at, t.tdb_uuid, t.total_patients,
      count(*) over same as tdbs, count(*) filter (where t.delta) over same as deltas, sum(t.file_size) over same as file_size
    from tdb t window same as (partition by date_trunc('month', t.uploaded_at::timestamp), t.facility_uuid)
    order by date_trunc('month', t.uploaded_at::timestamp), t.facility_uuid, ${latestTdbFirst}) as t
  cross join ${periodsOf(sql`t.uploaded_at::timestamp`)}
  window same as (partition by p.period, p.period_start, t.facility_uuid)
  order by p.period, p.period_start, t.facility_uuid, ${latestTdbFirst}`;

/**
 * How many assessments a facility has of each day, for the sheet of the last three months; of days long ago nobody asks, so they
 * are not kept up to date.
 */
const countedSince = sql`(current_date - interval '4 months')`;
const countsByDay = sql`insert into assessment_day_rollup (facility_uuid, day, assessments, ${placeColumns})`;

/** Whether an instant lies on a day of period `p`; the comparison with the column itself is for its index (see day.ts). */
const inPeriod = (instant: RawBuilder<unknown>) => sql`${instant} >= p.period_start - interval '1 day'
  and ${instant} < p.period_end + interval '1 day'
  and ${instant}::date >= p.period_start and ${instant}::date < p.period_end`;

/** Whether a period begins with these days, so that it is worth asking for it. */
export const mayBePeriod = ({ start }: DayRange): boolean => start.endsWith("-01");

/**
 * The period whose TDBs are those received on these days, as a row period, period_start; none if there is none. The days are
 * all of the period, or all that any TDB of it was received on: so it is with the month to date.
 */
export const tdbPeriodOf = ({ start, end }: DayRange): RawBuilder<unknown> => sql`
  select p.period, p.period_start from ${periodsOf(sql`${start}::date::timestamp`)}
  where p.period_start = ${start}::date and p.period_end > ${end}::date
    and (p.period_end = ${end}::date + 1 or coalesce((
      select t.uploaded_at::date from tdb t
      where t.uploaded_at < p.period_end + interval '1 day' and t.uploaded_at::date < p.period_end
      order by t.uploaded_at desc limit 1), p.period_start) <= ${end}::date)
  limit ${sql.lit(1)}`;

/** The periods that contain these days, each once. */
const periodsWith = (days: readonly string[]) => sql`(
  select distinct p.period, p.period_start, p.period_end
  from unnest(${days}::date[]) as day cross join ${periodsOf(sql`day::timestamp`)}) as p`;

/**
 * Recounts one facility's periods that contain the days on which its assessments were added, changed (the old day and the
 * new one) or removed, and its present mode. Belongs into the transaction of that change, after it; that transaction holds the
 * facility (`lockFacility`), so that whoever else recounts it waits.
 */
export async function refreshAssessmentRollups(handle: Handle, touched: { facilityUuid: string; days: readonly string[] }): Promise<void> {
  const counted = await recountAssessments(handle, touched);
  if (counted?.isNewMode) await setPresentModes(handle, sql`facility.facility_uuid = ${touched.facilityUuid}`);
}

/** Answers whether the facility's present mode is another one now. */
const recountAssessments = fixedRow((_, { facilityUuid, days }: { facilityUuid: string; days: readonly string[] }) => {
  const ofFacility = sql`facility.facility_uuid = ${facilityUuid}`;
  return sql<{ isNewMode: boolean }>`
    with latest as (
      select p.period, p.period_start, found.* from ${periodsWith(days)} left join lateral (
        select ${assessmentValues}, count(*) over () as assessments from assessment a
        where a.facility_uuid = ${facilityUuid} and ${inPeriod(sql`a.assessed_at`)}
        order by ${latestAssessmentFirst} limit 1) as found on true),
    emptied as (
      delete from assessment_rollup r using latest
      where r.facility_uuid = ${facilityUuid} and r.period = latest.period and r.period_start = latest.period_start
        and latest.assessment_uuid is null),
    reported as (
      insert into assessment_rollup (${assessmentColumns}, ${placeColumns})
      select latest.*, ${placeOf} from latest join facility using (facility_uuid)
      ${replaceAssessment}),
    counted as (
      ${countsByDay}
      select facility_uuid, day, made.assessments, ${placeOf}
      from facility cross join (select distinct day from unnest(${days}::date[]) as day) as touched
      cross join lateral (
        select count(*) as assessments from assessment a
        where a.facility_uuid = facility.facility_uuid and a.assessed_at::date = day
          and a.assessed_at >= day - interval '1 day' and a.assessed_at < day + interval '2 days') as made
      where ${ofFacility} and day >= ${countedSince}
      on conflict (facility_uuid, day) do update set assessments = excluded.assessments)
    select ${isNewMode} as is_new_mode from facility where ${ofFacility}`;
});

/** Recounts one facility's periods that contain the days of receipt of TDBs added or removed; as `refreshAssessmentRollups`. */
export async function refreshTdbRollups(
  handle: Handle,
  { facilityUuid, days }: { facilityUuid: string; days: readonly string[] },
): Promise<void> {
  await sql`
    delete from tdb_rollup r using ${periodsWith(days)}
    where r.facility_uuid = ${facilityUuid} and r.period = p.period and r.period_start = p.period_start
      and not exists (select from tdb t where t.facility_uuid = r.facility_uuid and ${inPeriod(sql`t.uploaded_at`)})
  `.execute(handle);
  await sql`
    insert into tdb_rollup (${tdbColumns}, ${placeColumns})
    select p.period, p.period_start, facility.facility_uuid, latest.*, ${placeOf}
    from facility cross join ${periodsWith(days)} cross join lateral (
      select t.tdb_uuid, t.tdb_created_at, t.uploaded_at, count(*) over () as tdbs, count(*) filter (where t.delta) over () as deltas,
        sum(t.file_size) over () as file_size, t.total_patients
      from tdb t
      where t.facility_uuid = facility.facility_uuid and ${inPeriod(sql`t.uploaded_at`)}
      order by ${latestTdbFirst} limit 1) as latest
    where facility.facility_uuid = ${facilityUuid}
    ${replaceTdb}
  `.execute(handle);
}

/** A facility's present mode is that of its latest assessment. */
const presentMode = sql`(
  select a.functionality_status_mode from assessment a where a.facility_uuid = facility.facility_uuid
  order by ${latestAssessmentFirst} limit 1)`;
const isNewMode = sql<boolean>`facility.functionality_status_mode is distinct from ${presentMode}`;

const setPresentModes = (handle: Handle, which: RawBuilder<unknown>) =>
  sql`update facility set functionality_status_mode = ${presentMode} where ${which} and ${isNewMode}`.execute(handle);

const byFacility = ["assessment_rollup", "assessment_day_rollup", "tdb_rollup", "tdb_silence"];
const byPlace = ["place_answer_rollup", "place_count_rollup", "place_tdb_rollup"];

/**
 * Counts every roll-up and present mode anew, in one transaction (the caller's, if there is one). Readers go on with the old
 * rows; whoever saves an assessment or TDB meanwhile waits. Facilities are locked first, as the savers do.
 */
export async function rebuildRollups(handle: Handle): Promise<void> {
  if (!handle.isTransaction) return (handle as Database).transaction().execute(rebuildRollups);
  const { rows } = await sql<{ timeout: string; memory: string }>`
    select current_setting('statement_timeout') as timeout, current_setting('work_mem') as memory`.execute(handle);
  await sql.raw(unlimited).execute(handle);
  await sql`set local work_mem = '64MB'`.execute(handle);
  await sql`lock table facility, ${sql.join([...byFacility, ...byPlace].map((name) => sql.table(name)))} in exclusive mode`.execute(handle);
  // What is counted by place goes at once, not row by row; what comes is counted as ever.
  for (const name of byFacility) await sql`alter table ${sql.table(name)} disable trigger user`.execute(handle);
  for (const name of [...byPlace, ...byFacility]) await sql`delete from ${sql.table(name)}`.execute(handle);
  for (const name of byFacility) await sql`alter table ${sql.table(name)} enable trigger user`.execute(handle);
  await sql`
    insert into assessment_rollup (${assessmentColumns}, ${placeColumns})
    select p.period, p.period_start, ${assessmentValues}, p.assessments, ${placeOf}
    from ${latestAssessments} join assessment a using (assessment_uuid) join facility on facility.facility_uuid = a.facility_uuid
    order by p.period, p.period_start, a.facility_uuid
  `.execute(handle);
  await sql`
    ${countsByDay}
    select made.*, ${placeOf}
    from (
      select facility_uuid, assessed_at::date as day, count(*) from assessment
      where assessed_at >= ${countedSince} - interval '1 day' and assessed_at::date >= ${countedSince} group by 1, 2) as made
    join facility using (facility_uuid)
  `.execute(handle);
  await sql`
    insert into tdb_rollup (${tdbColumns}, ${placeColumns})
    select latest.*, ${placeOf} from (${latestTdbs}) as latest join facility using (facility_uuid)
  `.execute(handle);
  await rebuildTdbSilence(handle);
  await setPresentModes(handle, sql`true`);
  const { timeout, memory } = rows[0]!;
  await sql`select set_config('statement_timeout', ${timeout}, true), set_config('work_mem', ${memory}, true)`.execute(handle);
}

const zoneSetting = "rollup_time_zone";
/** Any number that no other advisory lock of ours has. */
const rebuildLock = 20_261_001;

/**
 * Sees to it that the roll-ups count days of this zone: rebuilds them when they were last counted in another one (or never).
 * Of several instances that start together one rebuilds, the others wait.
 *
 * @returns whether it rebuilt
 */
export async function rebuildRollupsIn(handle: Database, zone: string): Promise<boolean> {
  const inForce = async (on: Handle) =>
    (await on.selectFrom("setting").select("value").where("name", "=", zoneSetting).executeTakeFirst())?.value;
  if ((await inForce(handle)) === zone) return false;
  return handle.transaction().execute(async (transaction) => {
    await sql.raw(unlimited).execute(transaction);
    await sql`select pg_advisory_xact_lock(${rebuildLock})`.execute(transaction);
    if ((await inForce(transaction)) === zone) return false;
    await sql`select set_config('TimeZone', ${zone}, true)`.execute(transaction);
    await rebuildRollups(transaction);
    await transaction
      .insertInto("setting")
      .values({ name: zoneSetting, value: zone })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: zone }))
      .execute();
    return true;
  });
}
