import { type RawBuilder, type SqlBool, sql } from "kysely";

import { answers, assessmentRollup } from "../derived/latest.ts";
import type { Handle } from "../engine/connect.ts";
import { reportedColumns } from "./dash.ts";
import { noted } from "../assessment/assessment.ts";
import { type Days, onDays } from "../list/day.ts";
import { figures, type Figures } from "./figures.ts";
import { type GroupKeys, type Grouping, keysOf, type OwnKey, placeKeys, rowKeys, withPlaces } from "./groupKeys.ts";
import { type AnswerSums, sums, version } from "./groups.ts";
import { cutDays, type Periods } from "../list/period.ts";
import { inScope, isNation, type Scope } from "../list/scope.ts";
import { isCounted } from "../list/counted.ts";
import { roundedFigure } from "./roundedFigures.ts";

/**
 * Groups of assessments and TDBs with their counts and sums: one statement each. Groups by place and period are read
 * from the roll-ups by place. Other groups are counted from rows by facility: whole periods are read from the roll-ups,
 * the remaining days from the history. If the roll-ups lack a key that is asked for, all days are read from the
 * history.
 */

type HistoryFilter = Scope & Days & { facilityUuid?: string | null; userUuid?: string | null };

/** The first day of the period of an instant or a day; null if not grouped by period. */
const startOf = (kind: Grouping["kind"], time: string) =>
  kind == null
    ? sql`null::date`
    : kind === "year"
      ? sql`(date_trunc('year', ${sql.ref(time)}::timestamp + interval '3 months') - interval '3 months')::date`
      : sql`date_trunc(${sql.lit(kind)}, ${sql.ref(time)}::timestamp)::date`;

/** Whole fiscal years around all days that can be asked for (1900 to 9998). */
const always = { start: "1899-10-01", end: "9999-09-30" };
type Cut = { periods: Periods[]; days: Days[] };
/** The days of a filter as whole periods, no longer than those of the groups, and the days that are left over. */
const cut = ({ start, end }: Days, { kind }: Grouping): Cut =>
  cutDays({ start: start ?? always.start, end: end ?? always.end }, kind ?? "year");

/** The condition that a row of a history or roll-up belongs to the scope, and to the facility if one is given. */
function ofScope(table: string, { facilityUuid, ...filter }: HistoryFilter): RawBuilder<SqlBool> {
  const own = sql.ref(`${table}.facilityUuid`);
  const isOne = facilityUuid == null ? sql`true` : sql`${own} = ${facilityUuid}`;
  return isNation(filter)
    ? sql`${isOne}`
    : sql`(${isOne} and ${own} in (select facility_uuid from facility where ${inScope(filter)}))`;
}
const ofPeriods = (table: string, { period, first, last }: Periods): RawBuilder<SqlBool> =>
  sql`${sql.ref(`${table}.period`)} = ${period} and ${sql.ref(`${table}.periodStart`)} between ${first}::date and ${last}::date`;

/**
 * The periods whose rows by place are the groups: those of the kind that is grouped by, or the only one in the filter.
 * Null if rows by place cannot answer.
 */
function periodsOfPlaces(
  { by, kind }: Grouping,
  { facilityUuid }: HistoryFilter,
  { periods, days }: Cut,
): Periods | null {
  const [only, ...more] = periods;
  if (!only || more.length > 0 || days.length > 0 || facilityUuid != null || by.some((key) => !placeKeys.has(key)))
    return null;
  return (kind ? only.period === kind : only.first === only.last) ? only : null;
}

