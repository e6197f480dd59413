import { type RawBuilder, sql } from "kysely";

import { periodsOf } from "../derived/calendar.ts";
import { onDays } from "../list/day.ts";
import { cutDays, type DayRange } from "../list/period.ts";
import { inScope, isNation, type ScopeInQuery } from "../list/scope.ts";
import { type UnitLevel, unitsOf } from "../list/unit.ts";
import { isCounted } from "../list/counted.ts";
import { roundedFigure } from "./roundedFigures.ts";

/**
 * TDBs received on some days, by province or district. A facility counts once, with its latest TDB of these days. So
 * the figures of two months do not add up: a single period is read from the roll-up by place, other days are computed
 * from the roll-up by facility.
 */

export type TdbHistory = {
  hxId: number;
  name: string;
  components: number;
  /** the facilities of the unit in the scope, whether they sent or not */
  of: number;
  tdbCount: number;
  totalPatients: number;
};

type Asked = { level: UnitLevel; days: DayRange; scope: ScopeInQuery };
const patients = sql.ref("totalPatients");

/** Whether a period may begin on the first of these days. */
export const mayBePeriod = ({ start }: DayRange): boolean => start.endsWith("-01");

/**
 * The period that has the same TDBs as these days, as a row (period, period_start); no row if there is none. The days
 * are the whole period, or they contain all days of it on which TDBs were received, for example in the month to date.
 */
const tdbPeriodOf = ({ start, end }: DayRange): RawBuilder<unknown> => sql`
  select p.period, p.period_start from ${periodsOf(sql`${start}::date::timestamp`)}
  where p.period_start = ${start}::date and p.period_end > ${end}::date
    and (p.period_end = ${end}::date + 1 or coalesce((
      select t.uploaded_at::date from tdb t
      where t.uploaded_at < p.period_end + interval '1 day' and t.uploaded_at::date < p.period_end
      order by t.uploaded_at desc limit 1), p.period_start) <= ${end}::date)
  limit ${sql.lit(1)}`;

/** The number of facilities of each unit today, as the table `sites`. */
const sites = ({ id, isCounted }: ReturnType<typeof unitsOf>) => sql`
  sites as (
    select ${id}, sum(value)::bigint as sites from place_count_rollup
    where kind = 'sites' and period = 'day' and period_start = 'infinity' and ${isCounted} group by ${id})`;

/** The units of the scope with their rows of the tables `counted` and `sites`. */
const history = ({ id, table, isWithin }: ReturnType<typeof unitsOf>) => sql`
  select unit.${id} as hx_id, unit.name, coalesce(facilities, 0) as components, coalesce(sites, 0) as of, coalesce(tdbs, 0) as tdb_count,
    coalesce(total_patients, 0) as total_patients
  from ${table} as unit left join counted using (${id}) left join sites using (${id})
  where ${isWithin}`;

/** The history of a month, quarter or fiscal year, or of one to date. No rows if the days are none of these. */
export function historyOfPeriod({ level, days, scope }: Asked): RawBuilder<unknown> {
  const units = unitsOf(level, scope);
  return sql`
    with asked as (${tdbPeriodOf(days)}),
    counted as (
      select ${units.id}, sum(facilities)::bigint as facilities, sum(tdbs)::bigint as tdbs, sum(total_patients)::bigint as total_patients
      from asked join place_tdb_rollup using (period, period_start) where ${units.isCounted} group by ${units.id}),
    ${sites(units)}
    ${history(units)} and exists (select from asked)
    order by unit.name, unit.${units.id}`;
}

/**
 * The history of any days: rows by facility for the whole periods among them, and receipts for the remaining days.
 * `rounded`: the patients of each facility are rounded before they are added up.
 */
export function historyOfDays({ level, days, scope, rounded }: Asked & { rounded: boolean }): RawBuilder<unknown> {
  const units = unitsOf(level, scope);
  const cut = cutDays(days);
  const columns = sql`facility_uuid, tdb_created_at, uploaded_at, tdb_uuid, total_patients`;
  const ofScope = isNation(scope)
    ? sql`true`
    : sql`facility_uuid in (select facility_uuid from facility where ${inScope(scope)})`;
  const received = [
    ...cut.periods.map(
      ({ period, first, last }) => sql`
      select ${columns}, tdbs from tdb_rollup
      where period = ${period} and period_start between ${first}::date and ${last}::date and ${ofScope}`,
    ),
    ...cut.days.map(
      (left) =>
        sql`select ${columns}, 1 from tdb where ${isCounted("tdb")} and ${onDays("uploadedAt", left)} and ${ofScope}`,
    ),
  ];
  return sql`
    with received (${columns}, tdbs) as (${sql.join(received, sql` union all `)}),
    latest as (
      select distinct on (facility_uuid) facility_uuid, total_patients, sum(tdbs) over (partition by facility_uuid) as tdbs
      from received order by facility_uuid, tdb_created_at desc, uploaded_at desc, tdb_uuid desc),
    counted as (
      select ${units.id}, count(*) as facilities, sum(tdbs)::bigint as tdbs,
        sum(${rounded ? roundedFigure(patients, "patients") : patients})::bigint as total_patients
      from latest join facility using (facility_uuid) group by ${units.id}),
    ${sites(units)}
    ${history(units)}
    order by unit.name, unit.${units.id}`;
}
