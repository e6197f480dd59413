import { type RawBuilder, sql } from "kysely";

import { writtenOnce } from "../engine/writtenOnce.ts";
import { isCounted } from "../list/counted.ts";
import { inPeriod, periodsOf, periodsWith } from "./calendar.ts";
import { changedIn, type Derived, placeColumns, type Step, type Trigger } from "./derived.ts";

/**
 * For each facility and each month, quarter and fiscal year: the latest assessment and the latest TDB, with sums over
 * all of the period. Also how many assessments a facility has on each of the last days, and its present mode. The act
 * that saves keeps them up to date (`refresh…`).
 */

/**
 * The yes-or-no answers of an assessment that roll-ups hold. An answer that nobody gave is null: it counts neither as
 * yes nor as no. The roll-ups hold two columns for each: the answer was yes, and it was not recorded.
 */
export const answerColumns = {
  smartCareFunctional: "smart_care_functional",
  primaryPower: "primary_power",
  primaryPowerWorking: "primary_power_working",
  backupPower: "backup_power",
  backupPowerWorking: "backup_power_working",
} as const;
export type Answer = keyof typeof answerColumns;

const answerNames = Object.values(answerColumns);
const notRecorded = (column: (typeof answerNames)[number]): string => `not_recorded_${column}`;

/**
 * The SQL of the two columns for each answer: of a row of assessments (`recorded`), and as sums over rows of the
 * roll-up by facility (`counted`).
 */
const recorded: Record<string, string> = Object.fromEntries(
  answerNames.flatMap((name) => [
    [name, `coalesce(h.${name}, false)`],
    [notRecorded(name), `h.${name} is null`],
  ]),
);
export const countedAnswers: Record<string, string> = Object.fromEntries(
  Object.keys(recorded).map((name) => [name, `${name}::integer`]),
);

/** The answers as a list of columns. */
export const answers: RawBuilder<unknown> = sql.raw(answerNames.join(", "));

/** The roll-up of assessments by facility as rows whose answers are true, false or null. */
export const assessmentRollup: RawBuilder<unknown> = sql.raw(`(
  select period, period_start, facility_uuid, assessment_uuid, assessed_at, assessments, staff_trained, functionality_status_mode, library_version,
    ${answerNames.map((name) => `case when not ${notRecorded(name)} then ${name} end as ${name}`).join(", ")}
  from assessment_rollup)`);

type Latest = {
  table: string;
  history: string;
  key: string;
  /** the instant whose local day decides the period */
  at: string;
  /** the order that puts the latest row first; it ends in the key, so that the result is the same each time */
  order: readonly string[];
  /** the latest row's values */
  values: Readonly<Record<string, string>>;
  /** sums over all rows of the period: the value of each row */
  sums: Readonly<Record<string, string>>;
  /**
   * maximums over all rows of the period, which show when something was last found: the instant if the row has it, else
   * null
   */
  lasts: Readonly<Record<string, string>>;
};

const powerWorks = "(h.primary_power_working or h.backup_power_working)";
const assessments: Latest = {
  table: "assessment_rollup",
  history: "assessment",
  key: "assessment_uuid",
  at: "assessed_at",
  order: ["assessed_at", "assessment_uuid"],
  values: {
    assessment_uuid: "h.assessment_uuid",
    staff_trained: "h.number_of_staff_trained_in_smart_care",
    ...recorded,
    functionality_status_mode: "h.functionality_status_mode",
    library_version: "h.library_version",
    assessed_at: "h.assessed_at",
  },
  sums: { assessments: "1" },
  lasts: {
    functional_at: "case when h.smart_care_functional then h.assessed_at end",
    power_at: `case when ${powerWorks} then h.assessed_at end`,
    not_functional_at: "case when not h.smart_care_functional then h.assessed_at end",
    no_power_at: `case when not ${powerWorks} then h.assessed_at end`,
  },
};
const tdbs: Latest = {
  table: "tdb_rollup",
  history: "tdb",
  key: "tdb_uuid",
  at: "uploaded_at",
  order: ["tdb_created_at", "uploaded_at", "tdb_uuid"],
  values: {
    tdb_uuid: "h.tdb_uuid",
    tdb_created_at: "h.tdb_created_at",
    uploaded_at: "h.uploaded_at",
    total_patients: "h.total_patients",
  },
  sums: { tdbs: "1", deltas: "h.delta::integer", file_size: "h.file_size" },
  lasts: {},
};

const list = (names: readonly string[], of = "") => sql.raw(names.map((name) => of + name).join(", "));
/** The sums and maximums over all rows of a period: column, aggregate function, and the value of each row. */
const overAll = ({ sums, lasts }: Latest) => [
  ...Object.entries(sums).map(([name, value]) => ({ name, of: "sum", value })),
  ...Object.entries(lasts).map(([name, value]) => ({ name, of: "max", value })),
];
const measuresOf = (of: Latest) => [...Object.keys(of.values), ...overAll(of).map(({ name }) => name)];
const place = list(placeColumns);
const placeOf = list(placeColumns, "facility.");
const latestFirst = ({ order }: Latest) => sql.raw(order.map((name) => `h.${name} desc`).join(", "));

