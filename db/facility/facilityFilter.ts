import { type RawBuilder, type SqlBool, sql } from "kysely";

import { assessmentAsOf, isOpenOn, tdbAsOf } from "../derived/asOf.ts";
import { type Answer as RolledUpAnswer, answerColumns, assessmentRollup } from "../derived/latest.ts";
import type { Handle } from "../engine/connect.ts";
import { fieldFilters, type FieldMatch } from "./facilityFields.rules.ts";
import { isCounted } from "../list/counted.ts";
import { onDays } from "../list/day.ts";
import { type Circle, isFacilityNear } from "../list/distance.ts";
import { inScope, type Scope } from "../list/scope.ts";
import { isExpectedInTime, isOverdue } from "./silence.ts";

/** Filters of facilities: by scope, by their own fields, and by their assessments. */

export type RollupPeriod = { kind: "month" | "quarter" | "year"; start: string };

/**
 * Which assessment of a facility is meant: the latest of a period, the latest as at a day, or (without either) the
 * latest of all time.
 */
export type StateOf = { period?: RollupPeriod | null; asOf?: string | null };

/** Conditions on one assessment of a facility. */
export type AssessmentMatch = StateOf & {
  /** false: facilities without an assessment there */
  exists?: boolean | null;
  mode?: readonly string[] | null;
  smartCareFunctional?: boolean | null;
  primaryPower?: boolean | null;
  primaryPowerWorking?: boolean | null;
  backupPower?: boolean | null;
  backupPowerWorking?: boolean | null;
  libraryVersionConsistent?: boolean | null;
  /** it records no answer to any of these */
  notRecorded?: readonly Answer[] | null;
  libraryVersion?: string | null;
  staffTrainedFrom?: number | null;
  staffTrainedTo?: number | null;
  libraryVersionBelow?: string | null;
  libraryVersionFrom?: string | null;
  upgradedBefore?: string | null;
  upgradedFrom?: string | null;
  assessedBefore?: string | null;
  assessedFrom?: string | null;
};

/** Questions that are answered yes, no, or not at all. */
export type Answer = RolledUpAnswer | "libraryVersionConsistent";

/** Its latest so many visits all gave this answer. */
type InARowMatch = { visits: number; answer: Answer; said: boolean };

/** What must differ between a facility's states as at two days. */
type ChangeMatch = {
  from: string;
  to: string;
  movedFrom?: readonly string[] | null;
  movedTo?: readonly string[] | null;
  lost?: readonly Answer[] | null;
  gained?: readonly Answer[] | null;
  /** its latest TDB counts fewer clients */
  clientsFell?: boolean | null;
};

export type FacilityMatch = FieldMatch & {
  /** only these */
  facilityUuids?: readonly string[] | null;
  provinceIds?: readonly number[] | null;
  districtIds?: readonly number[] | null;
  implementingPartnerIds?: readonly number[] | null;
  serviceAreaId?: number | null;
  hasHmisCode?: boolean | null;
  hasImplementingPartner?: boolean | null;
  connectivityPresent?: boolean | null;
  mobileCoverage?: boolean | null;
  hasPosition?: boolean | null;
  /** west, south, east and north, in degrees */
  positionOutside?: readonly number[] | null;
  near?: Circle | null;
  assessed?: boolean | null;
  /** YYYY-MM-DD: nobody assessed it on this day or later */
  assessedBefore?: string | null;
  functional?: boolean | null;
  power?: boolean | null;
  /** nothing is recorded of these */
  notRecorded?: readonly ("functional" | "power" | "connectivityPresent" | "mobileCoverage")[] | null;
  /** true: its next TDB is overdue; false: it is expected to send TDBs and is in time */
  silent?: boolean | null;
  /** YYYY-MM-DD: it sent no TDB that was made on this day or later */
  noTdbSince?: string | null;
  hasSentTdb?: boolean | null;
  /** its latest assessment names one of these */
  libraryVersions?: readonly string[] | null;
  /** present modes; "none": never assessed */
  modes?: readonly string[] | null;
  latestAssessment?: AssessmentMatch | null;
  earlierAssessment?: AssessmentMatch | null;
  change?: ChangeMatch | null;
  inARow?: InARowMatch | null;
  /** true: only closed facilities. Otherwise `withClosed`, `asOf` and the period decide */
  closed?: boolean | null;
  /** it is on the field list with this uuid */
  fieldList?: string | null;
  /** a condition on the latest assessment of all time, in addition to `latestAssessment` */
  last?: AssessmentMatch | null;
};