/** Groups by place and period, added up from a roll-up by place. */
async function listPlaceGroups<Row>(
  handle: Handle,
  table: string,
  {
    columns,
    periods,
    scope: { provinceId, districtId, implementingPartnerId },
    ...grouping
  }: Grouping & { columns: Record<string, string>; periods: Periods; scope: Scope },
): Promise<Row[]> {
  const { by, limit } = grouping;
  const isByPartner = by.includes("implementingPartner") && implementingPartnerId == null;
  // The row of partner 0 counts all facilities. Subtracting the rows of the partners leaves the facilities without a
  // partner.
  const partners = isByPartner
    ? sql`(nullif(kept.implementing_partner_id, 0), 1), (null, case kept.implementing_partner_id when 0 then 0 else -1 end)`
    : sql`(${implementingPartnerId ?? null}::integer, 1)`;
  const conditions = [
    ofPeriods("kept", periods),
    by.includes("district") && districtId == null
      ? sql`kept.district_id <> 0`
      : sql`kept.district_id = ${districtId ?? 0}`,
    ...(provinceId == null ? [] : [sql`kept.province_id = ${provinceId}`]),
    ...(isByPartner ? [] : [sql`kept.implementing_partner_id = ${implementingPartnerId ?? 0}`]),
  ];
  const keys = keysOf(grouping, { period: sql`kept.period_start` });
  const { rows } = await sql<Row>`
    select ${keys.select} ${sql.join(Object.entries(columns).map(([name, column]) => sql`coalesce(sum(sign * kept.${sql.ref(column)}), 0)::bigint as ${sql.ref(name)}`))}
    from ${sql.table(table)} as kept cross join lateral (values ${partners}) as signed (partner, sign)
      join province using (province_id) left join district on district.district_id = kept.district_id
      left join implementing_partner on implementing_partner.implementing_partner_id = signed.partner
    where ${sql.join(conditions, sql` and `)}
    ${keys.group} ${by.length > 0 ? sql`having sum(sign * kept.facilities) > 0` : sql``} ${keys.order} limit ${limit}`.execute(
    handle,
  );
  return rows;
}

/** The columns by which a facility's rows are one in a group: only its latest row with the same values is counted. */
const onceBy = ({ by, kind }: Grouping, own: Partial<Record<OwnKey, string>>) =>
  sql.join(
    ["facility_uuid", ...by.flatMap((key) => own[key as OwnKey] ?? []), ...(kind ? ["period_start"] : [])].map(
      (column) => sql.ref(column),
    ),
  );

export type AssessmentGroup = GroupKeys & AnswerSums & { assessments: number };
type AssessmentFilter = HistoryFilter & {
  mode?: string | null;
  smartCareFunctional?: boolean | null;
  /** a text that its notes contain */
  search?: string | null;
};

/** The columns of the roll-up by place whose sums a group of assessments shows. */
const assessmentColumns: Record<keyof AnswerSums | "assessments", string> = {
  assessments: "assessments",
  facilities: "facilities",
  ...reportedColumns,
};

/** The key columns that only a row of the history has. */
const own = sql`user_uuid, weekday, said_functional`;
const columnOf = { user: "user_uuid", weekday: "weekday", smartCareFunctional: "said_functional" };
const keyColumns = {
  user: sql`counted.user_uuid`,
  weekday: sql`counted.weekday`,
  smartCareFunctional: sql`counted.said_functional`,
  libraryVersion: sql`counted.library_version`,
  period: sql`counted.period_start`,
};
/** Whether a key is asked for that only the rows of the history have. */
const needsRows = ({ by }: Grouping, keys: readonly OwnKey[]) => [...keys, ...rowKeys].some((key) => by.includes(key));
const weekdayOf = (time: string) => sql`extract(isodow from ${sql.ref(time)})::integer`;

/** The columns by which a facility's assessments are one in a group. */
const onceOf = (grouping: Grouping) =>
  onceBy(grouping, { ...columnOf, mode: "functionality_status_mode", libraryVersion: "library_version" });

/** The part `with found as (…)` of a statement: the assessments of the groups. */
function foundAssessments(filter: AssessmentFilter, grouping: Grouping, found: Cut): RawBuilder<unknown> {
  const { kind } = grouping;
  const rolledUp = found.periods.map(
    (each) => sql`
    select facility_uuid, assessed_at, assessment_uuid, assessments, staff_trained, ${answers}, functionality_status_mode,
      null as library_version, ${startOf(kind, "periodStart")} as period_start, null::uuid, null::integer, null::boolean
    from ${assessmentRollup} as kept where ${ofPeriods("kept", each)} and ${ofScope("kept", filter)}`,
  );
  const left = found.days.map(
    (each) => sql`
    select facility_uuid, assessed_at, assessment_uuid, 1, number_of_staff_trained_in_smart_care as staff_trained, ${answers}, functionality_status_mode,
      ${version("libraryVersion")} as library_version, ${startOf(kind, "assessedAt")} as period_start, user_uuid, ${weekdayOf("assessedAt")}, smart_care_functional
    from assessment where ${ofVisits(each, filter)}`,
  );
  return sql`
    with found (facility_uuid, assessed_at, assessment_uuid, assessments, staff_trained, ${answers}, functionality_status_mode, library_version, period_start, ${own})
      as (${sql.join([...rolledUp, ...left], sql` union all `)})`;
}

