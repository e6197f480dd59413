import { type RawBuilder, type SqlBool, sql } from "kysely";

import { tdbAsOf } from "../derived/asOf.ts";
import { type Answer, answerColumns, assessmentRollup } from "../derived/latest.ts";
import type { Handle } from "../engine/connect.ts";
import { type FacilityListFilter, facilityMatches, stateRow } from "../facility/facilityFilter.ts";
import { answersTo, type Answers, figures, type Figures } from "./figures.ts";
import { type GroupKeys, type Grouping, keysOf, withPlaces } from "./groupKeys.ts";

/**
 * Groups of facilities with their counts, sums and figures. For groups of visits and TDBs over time see
 * historyGroups.ts.
 */

export type { GroupKeys } from "./groupKeys.ts";

export type AnswerSums = {
  facilities: number;
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

/** The version in a column; null if it is empty. */
export const version = (column: string) => sql`nullif(btrim(${sql.ref(column)}), '')`;

/** How many counted assessments answer yes, and how many do not record the answer. */
const answered = (name: Answer) => {
  const [column, word] = [sql.ref(`counted.${answerColumns[name]}`), name[0]!.toUpperCase() + name.slice(1)];
  return sql`count(*) filter (where ${column}) as ${sql.ref(`sum${word}`)},
    count(counted.assessment_uuid) filter (where ${column} is null) as ${sql.ref(`notRecorded${word}`)}`;
};
const inMode = (mode: string, name: string) =>
  sql`count(*) filter (where counted.functionality_status_mode = ${sql.lit(mode)}) as ${sql.ref(name)}`;
/** Sums over the counted assessments, one for each facility. */
export const sums = sql.join([
  sql`coalesce(sum(counted.staff_trained), 0)::bigint as sum_trained_staff`,
  ...(Object.keys(answerColumns) as Answer[]).map(answered),
  inMode("EFirst", "efirst"),
  inMode("EFast", "efast"),
  inMode("ELast", "elast"),
  inMode("Partial", "partial"),
  inMode("NotDeployed", "not_deployed"),
  inMode("NotOperational", "not_operational"),
]);

export type FacilityGroup = GroupKeys & AnswerSums & { assessed: number };

/** `within` limits the periods of a kind; its end is excluded. */
type Asked = Grouping & {
  filter: FacilityListFilter;
  within?: { start: string; end: string } | null;
  search?: RawBuilder<boolean> | null;
};

/**
 * Facilities in groups, each with its assessment that counts: the latest of every period of `kind`, of the one
 * `period`, as at a day (`asOf`), or of all time. With a kind or period, only facilities that were assessed in it
 * count. In the SQL, `facility` is the facility and `counted` its assessment.
 */
function grouped({ filter: { mode, period, asOf, ...filter }, within, search, ...grouping }: Asked) {
  const { kind } = grouping;
  const conditions: RawBuilder<SqlBool>[] = [
    facilityMatches({ ...filter, asOf, withClosed: kind != null || period != null }),
  ];
  const isTimed = kind != null || period != null;
  const stated = isTimed || asOf != null ? sql`counted` : sql`facility`;
  if (kind) conditions.push(sql`counted.period = ${kind}`);
  else if (period)
    conditions.push(sql`counted.period = ${period.kind} and counted.period_start = ${period.start}::date`);
  if (kind && within)
    conditions.push(sql`counted.period_start >= ${within.start}::date and counted.period_start < ${within.end}::date`);
  if (mode != null) conditions.push(sql`${stated}.functionality_status_mode = ${mode}`);
  if (search) conditions.push(search);
  const keys = keysOf(grouping, {
    mode: sql`${stated}.functionality_status_mode`,
    libraryVersion: version("counted.library_version"),
    period: sql`counted.period_start`,
    smartCareFunctional: sql`(select smart_care_functional from assessment where assessment.assessment_uuid = counted.assessment_uuid)`,
  });
  const counted = isTimed
    ? sql`join ${assessmentRollup} counted on counted.facility_uuid = facility.facility_uuid`
    : sql`left join lateral ${stateRow({ asOf })} counted on true`;
  return {
    keys,
    from: sql`${withPlaces(grouping)} ${counted}`,
    where: sql.join(conditions, sql` and `),
    limit: grouping.limit,
  };
}

/** Groups of facilities with their counts and sums, at most `limit`. */
export async function listFacilityGroups(handle: Handle, asked: Asked): Promise<FacilityGroup[]> {
  const { keys, from, where, limit } = grouped(asked);
  const { rows } = await sql<FacilityGroup>`
    select ${keys.select} count(*) as facilities, count(counted.assessment_uuid) as assessed, ${sums}
    from ${from} where ${where} ${keys.group} ${keys.order} limit ${limit}`.execute(handle);
  return rows;
}

/**
 * Numbers of a facility: from the assessment that counts (`counted`, its full row `visit`) and from its latest TDB as
 * at the day (`sent`) and its computers (`listed`).
 */
const facts = {
  staffTrained: () => sql`counted.staff_trained`,
  daysSinceLastVisit: (day) => sql`(${day} - counted.assessed_at::date)`,
  daysSinceLastUpgrade: (day) => sql`(${day} - nullif(visit.date_of_last_upgrade, '1900-01-01'))`,
  clients: () => sql`sent.total_patients`,
  computers: () => sql`listed.computers`,
  daysSinceLastTdb: (day) =>
    sql`greatest(${day} - sent.tdb_created_at::date, case when sent.tdb_uuid is not null then 0 end)`,
  catchmentPopulation: () => sql`facility.catchment_population`,
} satisfies Record<string, (day: RawBuilder<unknown>) => RawBuilder<unknown>>;
export type FacilityFact = keyof typeof facts;

/** The figures of a fact in the same groups, by their keys. */
export async function listFacilityFigures(
  handle: Handle,
  { fact, ...asked }: Asked & { fact: FacilityFact },
): Promise<(GroupKeys & Figures)[]> {
  const { keys, from, where, limit } = grouped(asked);
  const { asOf } = asked.filter;
  const value = facts[fact](asOf == null ? sql`current_date` : sql`${asOf}::date`);
  const sent = sql`left join lateral ${tdbAsOf(asOf ?? null)} as sent on true`;
  const joins: Partial<Record<FacilityFact, RawBuilder<unknown>>> = {
    daysSinceLastUpgrade: sql`left join assessment as visit on visit.assessment_uuid = counted.assessment_uuid`,
    clients: sent,
    daysSinceLastTdb: sent,
    computers: sql`${sent} left join lateral (
      select sum(computers) as computers from tdb_computer where tdb_computer.tdb_uuid = sent.tdb_uuid) as listed on true`,
  };
  const { rows } = await sql<GroupKeys & Figures>`
    select ${keys.select} ${figures(value)} from ${from} ${joins[fact] ?? sql``} where ${where} ${keys.group} limit ${limit}`.execute(
    handle,
  );
  return rows;
}

const questions = {
  smartCareFunctional: sql`visit.smart_care_functional`,
  primaryPower: sql`visit.primary_power`,
  primaryPowerWorking: sql`visit.primary_power_working`,
  backupPower: sql`visit.backup_power`,
  backupPowerWorking: sql`visit.backup_power_working`,
  libraryVersionConsistent: sql`visit.library_version_consistent`,
  serviceAreaFunctional: sql`(select said.smart_care_functional from service_area_assessment as said
    where said.assessment_uuid = visit.assessment_uuid and said.service_area_id = area.service_area_id)`,
};
export type FacilityQuestion = keyof typeof questions;

/**
 * The answers to a question in the assessments that count, in the same groups. A missing answer is counted separately.
 */
export async function listFacilityAnswers(
  handle: Handle,
  { question, ...asked }: Asked & { question: FacilityQuestion },
): Promise<(GroupKeys & Answers)[]> {
  const { keys, from, where, limit } = grouped(asked);
  const { rows } = await sql<GroupKeys & Answers>`
    select ${keys.select} ${answersTo(questions[question])}
    from ${from} join assessment as visit on visit.assessment_uuid = counted.assessment_uuid where ${where} ${keys.group} limit ${limit}`.execute(
    handle,
  );
  return rows;
}