/**
 * Writes the rows of `latest` to the table. A row with the same values is not written, so that the triggers of the
 * counts by place do not run for it.
 */
function keepLatest(of: Latest): RawBuilder<unknown> {
  const changing = [...measuresOf(of), ...placeColumns];
  return sql`
    insert into ${sql.table(of.table)} as kept (period, period_start, facility_uuid, ${list(measuresOf(of))}, ${place})
    select period, period_start, facility_uuid, ${list(measuresOf(of), "latest.")}, ${placeOf} from latest join facility using (facility_uuid)
    on conflict (period, period_start, facility_uuid) do update set (${list(changing)}) = (select ${list(changing, "excluded.")})
    where kept.* is distinct from excluded.*`;
}

/** The parts of a WITH clause that recount the periods of one facility that contain some days. */
function refreshed(of: Latest, facilityUuid: string, days: readonly string[]): RawBuilder<unknown> {
  const [table, history] = [sql.table(of.table), sql.table(of.history)];
  const values = Object.entries(of.values).map(([name, value]) => `${value} as ${name}`);
  const sums = overAll(of).map(({ name, of: aggregate, value }) => `${aggregate}(${value}) over () as ${name}`);
  return sql`
    touched as (
      select p.period, p.period_start, ${facilityUuid}::text as facility_uuid, found.* from ${periodsWith(days)} left join lateral (
        select ${sql.raw([...values, ...sums].join(", "))} from ${history} h
        where h.facility_uuid = ${facilityUuid} and ${isCounted("h")} and ${inPeriod(sql.raw(`h.${of.at}`))}
        order by ${latestFirst(of)} limit 1) as found on true),
    emptied as (
      delete from ${table} r using touched
      where r.facility_uuid = ${facilityUuid} and r.period = touched.period and r.period_start = touched.period_start
        and touched.${sql.ref(of.key)} is null),
    latest as (select * from touched where ${sql.ref(of.key)} is not null),
    reported as (${keepLatest(of)})`;
}

/**
 * Recounts all periods of some facilities. The latest row of a quarter or year is the latest of one of its months. So
 * all rows are sorted once, by month, and then only the latest rows of the months are sorted again.
 */
function recounted(of: Latest, facilities: RawBuilder<unknown>): RawBuilder<unknown> {
  const month = sql.raw(`date_trunc('month', h.${of.at}::timestamp)`);
  const sums = overAll(of);
  const order = sql.raw([...new Set([...of.order, of.at])].map((name) => `h.${name}`).join(", "));
  return sql`
    with latest as materialized (
      select l.period, l.period_start, l.facility_uuid, ${sql.raw(
        Object.entries(of.values)
          .map(([name, value]) => `${value} as ${name}`)
          .join(", "),
      )},
        ${list(
          sums.map(({ name }) => name),
          "l.",
        )}
      from (
        select distinct on (p.period, p.period_start, h.facility_uuid) p.period, p.period_start, h.facility_uuid, h.${sql.ref(of.key)},
          ${sql.raw(sums.map(({ name, of: aggregate }) => `${aggregate}(h.${name}) over same as ${name}`).join(", "))}
        from (
          select distinct on (${month}, h.facility_uuid) h.facility_uuid, ${order},
            ${sql.raw(sums.map(({ name, of: aggregate, value }) => `${aggregate}(${value}) over same as ${name}`).join(", "))}
          from ${sql.table(of.history)} h where h.facility_uuid = any(${facilities}::text[]) and ${isCounted("h")}
          window same as (partition by ${month}, h.facility_uuid)
          order by ${month}, h.facility_uuid, ${latestFirst(of)}) as h
        cross join ${periodsOf(sql.raw(`h.${of.at}::timestamp`))}
        window same as (partition by p.period, p.period_start, h.facility_uuid)
        order by p.period, p.period_start, h.facility_uuid, ${latestFirst(of)}) as l
      join ${sql.table(of.history)} h using (${sql.ref(of.key)})),
    emptied as (
      delete from ${sql.table(of.table)} r where r.facility_uuid = any(${facilities}::text[]) and not exists (
        select from latest where latest.facility_uuid = r.facility_uuid and latest.period = r.period and latest.period_start = r.period_start))
    ${keepLatest(of)}`;
}

/**
 * From this day on, assessments are counted by day, for the summary sheet of the last three months. Earlier days are
 * not read, so they are not kept up to date.
 */
const countedSince = sql`(current_date - interval '4 months')`;
const keepDays = sql`
  insert into assessment_day_rollup as kept (facility_uuid, day, assessments, ${place})
  select facility_uuid, day, made.assessments, ${placeOf} from made join facility using (facility_uuid) where made.assessments > 0
  on conflict (facility_uuid, day) do update set (assessments, ${place}) = (select excluded.assessments, ${list(placeColumns, "excluded.")})
  where kept.* is distinct from excluded.*`;

