import { type RawBuilder, sql } from "kysely";

import { changedIn, type Derived, placeColumns, planOnce, type SqlFunction, type Written } from "./derived.ts";
import { sendingModes } from "./sending.rules.ts";
import { dueDay } from "./silence.ts";

/**
 * The state of a facility at the end of each quarter, by its latest assessment and TDB up to then, however old. A row
 * is valid from the end of the quarter `period_start` until (excluding) the end of the quarter `until`; the row without
 * `until` is valid today. Rows are computed from the roll-ups of quarters, never from assessments, when one of those
 * changes. A facility that was closed has no state from the end of that quarter on.
 *
 * Whether a TDB was in time is stored as at the end of the quarter. For today read `tdb_silence`.
 */

/**
 * Something that broke at a facility: when a visit last found it working (`before`), and when one last found it not
 * working (`since`). It is broken if the last recorded answer is no and an earlier one was yes. A visit that records no
 * answer changes nothing: it neither breaks nor mends.
 */
export const troubles = {
  stopped: { before: "functional_at", since: "not_functional_at", works: "smart_care_functional" },
  lostPower: { before: "power_at", since: "no_power_at", works: "(primary_power_working or backup_power_working)" },
} as const;
export type Trouble = keyof typeof troubles;

/** The SQL condition for a row of `facility_state`. */
export const isBroken = (trouble: Trouble, row = ""): string =>
  `coalesce(${row}${troubles[trouble].since} > ${row}${troubles[trouble].before}, false)`;

const keys = ["facility_uuid", "period_start"];
const measures = {
  until: "the quarter in which this state ends; null where it lasts",
  assessment_uuid: "the latest assessment; null where nobody assessed it",
  assessed_at: "when it was made",
  smart_care_functional: "SmartCare works, as the latest assessment found",
  power_working: "primary or backup power works, as the latest assessment found",
  functionality_status_mode: "the mode of the latest assessment",
  library_version: "the library version of the latest assessment, without spaces around it; null where it names none",
  functional_at: "when an assessment last found that SmartCare works",
  power_at: "when an assessment last found that power works",
  not_functional_at: "when an assessment last found that SmartCare does not work",
  no_power_at: "when an assessment last found that neither primary nor backup power works",
  not_recorded_functional: "the latest assessment does not say whether SmartCare works",
  not_recorded_power: "the latest assessment does not say whether power works",
  expected: "it should send TDBs: it ever sent one, or the system is deployed",
  in_time: "at the end of the quarter its next TDB was not yet due",
};
const columns = Object.keys(measures).map((name) => (name === "until" ? '"until"' : name));
const held = [...columns, ...placeColumns];
const heldOf = (stated: string, placed: string) =>
  [...columns.map((name) => `${stated}.${name}`), ...placeColumns.map((name) => `${placed}.${name}`)].join(", ");
const sending = sendingModes.map((mode) => `'${mode}'`).join(", ");

/**
 * Recomputes those rows of some facilities (an array of uuids) that a change in the quarter `since` or a later one can
 * affect: the rows from that quarter on, and the one before them, which may end there. Rows that are already right are
 * filtered out first: `on conflict` would lock them, and a lock writes the row.
 */
