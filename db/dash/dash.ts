import { type Expression, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { inDatabase } from "../engine/naming.ts";
import type { RollupPeriod } from "../facility/facilityFilter.ts";
import { listBelow, type ParentKey, type Parents } from "../list/parents.ts";
import type { DayRange } from "../list/period.ts";
import { isOfScope, type Scope, type ScopeInQuery, scopeOf } from "../list/scope.ts";
import { type SummarySheetCounts, summarySheet } from "./summarySheet.ts";
import { historyOfDays, historyOfPeriod, mayBePeriod, type TdbHistory } from "./tdbHistory.ts";
import type { UnitLevel } from "../list/unit.ts";

/**
 * The dashboards' figures: one statement each, for one scope or (`of`) for many parents. Figures of a period are read
 * from roll-ups, never from assessments.
 */

export type { SummarySheetCounts } from "./summarySheet.ts";
export type { TdbHistory } from "./tdbHistory.ts";

/** The input of a figure: a scope, or (`of`) the part of it below each of several parents. */
export type Asked = { scope: Scope; of?: Parents | null };
/** A row of a figure, with its parent if there are several. */
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

/** `of`: how many facilities were assessed, or how many computers are listed. */
export type ParamValue = { param: string; value: number; of: number };

export type ReportedCounts = {
  kind: RollupPeriod["kind"];
  periodStart: string;
  /** in the scope today, whether they reported or not */
  facilities: number;
  /** those that reported in the period */
  assessed: number;
  sumTrainedStaff: number;
  sumSmartCareFunctional: number;
  sumPrimaryPower: number;
  sumPrimaryPowerWorking: number;
  sumBackupPower: number;
  sumBackupPowerWorking: number;
  notRecordedSmartCareFunctional: number;
  notRecordedPrimaryPower: number;
  notRecordedPrimaryPowerWorking: number;
  notRecordedBackupPower: number;
  notRecordedBackupPowerWorking: number;
  efirst: number;
  efast: number;
  elast: number;
  partial: number;
  notDeployed: number;
  notOperational: number;
};

/** The columns of the roll-up by place whose sums a chart shows. */
export const reportedColumns: Record<
  Exclude<keyof ReportedCounts, "kind" | "periodStart" | "facilities" | "assessed">,
  string
> = {
  sumTrainedStaff: "staffTrained",
  sumSmartCareFunctional: "smartCareFunctional",
  sumPrimaryPower: "primaryPower",
  sumPrimaryPowerWorking: "primaryPowerWorking",
  sumBackupPower: "backupPower",
  sumBackupPowerWorking: "backupPowerWorking",
  notRecordedSmartCareFunctional: "notRecordedSmartCareFunctional",
  notRecordedPrimaryPower: "notRecordedPrimaryPower",
  notRecordedPrimaryPowerWorking: "notRecordedPrimaryPowerWorking",
  notRecordedBackupPower: "notRecordedBackupPower",
  notRecordedBackupPowerWorking: "notRecordedBackupPowerWorking",
  efirst: "efirst",
  efast: "efast",
  elast: "elast",
  partial: "partial",
  notDeployed: "notDeployed",
  notOperational: "notOperational",
};

/** The sums of a period: one text, since these are many. */
const reportedSums = sql.raw(
  Object.entries({ assessed: "facilities", ...reportedColumns })
    .map(([name, column]) => `coalesce(sum(${inDatabase(column)}), 0)::bigint as ${inDatabase(name)}`)
    .join(", "),
);

/** What the facilities of a scope reported in each of these periods. A period without reports has zeros. */
export const listReportedCounts = (
  handle: Handle,
  { periods, ...asked }: Asked & { periods: RollupPeriod[] },
): Promise<Below<ReportedCounts>[]> =>
  listFigures(
    handle,
    asked,
    (scope) => sql`
    select asked.kind, asked.start as period_start, place.facilities, reported.*
    from unnest(${periods.map(({ kind }) => kind)}::text[], ${periods.map(({ start }) => start)}::date[]) as asked(kind, start)
    cross join (
      select coalesce(sum(value), 0)::bigint as facilities from place_count_rollup
      where kind = 'sites' and period = 'day' and period_start = 'infinity' and ${isOfScope(scope)}) as place
    cross join lateral (
      select ${reportedSums} from place_answer_rollup
      where period = asked.kind and period_start = asked.start and ${isOfScope(scope)}) as reported`,
  );

/**
 * Counts by each value of a kind (a version, a number of cores …) in a period, for a scope. Values that were not
 * counted are left out.
 */
const counts = (
  kind: "libraryVersion" | "cpuCores" | "os64Bit",
  { scope, period }: { scope: ScopeInQuery; period: RollupPeriod },
) => sql`(
  select param, sum(value)::bigint as value from place_count_rollup
  where kind = ${kind} and period = ${period.kind} and period_start = ${period.start}::date and ${isOfScope(scope)}
  group by param having sum(value) > 0) as counted`;

/**
 * Facilities by their last reported library version in a period. Facilities without one are left out, but are among
 * those assessed (`of`).
 */
export function countByLibraryVersion(
  handle: Handle,
  { period, ...asked }: Asked & { period: RollupPeriod },
): Promise<Below<ParamValue>[]> {
  return listFigures(
    handle,
    asked,
    (scope) => sql`
    select counted.*, (
      select coalesce(sum(facilities), 0)::bigint from place_answer_rollup
      where period = ${period.kind} and period_start = ${period.start}::date and ${isOfScope(scope)}) as of
    from ${counts("libraryVersion", { scope, period })}`,
  );
}

/** Computers in each facility's latest TDB of a period, by number of cores, fewest first. */
export function countByCpuCores(
  handle: Handle,
  { period, ...asked }: Asked & { period: RollupPeriod },
): Promise<Below<{ cpuCores: number; value: number; of: number }>[]> {
  return listFigures(
    handle,
    asked,
    (scope) => sql`
    select param::integer as cpu_cores, value, sum(value) over ()::bigint as of from ${counts("cpuCores", { scope, period })} order by cpu_cores`,
  );
}

/** The same computers by whether their operating system is a 64-bit one; those that are come first. */
export function countByOs64Bit(
  handle: Handle,
  { period, ...asked }: Asked & { period: RollupPeriod },
): Promise<Below<{ os64Bit: boolean; value: number; of: number }>[]> {
  return listFigures(
    handle,
    asked,
    (scope) => sql`
    select param::boolean as os64_bit, value, sum(value) over ()::bigint as of from ${counts("os64Bit", { scope, period })} order by os64_bit desc`,
  );
}

/** Assessments made in the last 7 days, month and three months, today included, in each province; ordered by name. */
export function listSummarySheet(handle: Handle, asked: Asked): Promise<Below<SummarySheetCounts>[]> {
  return listFigures(handle, asked, summarySheet);
}

/**
 * TDBs received on these days in each province or district of the scope, ordered by name; units without any are
 * included. `rounded`: the patients of each facility are rounded (roundedFigures.ts), which rows by place cannot tell.
 */
export async function listTdbHistory(
  handle: Handle,
  { level, days, rounded, ...asked }: Asked & { level: UnitLevel; days: DayRange; rounded: boolean },
): Promise<Below<TdbHistory>[]> {
  if (!rounded && mayBePeriod(days)) {
    const rows = await listFigures<TdbHistory>(handle, asked, (scope) => historyOfPeriod({ level, days, scope }));
    if (rows.length > 0) return rows;
  }
  return listFigures(handle, asked, (scope) => historyOfDays({ level, days, scope, rounded }));
}

type SenderRow = {
  periodStart: string;
  provinceId: number;
  districtId: number;
  implementingPartnerId: number;
  facilities: number;
};

/**
 * How many facilities of each district and partner (0: none) sent a TDB in some months, or (`computers`) sent one that
 * lists computers in some fiscal years. Each period is given by its first day. As in the figures, only a facility's
 * latest TDB of the period counts.
 */
export async function countTdbSenders(
  handle: Handle,
  { kind, starts }: { kind: "month" | "computers"; starts: readonly string[] },
): Promise<SenderRow[]> {
  const [period, withComputers] =
    kind === "month"
      ? ["month", sql``]
      : ["year", sql` and exists (select from tdb_computer where tdb_computer.tdb_uuid = tdb_rollup.tdb_uuid)`];
  const { rows } = await sql<SenderRow>`
    select period_start, province_id, district_id, coalesce(implementing_partner_id, 0) as implementing_partner_id, count(*) as facilities from tdb_rollup
    where period = ${period} and period_start = any(${[...starts]}::date[])${withComputers}
    group by 1, 2, 3, 4`.execute(handle);
  return rows;
}
