import { sql } from "kysely";

import type { Handle } from "./connect.ts";
import { type Days, onDays } from "./day.ts";
import { inScope, type Scope } from "./scope.ts";

/** Figures of the dashboards: one statement each. Those by period read roll-up rows, never assessments. */

export type PeriodInput = { kind: "month" | "quarter" | "year"; start: string };
export type ParamValue = { param: string; value: number };

type Reported = "smartCareFunctional" | "primaryPower" | "primaryPowerWorking" | "backupPower" | "backupPowerWorking";
const reporting = (column: Reported) => sql<number>`count(*) filter (where ${sql.ref(`assessmentRollup.${column}`)})`;
const inMode = (mode: string) => sql<number>`count(*) filter (where assessment_rollup.functionality_status_mode = ${mode})`;

/** What the facilities of a scope reported in periods of one kind, by first day; periods without a report are left out. */
export function listReportedCounts(
  handle: Handle,
  { scope, kind, starts }: { scope: Scope; kind: PeriodInput["kind"]; starts: string[] },
) {
  return handle
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
    ])
    .execute();
}

/** Facilities by the library version that they reported last in a period; those that named none are left out. */
export function countByLibraryVersion(
  handle: Handle,
  { scope, period }: { scope: Scope; period: PeriodInput },
): Promise<ParamValue[]> {
  const version = sql<string>`btrim(assessment_rollup.library_version)`;
  return handle
    .selectFrom("assessmentRollup")
    .innerJoin("facility", "facility.facilityUuid", "assessmentRollup.facilityUuid")
    .where("period", "=", period.kind)
    .where("periodStart", "=", period.start)
    .where(inScope(scope))
    .where(version, "<>", "")
    .groupBy(version)
    .select([version.as("param"), sql<number>`count(*)`.as("value")])
    .execute();
}

/** The computers that each facility's latest TDB of a period lists. */
const computers = (handle: Handle, { scope, period }: { scope: Scope; period: PeriodInput }) =>
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
  input: { scope: Scope; period: PeriodInput },
): Promise<{ cpuCores: number; value: number }[]> {
  return computers(handle, input)
    .groupBy("cpuCores")
    .orderBy("cpuCores")
    .select(["cpuCores", sql<number>`sum(computers)`.as("value")])
    .execute();
}

/** Computers by whether their system is a 64-bit one, those first. */
export function countByOs64Bit(
  handle: Handle,
  input: { scope: Scope; period: PeriodInput },
): Promise<{ os64Bit: boolean; value: number }[]> {
  return computers(handle, input)
    .groupBy("os64Bit")
    .orderBy("os64Bit", "desc")
    .select(["os64Bit", sql<number>`sum(computers)`.as("value")])
    .execute();
}

export type SummarySheetCounts = {
  provinceId: number;
  name: string;
  pastWeek: number;
  pastMonth: number;
  pastQuarter: number;
};

/** Assessments made in the last 7 days, month and three months, today included, in each province by name. */
export async function listSummarySheet(handle: Handle, { scope }: { scope: Scope }): Promise<SummarySheetCounts[]> {
  const { rows } = await sql<SummarySheetCounts>`
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
    order by name, province_id
  `.execute(handle);
  return rows;
}

export type TdbHistory = { hxId: number; name: string; components: number; tdbCount: number; totalPatients: number };

/** TDBs received on these days, in each province or district of the scope by name, those without any included. */
export async function listTdbHistory(
  handle: Handle,
  { level, days, scope }: { level: "province" | "district"; days: Required<Days>; scope: Scope },
): Promise<TdbHistory[]> {
  const id = sql.ref(`${level}Id`);
  const within = [sql`true`];
  if (scope.provinceId != null) within.push(sql`unit.province_id = ${scope.provinceId}`);
  if (scope.districtId != null)
    within.push(
      level === "district"
        ? sql`unit.district_id = ${scope.districtId}`
        : sql`unit.province_id = (select province_id from district where district_id = ${scope.districtId})`,
    );
  const { rows } = await sql<TdbHistory>`
    with latest as (
      select distinct on (facility_uuid) facility_uuid, total_patients, count(*) over (partition by facility_uuid) as tdbs
      from tdb where ${onDays("uploadedAt", days)}
      order by facility_uuid, tdb_created_at desc, uploaded_at desc, tdb_uuid desc),
    received as (
      select facility.${id}, count(*) as components, sum(tdbs)::bigint as tdb_count, sum(total_patients) as total_patients
      from latest join facility using (facility_uuid) where ${inScope(scope)}
      group by facility.${id})
    select unit.${id} as hx_id, unit.name, coalesce(components, 0) as components, coalesce(tdb_count, 0) as tdb_count,
      coalesce(total_patients, 0) as total_patients
    from ${sql.table(level)} as unit left join received using (${id})
    where ${sql.join(within, sql` and `)}
    order by unit.name, ${id}
  `.execute(handle);
  return rows;
}
