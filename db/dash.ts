import { type Expression, sql } from "kysely";

import type { Handle } from "./connect.ts";
import { type Days, onDays } from "./day.ts";
import { listBelow, type ParentKey, type Parents } from "./parents.ts";
import { mayBePeriod, tdbPeriodOf } from "./rollup.ts";
import { inScope, isNation, isOfScope, type Scope, type ScopeInQuery, scopeOf } from "./scope.ts";
import { type UnitLevel, unitsOf } from "./unit.ts";

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

/** Columns of the roll-up by place that a chart's rows add up. */
const sums: Record<Exclude<keyof ReportedCounts, "periodStart">, string> = {
  sumTrainedStaff: "staffTrained",
  sumSmartCareFunctional: "smartCareFunctional",
  sumPrimaryPower: "primaryPower",
  sumPrimaryPowerWorking: "primaryPowerWorking",
  sumBackupPower: "backupPower",
  sumBackupPowerWorking: "backupPowerWorking",
  efirst: "efirst",
  efast: "efast",
  elast: "elast",
};

/** What the facilities of a scope reported in periods of one kind, by first day; periods without a report are left out. */
export function listReportedCounts(
  handle: Handle,
  { kind, starts, ...asked }: Asked & { kind: PeriodInput["kind"]; starts: string[] },
): Promise<Below<ReportedCounts>[]> {
  return listFigures(handle, asked, (scope) => sql`
    select period_start, ${sql.join(Object.entries(sums).map(([name, column]) => sql`sum(${sql.ref(column)})::bigint as ${sql.ref(name)}`))}
    from place_answer_rollup
    where period = ${kind} and period_start = any(${starts}::date[]) and ${isOfScope(scope)}
    group by period_start having sum(facilities) > 0`);
}

/** What the facilities of a scope have of each value of a kind in a period; values that none has are left out. */
const counts = (kind: "libraryVersion" | "cpuCores" | "os64Bit", { scope, period }: { scope: ScopeInQuery; period: PeriodInput }) => sql`(
  select param, sum(value)::bigint as value from place_count_rollup
  where kind = ${kind} and period = ${period.kind} and period_start = ${period.start}::date and ${isOfScope(scope)}
  group by param having sum(value) > 0) as counted`;

/** Facilities by the library version that they reported last in a period; those that named none are left out. */
export function countByLibraryVersion(
  handle: Handle,
  { period, ...asked }: Asked & { period: PeriodInput },
): Promise<Below<ParamValue>[]> {
  return listFigures(handle, asked, (scope) => sql`select * from ${counts("libraryVersion", { scope, period })}`);
}

/** Computers that each facility's latest TDB of a period lists, by their number of cores, fewest first. */
export function countByCpuCores(
  handle: Handle,
  { period, ...asked }: Asked & { period: PeriodInput },
): Promise<Below<{ cpuCores: number; value: number }>[]> {
  return listFigures(handle, asked, (scope) => sql`
    select param::integer as cpu_cores, value from ${counts("cpuCores", { scope, period })} order by cpu_cores`);
}

/** The same computers by whether their system is a 64-bit one, those first. */
export function countByOs64Bit(
  handle: Handle,
  { period, ...asked }: Asked & { period: PeriodInput },
): Promise<Below<{ os64Bit: boolean; value: number }>[]> {
  return listFigures(handle, asked, (scope) => sql`
    select param::boolean as os64_bit, value from ${counts("os64Bit", { scope, period })} order by os64_bit desc`);
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
      select province_id,
        sum(value) filter (where period_start > current_date - 7)::bigint as week,
        sum(value) filter (where period_start > current_date - interval '1 month')::bigint as month,
        sum(value)::bigint as quarter
      from place_count_rollup
      where kind = 'assessments' and period = 'day' and ${isOfScope(scope)}
        and period_start > current_date - interval '3 months' and period_start <= current_date
      group by province_id)
    select province_id, name,
      coalesce(week, 0) as past_week, coalesce(month, 0) as past_month, coalesce(quarter, 0) as past_quarter
    from province left join made using (province_id)
    order by name, province_id`);
}

export type TdbHistory = { hxId: number; name: string; components: number; tdbCount: number; totalPatients: number };

/** TDBs received on these days, in each province or district of the scope by name, those without any included. */
export async function listTdbHistory(
  handle: Handle,
  { level, days, ...asked }: Asked & { level: UnitLevel; days: Required<Days> },
): Promise<Below<TdbHistory>[]> {
  if (mayBePeriod(days)) {
    const rows = await listFigures<TdbHistory>(handle, asked, (scope) => periodHistory({ level, days, scope }));
    if (rows.length > 0) return rows;
  }
  return listFigures(handle, asked, (scope) => daysHistory({ level, days, scope }));
}

type HistoryInQuery = { level: UnitLevel; days: Required<Days>; scope: ScopeInQuery };

/** The units with what was counted for them, `counted` by their id. */
const historyOf = ({ id, table, isWithin }: ReturnType<typeof unitsOf>) => sql`
  select unit.${id} as hx_id, unit.name, coalesce(facilities, 0) as components, coalesce(tdbs, 0) as tdb_count,
    coalesce(total_patients, 0) as total_patients
  from ${table} as unit left join counted using (${id})
  where ${isWithin}`;

/** A month, quarter or year is read from the roll-up by place. Not a row where the days are none. */
function periodHistory({ level, days, scope }: HistoryInQuery) {
  const units = unitsOf(level, scope);
  const { id, isCounted } = units;
  return sql`
    with asked as (${tdbPeriodOf(days)}),
    counted as (
      select ${id}, sum(facilities)::bigint as facilities, sum(tdbs)::bigint as tdbs, sum(total_patients)::bigint as total_patients
      from asked join place_tdb_rollup using (period, period_start) where ${isCounted} group by ${id})
    ${historyOf(units)} and exists (select from asked)
    order by unit.name, ${id}`;
}

/** Any other days are read from the index of receipts: each facility counts once, so its days and months do not add up. */
function daysHistory({ level, days, scope }: HistoryInQuery) {
  const units = unitsOf(level, scope);
  const { id } = units;
  const ofScope = isNation(scope) ? sql`true` : sql`facility_uuid in (select facility_uuid from facility where ${inScope(scope)})`;
  return sql`
    with latest as (
      select distinct on (facility_uuid) facility_uuid, total_patients, count(*) over (partition by facility_uuid) as tdbs
      from tdb where ${onDays("uploadedAt", days)} and ${ofScope}
      order by facility_uuid, tdb_created_at desc, uploaded_at desc, tdb_uuid desc),
    counted as (
      select ${id}, count(*) as facilities, sum(tdbs)::bigint as tdbs, sum(total_patients) as total_patients
      from latest join facility using (facility_uuid) group by ${id})
    ${historyOf(units)}
    order by unit.name, ${id}`;
}