export type FacilityListFilter = Scope & {
  mode?: string | null;
  /** with a mode: the day as at which the facility has it */
  asOf?: string | null;
  /** with a mode: the period whose latest assessment has it. Without period and day: the present mode */
  period?: RollupPeriod | null;
  match?: FacilityMatch | null;
  /** Include closed facilities. With a period they are always included, because they may have been open then. */
  withClosed?: boolean;
};

type Condition = RawBuilder<SqlBool>;
type Column = RawBuilder<unknown>;
const all = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;

const answerNames = [...(Object.keys(answerColumns) as RolledUpAnswer[]), "libraryVersionConsistent"] as const;
/** The answer of a row with the columns of `assessmentRollup`: true, false, or null where none is recorded. */
const answerOf = (row: "r" | "a" | "b", name: Answer): Condition =>
  name === "libraryVersionConsistent"
    ? sql<SqlBool>`(select library_version_consistent from assessment where assessment.assessment_uuid = ${sql.ref(row)}.assessment_uuid)`
    : sql<SqlBool>`${sql.ref(row)}.${sql.ref(answerColumns[name])}`;

/** The meant assessment of the query's facility as a row, with the columns of `assessmentRollup`. */
export const stateRow = ({ period, asOf }: StateOf): RawBuilder<unknown> =>
  asOf != null
    ? assessmentAsOf(asOf)
    : period
      ? sql`(select * from ${assessmentRollup} as kept where kept.facility_uuid = facility.facility_uuid
        and period = ${period.kind} and period_start = ${period.start}::date)`
      : sql`(select * from ${assessmentRollup} as kept where kept.facility_uuid = facility.facility_uuid and period = 'year'
        order by period_start desc limit 1)`;

/**
 * What the latest assessment of all time of the query's facility says, as a row of the answers that a filter of the
 * present state asks for. An open facility's is read from the index of present states, which holds many facilities on a
 * page. A closed facility has no present state.
 */
const lastAssessment = (areOpen: boolean): RawBuilder<unknown> =>
  areOpen
    ? sql`(select assessed_at, library_version, case when not not_recorded_functional then smart_care_functional end as functional,
        case when not not_recorded_power then power_working end as power
        from facility_state where facility_state.facility_uuid = facility.facility_uuid and "until" is null and assessment_uuid is not null)`
    : sql`(select assessed_at, nullif(btrim(library_version), '') as library_version, smart_care_functional as functional,
        primary_power_working or backup_power_working as power from ${stateRow({})} as kept)`;

/**
 * A version as an array of its numbers, so that 2.10 comes after 2.9; without zeros at the end, so that 2.10 and 2.10.0
 * are equal. Null if it contains no number.
 */
const versionOrder = (version: Column): Column =>
  sql`(select array_agg(part[1]::numeric order by place) from regexp_matches(regexp_replace(btrim(${version}), '([.]0+)+$', ''), '[0-9]+', 'g') with ordinality as found (part, place))`;

/**
 * Whether the day of the last upgrade, by the assessment `r`, meets a condition. 1900-01-01 means that the day is not
 * known.
 */
const upgraded = (isSo: Column): Condition =>
  sql`exists (select from assessment a where a.assessment_uuid = r.assessment_uuid and a.date_of_last_upgrade ${isSo})`;

function assessmentMatches({ period, asOf, exists, ...match }: AssessmentMatch): Condition {
  const row = stateRow({ period, asOf });
  if (exists === false) return sql`not exists (select from ${row} r)`;
  const conditions: Condition[] = [];
  for (const name of answerNames)
    if (match[name] != null) conditions.push(sql`${answerOf("r", name)} = ${match[name]}`);
  for (const name of match.notRecorded ?? []) conditions.push(sql`${answerOf("r", name)} is null`);
  if (match.mode) conditions.push(sql`r.functionality_status_mode = any(${[...match.mode]}::text[])`);
  if (match.libraryVersion != null) conditions.push(sql`btrim(r.library_version) = btrim(${match.libraryVersion})`);
  if (match.staffTrainedFrom != null) conditions.push(sql`r.staff_trained >= ${match.staffTrainedFrom}`);
  if (match.staffTrainedTo != null) conditions.push(sql`r.staff_trained <= ${match.staffTrainedTo}`);
  if (match.libraryVersionBelow != null)
    conditions.push(
      sql`${versionOrder(sql`r.library_version`)} < ${versionOrder(sql`${match.libraryVersionBelow}::text`)}`,
    );
  if (match.libraryVersionFrom != null)
    conditions.push(
      sql`${versionOrder(sql`r.library_version`)} >= ${versionOrder(sql`${match.libraryVersionFrom}::text`)}`,
    );
  if (match.assessedBefore != null)
    conditions.push(sql`not ${onDays("r.assessedAt", { start: match.assessedBefore })}`);
  if (match.assessedFrom != null) conditions.push(onDays("r.assessedAt", { start: match.assessedFrom }));
  if (match.upgradedBefore != null)
    conditions.push(upgraded(sql`between '1900-01-02' and ${match.upgradedBefore}::date - 1`));
  if (match.upgradedFrom != null)
    conditions.push(upgraded(sql`>= greatest(${match.upgradedFrom}::date, '1900-01-02')`));
  return sql`exists (select from ${row} r where ${all(conditions)})`;
}

