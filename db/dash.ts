import { type Expression, sql } from "kysely";

import type { Handle } from "./connect.ts";
import { type Days, onDays } from "./day.ts";
import { listBelow, type ParentKey, type Parents } from "./parents.ts";
import { inScope, type Scope, type ScopeInQuery, scopeOf } from "./scope.ts";

/**
 * Figures of the dashboards: one statement each, for one scope or (`of`) for many parents. Those by period read roll-up rows,
 * never assessments.
 */

/** What a figure is asked for: a scope, or the part of it that lies below each of several parents. */
export type Asked = { scope: Scope; of?: Parents | null };
/** A row of a figure, with the parent it is of where there are several. */
export type Below<Row> = Row & { parentKey?: ParentKey };

/** Runs a figure's query for its scope or for every parent. */
async function listFigures<Row>(
  handle: Handle,
  { scope, of }: Asked,
  query: (scope: ScopeInQuery) => Expression<unknown>,
): Promise<Below<Row>[]> {
  const within = query(scopeOf(scope, of));
  if (of) return listBelow<Row>(of, within);
  return (await sql<Below<Row>>`${within}`.execute(handle)).rows;
}

export type PeriodInput = { kind: "month" | "quarter" | "year"; start: string };
export type ParamValue = { param: string; value: number };

type Reported = "smartCareFunctional" | "primaryPower" | "primaryPowerWorking" | "backupPower" | "backupPowerWorking";
const reporting = (column: Reported) => sql<number>`count(*) filter (where ${sql.ref(`assessmentRollup.${column}`)})`;
const inMode = (mode: string) => sql<number>`count(*) filter (where assessment_rollup.functionality_status_mode = ${mode})`;

export type ReportedCounts = {
  periodStart: string;
  sumTrainedStaff: number;
  sumSmartCareFunctional: number;
  sumPrimaryPower: number;
  sumPrimaryPowerWorking: number;
  sumBackupPower: number;
  sumBackupPowerWorking: number;
  efirst: number;
  efast: number;
  elast: number;
};

/** What the facilities of a scope reported in periods of one kind, by first day; periods without a report are left out. */
export function listReportedCounts(
  handle: Handle,
  { kind, starts, ...asked }: Asked & { kind: PeriodInput["kind"]; starts: string[] },
): Promise<Below<ReportedCounts>[]> {
  return listFigures(handle, asked, (scope) => handle
    .selectFrom("assessmentRollup")
    .innerJoin("facility", "facility.facilityUuid", "assessmentRollup.facilityUuid")
    .where("period", "=", kind)
    .where("periodStart", "=", sql<string>`any(${starts}::date[])`)
    .where(inScope(scope))
    .groupBy("periodStart")
    .select([
      "periodStart",
      sql<number>`sum(staff_trained)`.as("sumTrainedStaff"),
      reporting("smartCareFunctional").as("sumSmartCareFunctional"),
      reporting("primaryPower").as("sumPrimaryPower"),
      reporting("primaryPowerWorking").as("sumPrimaryPowerWorking"),
      reporting("backupPower").as("sumBackupPower"),
      reporting("backupPowerWorking").as("sumBackupPowerWorking"),
      inMode("EFirst").as("efirst"),
      inMode("EFast").as("efast"),
      inMode("ELast").as("elast"),
    ]));
}

/** Facilities by the library version that they reported last in a period; those that named none are left out. */
export function countByLibraryVersion(
  handle: Handle,
  { period, ...asked }: Asked & { period: PeriodInput },
): Promise<Below<ParamValue>[]> {
  const version = sql<string>`btrim(assessment_rollup.library_version)`;
  return listFigures(handle, asked, (scope) => handle
    .selectFrom("assessmentRollup")
    .innerJoin("facility", "facility.facilityUuid", "assessmentRollup.facilityUuid")
    .where("period", "=", period.kind)
    .where("periodStart", "=", period.start)
    .where(inScope(scope))
    .where(version, "<>", "")
    .groupBy(version)
    .select([version.as("param"), sql<number>`count(*)`.as("value")]));
}