/** The part `with … counted as (…)` of a statement: the latest assessment of each facility in each group. */
function countedAssessments(filter: AssessmentFilter, grouping: Grouping, found: Cut): RawBuilder<unknown> {
  const once = onceOf(grouping);
  return sql`${foundAssessments(filter, grouping, found)},
    counted as (
      select distinct on (${once}) *, sum(assessments) over (partition by ${once}) as visits
      from found order by ${once}, assessed_at desc, assessment_uuid desc)`;
}

/** The condition that an `assessment` is counted, was made on these days and matches the filter. */
const ofVisits = (
  days: Days,
  { userUuid, mode, smartCareFunctional, search, ...where }: AssessmentFilter,
) => sql<SqlBool>`(
  ${isCounted("assessment")} and ${onDays("assessment.assessedAt", days)} and ${ofScope("assessment", where)}
  and ${mode == null ? sql`true` : sql`assessment.functionality_status_mode = ${mode}`} and ${userUuid == null ? sql`true` : sql`assessment.user_uuid = ${userUuid}`}
  and ${smartCareFunctional == null ? sql`true` : sql`assessment.smart_care_functional = ${smartCareFunctional}`}
  and ${search == null ? sql`true` : noted(search)})`;

function cutAssessments(
  { userUuid, mode, smartCareFunctional, search, ...where }: AssessmentFilter,
  grouping: Grouping,
): Cut {
  const isRolledUp =
    [userUuid, mode, smartCareFunctional, search].every((given) => given == null) &&
    !needsRows(grouping, ["mode", "libraryVersion"]);
  return isRolledUp ? cut(where, grouping) : { periods: [], days: [where] };
}

/** Assessments in groups: how many there are, and the sums over the latest one of each facility in the group. */
export async function listAssessmentGroups(
  handle: Handle,
  { filter, ...grouping }: Grouping & { filter: AssessmentFilter },
): Promise<AssessmentGroup[]> {
  const found = cutAssessments(filter, grouping);
  const ofPlaces = periodsOfPlaces(grouping, filter, found);
  if (ofPlaces)
    return listPlaceGroups(handle, "placeAnswerRollup", {
      ...grouping,
      columns: assessmentColumns,
      periods: ofPlaces,
      scope: filter,
    });
  const keys = keysOf(grouping, { ...keyColumns, mode: sql`counted.functionality_status_mode` });
  const { rows } = await sql<AssessmentGroup>`
    ${countedAssessments(filter, grouping, found)}
    select ${keys.select} coalesce(sum(visits), 0)::bigint as assessments, count(*) as facilities, ${sums}
    from counted join ${withPlaces(grouping)} using (facility_uuid)
    ${keys.group} ${keys.order} limit ${grouping.limit}`.execute(handle);
  return rows;
}

/** The figures, in groups, of the days between each row of a history and the previous row of the same facility. */
async function listDaysBetween(
  handle: Handle,
  { table, at, uuid }: { table: string; at: string; uuid: string },
  keys: ReturnType<typeof keysOf>,
  where: RawBuilder<SqlBool>,
  grouping: Grouping,
): Promise<(GroupKeys & Figures)[]> {
  const of = (row: string, column: string) => sql.ref(`${row}.${column}`);
  const { rows } = await sql<GroupKeys & Figures>`
    select ${keys.select} ${figures(sql`(${of(table, at)}::date - ${of("before", at)}::date)`)}
    from ${sql.table(table)} join ${withPlaces(grouping)} using (facility_uuid) left join lateral (
      select ${sql.ref(at)} from ${sql.table(table)} as earlier
      where earlier.facility_uuid = ${of(table, "facilityUuid")}
        and (${of("earlier", at)}, ${of("earlier", uuid)}) < (${of(table, at)}, ${of(table, uuid)})
      order by ${of("earlier", at)} desc, ${of("earlier", uuid)} desc limit 1) as before on true
    where ${where} ${keys.group} limit ${grouping.limit}`.execute(handle);
  return rows;
}

export type AssessmentFact = "staffTrained" | "withoutPower" | "daysBetweenVisits" | "daysToReceipt" | "visitors";

const factsOfLatest: { [Fact in AssessmentFact]?: RawBuilder<unknown> } = {
  staffTrained: sql`counted.staff_trained`,
  withoutPower: sql`(not (counted.primary_power_working or counted.backup_power_working))::integer`,
};

/**
 * The figures of a fact in the same groups: over each facility's latest assessment in the group or its visitors, or
 * over the days between each visit and the facility's previous visit or its receipt.
 */