/** Whether both states (and, if `clientsFell` is asked, both TDBs) are known and differ in all that is asked. */
function changes({ from, to, movedFrom, movedTo, lost, gained, clientsFell }: ChangeMatch): Condition {
  const mode = sql.ref("functionalityStatusMode");
  const conditions: Condition[] = [];
  if (movedFrom ?? movedTo) conditions.push(sql`b.${mode} <> a.${mode}`);
  if (movedFrom) conditions.push(sql`b.${mode} = any(${[...movedFrom]}::text[])`);
  if (movedTo) conditions.push(sql`a.${mode} = any(${[...movedTo]}::text[])`);
  for (const name of lost ?? []) conditions.push(sql`${answerOf("b", name)} and not ${answerOf("a", name)}`);
  for (const name of gained ?? []) conditions.push(sql`${answerOf("a", name)} and not ${answerOf("b", name)}`);
  const visits: Condition = sql`exists (select from ${assessmentAsOf(from)} b cross join ${assessmentAsOf(to)} a where ${all(conditions)})`;
  if (clientsFell == null) return visits;
  const tdbs: Condition = sql`exists (select from ${tdbAsOf(from)} b cross join ${tdbAsOf(to)} a where (a.total_patients < b.total_patients) = ${clientsFell})`;
  return conditions.length === 0 ? tdbs : all([visits, tdbs]);
}

/** Whether the latest visits of a facility, so many at least, all gave an answer. */
function isInARow({ visits, answer, said }: InARowMatch): Condition {
  const column = sql.ref(answer);
  return sql`(select count(*) filter (where ${column} = ${said}) from (
    select ${column} from assessment as visit where visit.facility_uuid = facility.facility_uuid and ${isCounted("visit")}
    order by visit.assessed_at desc, visit.assessment_uuid desc limit ${visits}) as latest) = ${visits}`;
}

const comparisons = {
  same: (column: Column, value: string | number): Condition => sql`lower(${column}) = lower(${value})`,
  least: (column: Column, value: string | number): Condition => sql`${column} >= ${value}`,
  most: (column: Column, value: string | number): Condition => sql`${column} <= ${value}`,
};

/**
 * Conditions on a facility's present state: on its row, its latest assessment of all time (`r`) and its latest TDB.
 *
 * @param areOpen only open facilities are asked for
 */
function stateMatches(
  areOpen: boolean,
  {
    assessed,
    assessedBefore,
    functional,
    power,
    notRecorded,
    silent,
    noTdbSince,
    hasSentTdb,
    libraryVersions,
    modes,
    hasPosition,
    positionOutside,
    near,
  }: FacilityMatch,
): Condition[] {
  const conditions: Condition[] = [];
  const latest = (condition: Condition): Condition =>
    sql`exists (select from ${lastAssessment(areOpen)} r where ${condition})`;
  if (assessed != null) conditions.push(sql`(facility.functionality_status_mode is not null) = ${assessed}`);
  if (assessedBefore != null) conditions.push(sql`not ${latest(sql`r.assessed_at >= ${assessedBefore}::date`)}`);
  if (functional != null) conditions.push(latest(sql`r.functional = ${functional}`));
  if (power != null) conditions.push(latest(sql`r.power = ${power}`));
  for (const name of notRecorded ?? []) {
    if (name === "functional" || name === "power") conditions.push(latest(sql`${sql.ref(`r.${name}`)} is null`));
    else conditions.push(sql`${sql.ref(`facility.${name}`)} is null`);
  }
  if (libraryVersions) conditions.push(latest(sql`r.library_version = any(${[...libraryVersions]}::text[])`));
  if (silent != null)
    conditions.push(
      sql`exists (select from tdb_silence where tdb_silence.facility_uuid = facility.facility_uuid and ${silent ? isOverdue : isExpectedInTime})`,
    );
  if (noTdbSince != null)
    conditions.push(
      sql`not exists (select from tdb_silence where tdb_silence.facility_uuid = facility.facility_uuid and tdb_silence.tdb_created_at >= ${noTdbSince}::date)`,
    );
  if (hasSentTdb != null)
    conditions.push(
      sql`exists (select from tdb_silence where tdb_silence.facility_uuid = facility.facility_uuid and (tdb_silence.tdb_uuid is not null) = ${hasSentTdb})`,
    );
  if (modes) {
    const named = sql<SqlBool>`facility.functionality_status_mode = any(${modes.filter((mode) => mode !== "none")}::text[])`;
    conditions.push(modes.includes("none") ? sql`(${named} or facility.functionality_status_mode is null)` : named);
  }
  if (hasPosition === true) conditions.push(sql`facility.latitude is not null and facility.longitude is not null`);
  if (hasPosition === false) conditions.push(sql`(facility.latitude is null or facility.longitude is null)`);
  if (positionOutside) {
    const [west, south, east, north] = positionOutside;
    conditions.push(
      sql`not (facility.longitude between ${west} and ${east} and facility.latitude between ${south} and ${north})`,
    );
  }
  if (near) conditions.push(isFacilityNear(near));
  return conditions;
}