/** The computers that each facility's latest TDB of a period lists. */
const computers = (handle: Handle, { scope, period }: { scope: ScopeInQuery; period: PeriodInput }) =>
  handle
    .selectFrom("tdbRollup")
    .innerJoin("facility", "facility.facilityUuid", "tdbRollup.facilityUuid")
    .innerJoin("tdbComputer", "tdbComputer.tdbUuid", "tdbRollup.tdbUuid")
    .where("period", "=", period.kind)
    .where("periodStart", "=", period.start)
    .where(inScope(scope));

/** Computers by their number of cores, fewest first. */
export function countByCpuCores(
  handle: Handle,
  { period, ...asked }: Asked & { period: PeriodInput },
): Promise<Below<{ cpuCores: number; value: number }>[]> {
  return listFigures(handle, asked, (scope) => computers(handle, { scope, period })
    .groupBy("cpuCores")
    .orderBy("cpuCores")
    .select(["cpuCores", sql<number>`sum(computers)`.as("value")]));
}

/** Computers by whether their system is a 64-bit one, those first. */
export function countByOs64Bit(
  handle: Handle,
  { period, ...asked }: Asked & { period: PeriodInput },
): Promise<Below<{ os64Bit: boolean; value: number }>[]> {
  return listFigures(handle, asked, (scope) => computers(handle, { scope, period })
    .groupBy("os64Bit")
    .orderBy("os64Bit", "desc")
    .select(["os64Bit", sql<number>`sum(computers)`.as("value")]));
}

export type SummarySheetCounts = {
  provinceId: number;
  name: string;
  pastWeek: number;
  pastMonth: number;
  pastQuarter: number;
};

/** Assessments made in the last 7 days, month and three months, today included, in each province by name. */
export function listSummarySheet(handle: Handle, asked: Asked): Promise<Below<SummarySheetCounts>[]> {
  return listFigures(handle, asked, (scope) => sql`
    with made as (
      select facility.province_id,
        count(*) filter (where assessed_at::date > current_date - 7) as week,
        count(*) filter (where assessed_at::date > current_date - interval '1 month') as month,
        count(*) filter (where assessed_at::date > current_date - interval '3 months') as quarter
      from assessment join facility using (facility_uuid)
      where assessed_at >= current_date - interval '3 months' and assessed_at < current_date + interval '2 days'
        and assessed_at::date <= current_date and ${inScope(scope)}
      group by facility.province_id)
    select province_id, name,
      coalesce(week, 0) as past_week, coalesce(month, 0) as past_month, coalesce(quarter, 0) as past_quarter
    from province left join made using (province_id)
    order by name, province_id`);
}

export type TdbHistory = { hxId: number; name: string; components: number; tdbCount: number; totalPatients: number };

/** TDBs received on these days, in each province or district of the scope by name, those without any included. */
export function listTdbHistory(
  handle: Handle,
  { level, days, ...asked }: Asked & { level: "province" | "district"; days: Required<Days> },
): Promise<Below<TdbHistory>[]> {
  return listFigures(handle, asked, (scope) => tdbHistory({ level, days, scope }));
}

function tdbHistory({ level, days, scope }: { level: "province" | "district"; days: Required<Days>; scope: ScopeInQuery }) {
  const id = sql.ref(`${level}Id`);
  const within = [sql`true`];
  if (scope.provinceId != null) within.push(sql`unit.province_id = ${scope.provinceId}`);
  if (scope.districtId != null)
    within.push(
      level === "district"
        ? sql`unit.district_id = ${scope.districtId}`
        : sql`unit.province_id = (select province_id from district where district_id = ${scope.districtId})`,
    );
  return sql`
    with latest as (
      select distinct on (tdb.facility_uuid) facility.${id}, total_patients, count(*) over (partition by tdb.facility_uuid) as tdbs
      from tdb join facility on facility.facility_uuid = tdb.facility_uuid
      where ${onDays("uploadedAt", days)} and ${inScope(scope)}
      order by tdb.facility_uuid, tdb_created_at desc, uploaded_at desc, tdb_uuid desc),
    received as (
      select ${id}, count(*) as components, sum(tdbs)::bigint as tdb_count, sum(total_patients) as total_patients
      from latest group by ${id})
    select unit.${id} as hx_id, unit.name, coalesce(components, 0) as components, coalesce(tdb_count, 0) as tdb_count,
      coalesce(total_patients, 0) as total_patients
    from ${sql.table(level)} as unit left join received using (${id})
    where ${sql.join(within, sql` and `)}
    order by unit.name, ${id}`;
}
