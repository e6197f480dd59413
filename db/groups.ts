import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { Handle } from "./engine/connect.ts";
import { type FacilityListFilter, facilityMatches, type RollupPeriod, stateRow } from "./facilityFilter.ts";

/** Groups of facilities with their counts and sums, and what all groups have in common (those over time: historyGroups.ts). */

const placeKeys = ["province", "district", "implementingPartner"] as const;
export type Grouping = {
  by: readonly ((typeof placeKeys)[number] | "mode" | "libraryVersion" | "period")[];
  /** what kind of period */
  kind?: RollupPeriod["kind"] | null;
  /** no more groups than this are read */
  limit: number;
};

/** What a group is told by; what it is not grouped by is missing. */
export type GroupKeys = {
  provinceId?: number;
  province?: string;
  districtId?: number;
  district?: string;
  implementingPartnerId?: number | null;
  implementingPartner?: string | null;
  implementingPartnerActive?: boolean | null;
  mode?: string | null;
  libraryVersion?: string | null;
  periodStart?: string;
};

export type AnswerSums = {
  facilities: number;
  sumTrainedStaff: number;
  sumSmartCareFunctional: number;
  sumPrimaryPower: number;
  sumPrimaryPowerWorking: number;
  sumBackupPower: number;
  sumBackupPowerWorking: number;
  efirst: number;
  efast: number;
  elast: number;
  partial: number;
  notDeployed: number;
  notOperational: number;
};

type Expression = RawBuilder<unknown>;
const places: Record<(typeof placeKeys)[number], Record<string, Expression>> = {
  province: { province: sql`province.name`, provinceId: sql`province.province_id` },
  district: {
    district: sql`district.name`,
    districtId: sql`district.district_id`,
    province: sql`province.name`,
    provinceId: sql`province.province_id`,
  },
  implementingPartner: {
    implementingPartner: sql`implementing_partner.name`,
    implementingPartnerId: sql`implementing_partner.implementing_partner_id`,
    implementingPartnerActive: sql`implementing_partner.active`,
  },
};
export const withPlaces = sql`facility join district using (district_id)
  join province on province.province_id = facility.province_id
  left join implementing_partner on implementing_partner.implementing_partner_id = facility.implementing_partner_id`;

/** `select … group by … order by …` in its three parts: the key columns of a grouping, in the order asked. */
export function keysOf({ by }: Grouping, own: { mode: Expression; libraryVersion: Expression; periodStart: Expression }) {
  const columns: Record<string, Expression> = {};
  for (const key of by) {
    if (key === "period") columns.periodStart = own.periodStart;
    else Object.assign(columns, key === "mode" || key === "libraryVersion" ? { [key]: own[key] } : places[key]);
  }
  const names = Object.keys(columns);
  if (names.length === 0) return { select: sql``, group: sql``, order: sql`` };
  const numbers = sql.join(names.map((_, index) => sql.raw(String(index + 1))));
  return {
    select: sql`${sql.join(names.map((name) => sql`${columns[name]!} as ${sql.ref(name)}`))},`,
    group: sql`group by ${numbers}`,
    order: sql`order by ${numbers}`,
  };
}

/** The version that was named; none where it was left empty. */
export const version = (column: string) => sql`nullif(btrim(${sql.ref(column)}), '')`;

const having = (column: string, name: string) => sql`count(*) filter (where counted.${sql.ref(column)}) as ${sql.ref(name)}`;
const inMode = (mode: string, name: string) =>
  sql`count(*) filter (where counted.functionality_status_mode = ${sql.lit(mode)}) as ${sql.ref(name)}`;
/** What the counted assessments say: each facility once. */
export const sums = sql.join([
  sql`coalesce(sum(counted.staff_trained), 0)::bigint as sum_trained_staff`,
  having("smart_care_functional", "sum_smart_care_functional"),
  having("primary_power", "sum_primary_power"),
  having("primary_power_working", "sum_primary_power_working"),
  having("backup_power", "sum_backup_power"),
  having("backup_power_working", "sum_backup_power_working"),
  inMode("EFirst", "efirst"),
  inMode("EFast", "efast"),
  inMode("ELast", "elast"),
  inMode("Partial", "partial"),
  inMode("NotDeployed", "not_deployed"),
  inMode("NotOperational", "not_operational"),
]);

export type FacilityGroup = GroupKeys & AnswerSums & { assessed: number };

/**
 * Facilities in groups, each with what its latest assessment says: of every period of `kind`, of the one `period`, as at a day (`asOf`), or of all
 * time. With a period only those count that were assessed in it. `within` bounds the periods of a kind (the end is not in it).
 */
export async function listFacilityGroups(
  handle: Handle,
  {
    filter: { mode, period, asOf, ...filter },
    within,
    search,
    ...grouping
  }: Grouping & { filter: FacilityListFilter; within?: { start: string; end: string } | null; search?: RawBuilder<boolean> | null },
): Promise<FacilityGroup[]> {
  const { kind, limit } = grouping;
  const conditions: RawBuilder<SqlBool>[] = [facilityMatches({ ...filter, asOf, withClosed: kind != null || period != null })];
  const isTimed = kind != null || period != null;
  const stated = isTimed || asOf != null ? sql`counted` : sql`facility`;
  if (kind) conditions.push(sql`counted.period = ${kind}`);
  else if (period) conditions.push(sql`counted.period = ${period.kind} and counted.period_start = ${period.start}::date`);
  if (kind && within)
    conditions.push(sql`counted.period_start >= ${within.start}::date and counted.period_start < ${within.end}::date`);
  if (mode != null) conditions.push(sql`${stated}.functionality_status_mode = ${mode}`);
  if (search) conditions.push(search);
  const keys = keysOf(grouping, {
    mode: sql`${stated}.functionality_status_mode`,
    libraryVersion: version("counted.library_version"),
    periodStart: sql`counted.period_start`,
  });
  const counted = isTimed
    ? sql`join assessment_rollup counted on counted.facility_uuid = facility.facility_uuid`
    : sql`left join lateral ${stateRow({ asOf })} counted on true`;
  const { rows } = await sql<FacilityGroup>`
    select ${keys.select} count(*) as facilities, count(counted.assessment_uuid) as assessed, ${sums}
    from ${withPlaces} ${counted}
    where ${sql.join(conditions, sql` and `)}
    ${keys.group} ${keys.order} limit ${limit}`.execute(handle);
  return rows;
}