/** Whether the `facility` of the query is on a field list. */
export const isOnFieldList = (uuid: string): Condition =>
  sql`exists (select from field_list_site where field_list_site.facility_uuid = facility.facility_uuid and field_list_uuid = ${uuid})`;

/** Whether the `facility` of the query matches the filter. */
export function facilityMatches({ mode, period, asOf, match, withClosed, ...scope }: FacilityListFilter): Condition {
  const conditions: Condition[] = [inScope(scope)];
  const isPresent = !period && asOf == null;
  const areOpen = isPresent && !withClosed && !match?.closed;
  if (match?.closed) conditions.push(sql`facility.closed_on is not null`);
  else if (areOpen) conditions.push(sql`facility.closed_on is null`);
  else if (asOf != null) conditions.push(isOpenOn(asOf));
  if (mode != null && isPresent) conditions.push(sql`facility.functionality_status_mode = ${mode}`);
  if (mode != null && !isPresent) conditions.push(assessmentMatches({ period, asOf, mode: [mode] }));
  if (!match) return all(conditions);
  if (match.facilityUuids) conditions.push(sql`facility.facility_uuid = any(${[...match.facilityUuids]}::text[])`);
  if (match.provinceIds) conditions.push(sql`facility.province_id = any(${[...match.provinceIds]}::integer[])`);
  if (match.districtIds) conditions.push(sql`facility.district_id = any(${[...match.districtIds]}::integer[])`);
  if (match.implementingPartnerIds)
    conditions.push(sql`facility.implementing_partner_id = any(${[...match.implementingPartnerIds]}::integer[])`);
  if (match.serviceAreaId != null)
    conditions.push(sql`exists (select from facility_service_area area
      where area.facility_uuid = facility.facility_uuid and area.service_area_id = ${match.serviceAreaId})`);
  for (const { argument, name, compare } of fieldFilters)
    if (match[argument] != null) conditions.push(comparisons[compare](sql.ref(`facility.${name}`), match[argument]));
  if (match.fieldList != null) conditions.push(isOnFieldList(match.fieldList));
  if (match.hasHmisCode != null) conditions.push(sql`(facility.hmis_code is not null) = ${match.hasHmisCode}`);
  if (match.hasImplementingPartner != null)
    conditions.push(sql`(facility.implementing_partner_id is not null) = ${match.hasImplementingPartner}`);
  if (match.connectivityPresent != null)
    conditions.push(sql`facility.connectivity_present = ${match.connectivityPresent}`);
  if (match.mobileCoverage != null) conditions.push(sql`facility.mobile_coverage = ${match.mobileCoverage}`);
  conditions.push(...stateMatches(areOpen, match));
  if (match.latestAssessment) conditions.push(assessmentMatches(match.latestAssessment));
  if (match.inARow) conditions.push(isInARow(match.inARow));
  if (match.earlierAssessment) conditions.push(assessmentMatches(match.earlierAssessment));
  if (match.last) conditions.push(assessmentMatches(match.last));
  if (match.change) conditions.push(changes(match.change));
  return all(conditions);
}

type NamedPlaces = { province?: string | null; district?: string | null; implementingPartner?: string | null };

/** The ids of the places and partners with these names, ignoring case. Several districts may have the same name. */
export async function listIdsOfNames(
  handle: Handle,
  { province, district, implementingPartner }: NamedPlaces,
): Promise<{ kind: keyof NamedPlaces; id: number }[]> {
  const { rows } = await sql<{ kind: keyof NamedPlaces; id: number }>`
    select 'province' as kind, province_id as id from province where lower(name) = lower(${province ?? null})
    union all select 'district', district_id from district where lower(name) = lower(${district ?? null})
    union all select 'implementingPartner', implementing_partner_id from implementing_partner
      where lower(name) = lower(${implementingPartner ?? null})`.execute(handle);
  return rows;
}