const recountedDays = (facilities: RawBuilder<unknown>) => sql`
  with made as materialized (
    select facility_uuid, assessed_at::date as day, count(*) as assessments from assessment
    where facility_uuid = any(${facilities}::text[]) and ${isCounted("assessment")} and assessed_at >= ${countedSince} - interval '1 day' and assessed_at::date >= ${countedSince}
    group by 1, 2),
  emptied as (
    delete from assessment_day_rollup r where facility_uuid = any(${facilities}::text[])
      and not exists (select from made where made.facility_uuid = r.facility_uuid and made.day = r.day))
  ${keepDays}`;

/** A facility's present mode is that of its latest assessment. */
const presentMode = sql`(
  select h.functionality_status_mode from assessment h where h.facility_uuid = facility.facility_uuid and ${isCounted("h")}
  order by ${latestFirst(assessments)} limit 1)`;
const presentModes = (which: RawBuilder<unknown>) =>
  sql`update facility set functionality_status_mode = ${presentMode} where ${which} and facility.functionality_status_mode is distinct from ${presentMode}`;

/**
 * Recounts one facility's periods that contain the days on which its assessments were added, changed (the old day and
 * the new one), set aside or removed, and its present mode. Call it in the transaction of that change, after it. That
 * transaction must have locked the facility (`lockFacility`), so that other recounts of it wait.
 */
export const refreshAssessmentRollups = writtenOnce(
  (_, { facilityUuid, days }: { facilityUuid: string; days: readonly string[] }) => sql`
    with ${refreshed(assessments, facilityUuid, days)},
    made as (
      select ${facilityUuid}::text as facility_uuid, day, made.assessments
      from (select distinct day from unnest(${days}::date[]) as day) as asked cross join lateral (
        select count(*) as assessments from assessment a
        where a.facility_uuid = ${facilityUuid} and ${isCounted("a")} and a.assessed_at::date = day
          and a.assessed_at >= day - interval '1 day' and a.assessed_at < day + interval '2 days') as made
      where day >= ${countedSince}),
    emptied_days as (
      delete from assessment_day_rollup r using made
      where r.facility_uuid = made.facility_uuid and r.day = made.day and made.assessments = 0),
    counted as (${keepDays})
    ${presentModes(sql`facility.facility_uuid = ${facilityUuid}`)}`,
);

/**
 * Recounts one facility's periods that contain the days of receipt of TDBs that were added, set aside or removed. Call
 * it like `refreshAssessmentRollups`.
 */
export const refreshTdbRollups = writtenOnce(
  (_, { facilityUuid, days }: { facilityUuid: string; days: readonly string[] }) =>
    sql`with ${refreshed(tdbs, facilityUuid, days)} select 1 as done`,
);

const tables = [assessments.table, tdbs.table, "assessment_day_rollup"];
/** When facilities move to other places or another partner, their rows get the new ones. */
const follow: Step = {
  table: "facility",
  on: ["update"],
  body: (written) => {
    const moved = `${changedIn(written, ["facility_uuid", ...placeColumns])} as moved`;
    const places = placeColumns.map((name) => `${name} = moved.${name}`).join(", ");
    return `
      if exists (select from ${moved}) then
        ${tables.map((table) => `update ${table} kept set ${places} from ${moved} where kept.facility_uuid = moved.facility_uuid;`).join("\n")}
      end if;`;
  },
};
/**
 * Deletes the roll-up rows of a TDB before the TDB is deleted, so that its computers are subtracted from the counts by
 * place. PostgreSQL's cascade might delete the computers first.
 */
export const leave: Trigger = {
  table: "tdb",
  name: "tdb_leaves_rollups",
  when: "before delete",
  transition: null,
  does: ["latest"],
  body: "delete from tdb_rollup where tdb_uuid = old.tdb_uuid;\nreturn old;",
};

const period = ["period", "period_start", "facility_uuid"];
const documented = (of: Latest) => ({
  [Object.keys(of.values).join(", ")]: "of the latest",
  [overAll(of)
    .map(({ name }) => name)
    .join(", ")]: "over all of the period",
});

export const latest: Derived = {
  name: "latest",
  purpose:
    "The latest assessment and the latest TDB of each facility in each month, quarter and fiscal year, with sums over the period; assessments by day for the last four months; and `facility.functionality_status_mode`. What was set aside or is held is not counted.",
  sources: ["assessment", "tdb", "facility"],
  tables: {
    [assessments.table]: { keys: period, measures: documented(assessments) },
    [tdbs.table]: { keys: period, measures: documented(tdbs) },
    assessment_day_rollup: {
      keys: ["facility_uuid", "day"],
      measures: { assessments: "how many were made on the day" },
    },
  },
  steps: [follow],
  recount: {
    by: "facility",
    cost: { key: 0.002, record: 11e-6, newRecord: 45e-6 },
    statements: (facilities) => [
      recounted(assessments, facilities),
      recountedDays(facilities),
      recounted(tdbs, facilities),
      presentModes(sql`facility.facility_uuid = any(${facilities}::text[])`),
    ],
  },
};