const recomputed = (facilities: string, since: string) => `
  with visited as materialized (
    select facility_uuid, period_start, assessment_uuid, assessed_at, smart_care_functional, not_recorded_smart_care_functional as not_recorded_functional,
      primary_power_working or backup_power_working as power_working,
      not primary_power_working and not backup_power_working and (not_recorded_primary_power_working or not_recorded_backup_power_working) as not_recorded_power,
      functionality_status_mode, nullif(btrim(library_version), '') as library_version,
      max(functional_at) over earlier as functional_at, max(power_at) over earlier as power_at,
      max(not_functional_at) over earlier as not_functional_at, max(no_power_at) over earlier as no_power_at, row_number() over earlier as number
    from assessment_rollup where period = 'quarter' and facility_uuid = any(${facilities}::text[])
    window earlier as (partition by facility_uuid order by period_start)),
  sent as materialized (
    select facility_uuid, period_start, ${dueDay("(max(tdb_created_at) over earlier)::date")} as due_day, row_number() over earlier as number
    from tdb_rollup where period = 'quarter' and facility_uuid = any(${facilities}::text[])
    window earlier as (partition by facility_uuid order by period_start)),
  site as materialized (
    select facility_uuid, ${placeColumns.join(", ")}, date_trunc('quarter', closed_on::timestamp)::date as closed
    from facility where facility_uuid = any(${facilities}::text[])),
  closing as (select facility_uuid, closed as quarter from site where closed is not null),
  points as (
    select facility_uuid, period_start from visited
    union select facility_uuid, period_start from sent
    union select facility_uuid, quarter from closing
    union select facility_uuid, date_trunc('quarter', due_day::timestamp + interval '1 day')::date from sent
    where due_day >= (period_start + interval '3 months')::date - 1),
  numbered as (
    select facility_uuid, period_start, lead(period_start) over earlier as "until",
      count(visited.number) over earlier as visits, count(sent.number) over earlier as sendings
    from points left join visited using (facility_uuid, period_start) left join sent using (facility_uuid, period_start)
    window earlier as (partition by facility_uuid order by period_start)),
  stated as materialized (
    select point.facility_uuid, point.period_start, point."until", visit.assessment_uuid, visit.assessed_at,
      coalesce(visit.smart_care_functional, false) as smart_care_functional, coalesce(visit.power_working, false) as power_working,
      visit.functionality_status_mode, visit.library_version, visit.functional_at, visit.power_at, visit.not_functional_at, visit.no_power_at,
      coalesce(visit.not_recorded_functional, false) as not_recorded_functional, coalesce(visit.not_recorded_power, false) as not_recorded_power,
      last.due_day is not null or coalesce(visit.functionality_status_mode in (${sending}), false) as expected,
      coalesce(last.due_day >= (point.period_start + interval '3 months')::date - 1, false) as in_time
    from numbered as point
    left join visited as visit on visit.facility_uuid = point.facility_uuid and visit.number = point.visits
    left join sent as last on last.facility_uuid = point.facility_uuid and last.number = point.sendings
    where (point."until" is null or point."until" >= ${since})
      and not exists (select from closing where closing.facility_uuid = point.facility_uuid and closing.quarter <= point.period_start)),
  gone as (
    delete from facility_state as kept where kept.facility_uuid = any(${facilities}::text[]) and kept.period_start >= ${since} and not exists (
      select from stated where stated.facility_uuid = kept.facility_uuid and stated.period_start = kept.period_start))
  insert into facility_state (facility_uuid, period_start, ${held.join(", ")})
  select facility_uuid, period_start, ${heldOf("stated", "site")} from stated join site using (facility_uuid)
  where not exists (
    select from facility_state as kept where kept.facility_uuid = stated.facility_uuid and kept.period_start = stated.period_start
      and row(${heldOf("kept", "kept")}) is not distinct from row(${heldOf("stated", "site")}))
  on conflict (facility_uuid, period_start) do update set (${held.join(", ")}) = (select ${heldOf("excluded", "excluded")})`;

/** A function for all steps, so that each connection plans its statements once. */
const refresh: SqlFunction = {
  name: "refresh_states",
  args: "facilities text[], since date",
  returns: "void",
  settings: planOnce,
  body: `${recomputed("facilities", "since")};`,
};

const watched = ["assessment_rollup", "tdb_rollup"];

const ever = "date '-infinity'";
const recount = (facilities: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${sql.join(
    recomputed("#", ever)
      .split("#")
      .map((part) => sql.raw(part)),
    facilities,
  )}`;

export const state: Derived = {
  name: "state",
  purpose:
    "The state of each facility at the end of each quarter, by its latest assessment and TDB up to then; the row without `until` is today's.",
  sources: [...watched, "facility"],
  tables: { facility_state: { keys, measures } },
  functions: [refresh],
  steps: [
    ...watched.map((table) => ({
      table,
      body: (written: Written) => `
        perform refresh_states(array_agg(distinct facility_uuid), min(period_start))
        from (select period, period_start, facility_uuid from ${written.old} union all select period, period_start, facility_uuid from ${written.new}) as changed
        where period = 'quarter' having count(*) > 0;`,
    })),
    {
      table: "facility",
      on: ["update"],
      body: (written) => `
        perform refresh_states(array_agg(facility_uuid), ${ever})
        from ${changedIn(written, ["facility_uuid", "closed_on"])} as changed having count(*) > 0;`,
    },
  ],
  recount: {
    by: "facility",
    cost: { key: 0.0007, record: 0.85e-6, newRecord: 2.6e-6 },
    statements: (facilities) => [recount(facilities)],
  },
};
