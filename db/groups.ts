import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { Handle } from "./connect.ts";
import { type Days, onDays } from "./day.ts";
import { type FacilityListFilter, facilityMatches, type RollupPeriod, rollupRow } from "./facilityFilter.ts";
import { inScope, type Scope } from "./scope.ts";

/** Groups of facilities, assessments and TDBs with their counts and sums: one statement each. */

const placeKeys = ["province", "district", "implementingPartner"] as const;
type Grouping = {
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
const withPlaces = sql`facility join district using (district_id)
  join province on province.province_id = facility.province_id
  left join implementing_partner on implementing_partner.implementing_partner_id = facility.implementing_partner_id`;

/** `select … group by … order by …` in three parts: the key columns of a grouping, in the order asked. */
function keysOf({ by }: Grouping, own: { mode: Expression; libraryVersion: Expression; periodStart: Expression }) {
  const columns: Record<string, Expression> = {};
  for (const key of by) {
    if (key === "period") columns.periodStart = own.periodStart;
    else Object.assign(columns, key === "mode" || key === "libraryVersion" ? { [key]: own[key] } : places[key]);
  }
  const names = Object.keys(columns);
  if (names.length === 0) return { select: sql``, group: sql`` };
  const numbers = sql.join(names.map((_, index) => sql.raw(String(index + 1))));
  return {
    select: sql`${sql.join(names.map((name) => sql`${columns[name]!} as ${sql.ref(name)}`))},`,
    group: sql`group by ${numbers} order by ${numbers}`,
  };
}

/** The version that was named; none where it was left empty. */
const version = (column: string) => sql`nullif(btrim(${sql.ref(column)}), '')`;
const startOf = (kind: RollupPeriod["kind"] | null | undefined, instant: string) =>
  kind === "year"
    ? sql`(date_trunc('year', ${sql.ref(instant)}::timestamp + interval '3 months') - interval '3 months')::date`
    : sql`date_trunc(${sql.lit(kind ?? "month")}, ${sql.ref(instant)}::timestamp)::date`;

const having = (column: string, name: string) => sql`count(*) filter (where counted.${sql.ref(column)}) as ${sql.ref(name)}`;
const inMode = (mode: string, name: string) =>
  sql`count(*) filter (where counted.functionality_status_mode = ${sql.lit(mode)}) as ${sql.ref(name)}`;
/** What the counted assessments say: each facility once. */
const sums = sql.join([
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
 * Facilities in groups, each with what its latest assessment says: of every period of `kind`, of the one `period`, or of all
 * time. With a period only those count that were assessed in it. `within` bounds the periods of a kind (the end is not in it).
 */
export async function listFacilityGroups(
  handle: Handle,
  {
    filter: { mode, period, ...filter },
    within,
    search,
    ...grouping
  }: Grouping & { filter: FacilityListFilter; within?: { start: string; end: string } | null; search?: RawBuilder<boolean> | null },
): Promise<FacilityGroup[]> {
  const { kind, limit } = grouping;
  const conditions: RawBuilder<SqlBool>[] = [facilityMatches(filter)];
  const isTimed = kind != null || period != null;
  if (kind) conditions.push(sql`counted.period = ${kind}`);
  else if (period) conditions.push(sql`counted.period = ${period.kind} and counted.period_start = ${period.start}::date`);
  if (kind && within)
    conditions.push(sql`counted.period_start >= ${within.start}::date and counted.period_start < ${within.end}::date`);
  if (mode != null) conditions.push(sql`${isTimed ? sql`counted` : sql`facility`}.functionality_status_mode = ${mode}`);
  if (search) conditions.push(search);
  const keys = keysOf(grouping, {
    mode: isTimed ? sql`counted.functionality_status_mode` : sql`facility.functionality_status_mode`,
    libraryVersion: version("counted.library_version"),
    periodStart: sql`counted.period_start`,
  });
  const counted = isTimed
    ? sql`join assessment_rollup counted on counted.facility_uuid = facility.facility_uuid`
    : sql`left join lateral ${rollupRow(null)} counted on true`;
  const { rows } = await sql<FacilityGroup>`
    select ${keys.select} count(*) as facilities, count(counted.assessment_uuid) as assessed, ${sums}
    from ${withPlaces} ${counted}
    where ${sql.join(conditions, sql` and `)}
    ${keys.group} limit ${limit}`.execute(handle);
  return rows;
}

type VisitFilter = Scope & Days & { facilityUuid?: string | null; userUuid?: string | null };
export type AssessmentGroup = GroupKeys & AnswerSums & { assessments: number };

/** Which rows of a facility and group are counted as one: those alike in what only the row itself tells. */
const onceBy = ({ by, kind }: Grouping, own: Partial<Record<"mode" | "libraryVersion", Expression>>, start: Expression) =>
  sql.join([
    sql`facility.facility_uuid`,
    ...(by.includes("mode") && own.mode ? [own.mode] : []),
    ...(by.includes("libraryVersion") && own.libraryVersion ? [own.libraryVersion] : []),
    ...(kind ? [start] : []),
  ]);

/** Assessments in groups: how many there are, and what the latest one of each facility in the group says. */
export async function listAssessmentGroups(
  handle: Handle,
  {
    filter: { facilityUuid, userUuid, mode, smartCareFunctional, ...filter },
    ...grouping
  }: Grouping & { filter: VisitFilter & { mode?: string | null; smartCareFunctional?: boolean | null } },
): Promise<AssessmentGroup[]> {
  const conditions = [inScope(filter), onDays("assessment.assessedAt", filter)];
  if (facilityUuid != null) conditions.push(sql`assessment.facility_uuid = ${facilityUuid}`);
  if (userUuid != null) conditions.push(sql`assessment.user_uuid = ${userUuid}`);
  if (mode != null) conditions.push(sql`assessment.functionality_status_mode = ${mode}`);
  if (smartCareFunctional != null) conditions.push(sql`assessment.smart_care_functional = ${smartCareFunctional}`);
  const start = startOf(grouping.kind, "assessment.assessedAt");
  const named = version("assessment.libraryVersion");
  const once = onceBy(grouping, { mode: sql`assessment.functionality_status_mode`, libraryVersion: named }, start);
  const keys = keysOf(grouping, {
    mode: sql`counted.functionality_status_mode`,
    libraryVersion: sql`counted.library_version`,
    periodStart: sql`counted.period_start`,
  });
  const { rows } = await sql<AssessmentGroup>`
    with counted as (
      select distinct on (${once}) assessment.facility_uuid, number_of_staff_trained_in_smart_care as staff_trained,
        smart_care_functional, primary_power, primary_power_working, backup_power, backup_power_working,
        assessment.functionality_status_mode, ${named} as library_version, ${start} as period_start,
        count(*) over (partition by ${once}) as visits
      from assessment join facility using (facility_uuid)
      where ${sql.join(conditions, sql` and `)}
      order by ${once}, assessment.assessed_at desc, assessment.assessment_uuid desc)
    select ${keys.select} coalesce(sum(visits), 0)::bigint as assessments, count(*) as facilities, ${sums}
    from counted join ${withPlaces} using (facility_uuid)
    ${keys.group} limit ${grouping.limit}`.execute(handle);
  return rows;
}

export type TdbGroup = GroupKeys & {
  tdbCount: number;
  facilities: number;
  deltaTdbs: number;
  totalPatients: number;
  fileSize: number;
};

/** TDBs by the day of receipt in groups: how many, their bytes, and the patients of each facility's latest in the group. */
export async function listTdbGroups(
  handle: Handle,
  { filter: { facilityUuid, userUuid, delta, ...filter }, ...grouping }: Grouping & { filter: VisitFilter & { delta?: boolean | null } },
): Promise<TdbGroup[]> {
  const conditions = [inScope(filter), onDays("tdb.uploadedAt", filter)];
  if (facilityUuid != null) conditions.push(sql`tdb.facility_uuid = ${facilityUuid}`);
  if (userUuid != null) conditions.push(sql`tdb.user_uuid = ${userUuid}`);
  if (delta != null) conditions.push(sql`tdb.delta = ${delta}`);
  const start = startOf(grouping.kind, "tdb.uploadedAt");
  const named = version("tdb.libraryVersion");
  const once = onceBy(grouping, { libraryVersion: named }, start);
  const keys = keysOf(grouping, {
    mode: sql`facility.functionality_status_mode`,
    libraryVersion: sql`counted.library_version`,
    periodStart: sql`counted.period_start`,
  });
  const { rows } = await sql<TdbGroup>`
    with counted as (
      select distinct on (${once}) tdb.facility_uuid, total_patients, ${named} as library_version, ${start} as period_start,
        count(*) over same as received, count(*) filter (where delta) over same as deltas, sum(file_size) over same as bytes
      from tdb join facility using (facility_uuid)
      where ${sql.join(conditions, sql` and `)}
      window same as (partition by ${once})
      order by ${once}, tdb.tdb_created_at desc, tdb.uploaded_at desc, tdb.tdb_uuid desc)
    select ${keys.select} coalesce(sum(received), 0)::bigint as tdb_count, count(*) as facilities,
      coalesce(sum(deltas), 0)::bigint as delta_tdbs, coalesce(sum(total_patients), 0)::bigint as total_patients,
      coalesce(sum(bytes), 0)::bigint as file_size
    from counted join ${withPlaces} using (facility_uuid)
    ${keys.group} limit ${grouping.limit}`.execute(handle);
  return rows;
}