export async function listAssessmentFigures(
  handle: Handle,
  { filter, fact, ...grouping }: Grouping & { filter: AssessmentFilter; fact: AssessmentFact },
): Promise<(GroupKeys & Figures)[]> {
  const ofLatest = factsOfLatest[fact];
  if (ofLatest) {
    const keys = keysOf(grouping, { ...keyColumns, mode: sql`counted.functionality_status_mode` });
    const { rows } = await sql<GroupKeys & Figures>`
      ${countedAssessments(filter, grouping, cutAssessments(filter, grouping))}
      select ${keys.select} ${figures(ofLatest)} from counted join ${withPlaces(grouping)} using (facility_uuid)
      ${keys.group} limit ${grouping.limit}`.execute(handle);
    return rows;
  }
  if (fact === "visitors") {
    const keys = keysOf(grouping, { ...keyColumns, mode: sql`counted.functionality_status_mode` });
    const { rows } = await sql<GroupKeys & Figures>`
      ${foundAssessments(filter, grouping, { periods: [], days: [filter] })},
      counted as (select ${onceOf(grouping)}, count(distinct user_uuid) as visitors from found group by ${onceOf(grouping)})
      select ${keys.select} ${figures(sql`counted.visitors`)} from counted join ${withPlaces(grouping)} using (facility_uuid)
      ${keys.group} limit ${grouping.limit}`.execute(handle);
    return rows;
  }
  const keys = keysOf(grouping, {
    mode: sql`assessment.functionality_status_mode`,
    libraryVersion: version("assessment.libraryVersion"),
    period: startOf(grouping.kind, "assessment.assessedAt"),
    user: sql`assessment.user_uuid`,
    weekday: weekdayOf("assessment.assessedAt"),
    smartCareFunctional: sql`assessment.smart_care_functional`,
  });
  if (fact === "daysToReceipt") {
    const { rows } = await sql<GroupKeys & Figures>`
      select ${keys.select} ${figures(sql`(assessment.received_at::date - assessment.assessed_at::date)`)}
      from assessment join ${withPlaces(grouping)} using (facility_uuid)
      where ${ofVisits(filter, filter)} ${keys.group} limit ${grouping.limit}`.execute(handle);
    return rows;
  }
  return listDaysBetween(
    handle,
    { table: "assessment", at: "assessedAt", uuid: "assessmentUuid" },
    keys,
    ofVisits(filter, filter),
    grouping,
  );
}

const tdbColumns = {
  tdbCount: "tdbs",
  facilities: "facilities",
  deltaTdbs: "deltas",
  totalPatients: "totalPatients",
  fileSize: "fileSize",
};
export type TdbGroup = GroupKeys & {
  tdbCount: number;
  facilities: number;
  deltaTdbs: number;
  totalPatients: number;
  fileSize: number;
};

type TdbFilter = HistoryFilter & { delta?: boolean | null };

/** The condition that a `tdb` was received on these days and matches the filter. */
const ofReceipts = (days: Days, { userUuid, delta, ...where }: TdbFilter) => sql<SqlBool>`(
  ${isCounted("tdb")} and ${onDays("tdb.uploadedAt", days)} and ${ofScope("tdb", where)}
  and ${userUuid == null ? sql`true` : sql`tdb.user_uuid = ${userUuid}`} and ${delta == null ? sql`true` : sql`tdb.delta = ${delta}`})`;

function cutTdbs({ userUuid, delta, ...where }: TdbFilter, grouping: Grouping): Cut {
  const isRolledUp = userUuid == null && delta == null && !needsRows(grouping, ["libraryVersion"]);
  return isRolledUp ? cut(where, grouping) : { periods: [], days: [where] };
}

/** The part `with … counted as (…)` of a statement: the latest TDB of each facility in each group. */
function countedTdbs(filter: TdbFilter, grouping: Grouping, found: Cut): RawBuilder<unknown> {
  const { kind } = grouping;
  const rolledUp = found.periods.map(
    (each) => sql`
    select facility_uuid, tdb_created_at, uploaded_at, tdb_uuid, total_patients, tdbs, deltas, file_size,
      null as library_version, ${startOf(kind, "periodStart")} as period_start, null::uuid, null::integer
    from tdb_rollup as kept where ${ofPeriods("kept", each)} and ${ofScope("kept", filter)}`,
  );
  const left = found.days.map(
    (each) => sql`
    select facility_uuid, tdb_created_at, uploaded_at, tdb_uuid, total_patients, 1, delta::integer, file_size,
      ${version("libraryVersion")} as library_version, ${startOf(kind, "uploadedAt")} as period_start, user_uuid, ${weekdayOf("uploadedAt")}
    from tdb where ${ofReceipts(each, filter)}`,
  );
  const once = onceBy(grouping, { user: "user_uuid", weekday: "weekday", libraryVersion: "library_version" });
  return sql`
    with found (facility_uuid, tdb_created_at, uploaded_at, tdb_uuid, total_patients, tdbs, deltas, file_size, library_version, period_start, user_uuid, weekday)
      as (${sql.join([...rolledUp, ...left], sql` union all `)}),
    counted as (
      select distinct on (${once}) facility_uuid, total_patients, library_version, period_start, user_uuid, weekday,
        sum(tdbs) over same as received, sum(deltas) over same as deltas, sum(file_size) over same as bytes
      from found window same as (partition by ${once})
      order by ${once}, tdb_created_at desc, uploaded_at desc, tdb_uuid desc)`;
}
const tdbKeys = (grouping: Grouping) =>
  keysOf(grouping, {
    user: keyColumns.user,
    weekday: keyColumns.weekday,
    libraryVersion: keyColumns.libraryVersion,
    period: keyColumns.period,
    mode: sql`facility.functionality_status_mode`,
  });

/**
 * TDBs in groups by the day of receipt: how many, their bytes, and the patients in each facility's latest one in the
 * group. `rounded`: the patients and bytes of each facility are rounded (roundedFigures.ts), which rows by place cannot
 * tell.
 */
export async function listTdbGroups(
  handle: Handle,
  { filter, rounded, ...grouping }: Grouping & { filter: TdbFilter; rounded: boolean },
): Promise<TdbGroup[]> {
  const found = cutTdbs(filter, grouping);
  const ofPlaces = rounded ? null : periodsOfPlaces(grouping, filter, found);
  if (ofPlaces)
    return listPlaceGroups(handle, "placeTdbRollup", {
      ...grouping,
      columns: tdbColumns,
      periods: ofPlaces,
      scope: filter,
    });
  const keys = tdbKeys(grouping);
  const [patients, bytes] = [sql.ref("totalPatients"), sql.ref("bytes")];
  const summed = rounded
    ? { patients: roundedFigure(patients, "patients"), bytes: roundedFigure(bytes, "bytes") }
    : { patients, bytes };
  const { rows } = await sql<TdbGroup>`
    ${countedTdbs(filter, grouping, found)}
    select ${keys.select} coalesce(sum(received), 0)::bigint as tdb_count, count(*) as facilities,
      coalesce(sum(deltas), 0)::bigint as delta_tdbs, coalesce(sum(${summed.patients}), 0)::bigint as total_patients,
      coalesce(sum(${summed.bytes}), 0)::bigint as file_size
    from counted join ${withPlaces(grouping)} using (facility_uuid)
    ${keys.group} ${keys.order} limit ${grouping.limit}`.execute(handle);
  return rows;
}

export type TdbFact = "clients" | "daysBetweenTdbs";

/**
 * The figures of a fact in the same groups: over each facility's latest TDB in the group, or over the days between the
 * receipts of each TDB and the facility's previous one.
 */
export async function listTdbFigures(
  handle: Handle,
  { filter, fact, ...grouping }: Grouping & { filter: TdbFilter; fact: TdbFact },
): Promise<(GroupKeys & Figures)[]> {
  if (fact === "clients") {
    const keys = tdbKeys(grouping);
    const { rows } = await sql<GroupKeys & Figures>`
      ${countedTdbs(filter, grouping, cutTdbs(filter, grouping))}
      select ${keys.select} ${figures(sql`counted.total_patients`)} from counted join ${withPlaces(grouping)} using (facility_uuid)
      ${keys.group} limit ${grouping.limit}`.execute(handle);
    return rows;
  }
  const keys = keysOf(grouping, {
    mode: sql`facility.functionality_status_mode`,
    libraryVersion: version("tdb.libraryVersion"),
    period: startOf(grouping.kind, "tdb.uploadedAt"),
    user: sql`tdb.user_uuid`,
    weekday: weekdayOf("tdb.uploadedAt"),
  });
  return listDaysBetween(
    handle,
    { table: "tdb", at: "uploadedAt", uuid: "tdbUuid" },
    keys,
    ofReceipts(filter, filter),
    grouping,
  );
}
