import { PeriodTabQueryDocument } from "../../client/gql/graphql.ts";
import { typed } from "./floorSql.ts";
import { clientRequest, type FloorQuestion, readGoals, type Question } from "./questions.ts";
import type { Samples } from "./samples.ts";

/** The dashboards at each level: the nation, a province, a district, a partner. */

const levels = ["nation", "province", "district", "partner"] as const;
type Level = (typeof levels)[number];
const columnOf = { province: "province_id", district: "district_id", partner: "implementing_partner_id" };

const scopeOf = (level: Level, { provinceId, districtId, implementingPartnerId }: Samples) =>
  ({ nation: {}, province: { provinceId }, district: { districtId }, partner: { implementingPartnerId } })[level];

const sums = {
  assessed: "count(*)",
  sumTrainedStaff: "sum(staff_trained)",
  sumSmartCareFunctional: "count(*) filter (where smart_care_functional)",
  sumPrimaryPower: "count(*) filter (where primary_power)",
  sumPrimaryPowerWorking: "count(*) filter (where primary_power_working)",
  sumBackupPower: "count(*) filter (where backup_power)",
  sumBackupPowerWorking: "count(*) filter (where backup_power_working)",
  notRecordedSmartCareFunctional: "count(*) filter (where smart_care_functional is null)",
  notRecordedPrimaryPower: "count(*) filter (where primary_power is null)",
  notRecordedPrimaryPowerWorking: "count(*) filter (where primary_power_working is null)",
  notRecordedBackupPower: "count(*) filter (where backup_power is null)",
  notRecordedBackupPowerWorking: "count(*) filter (where backup_power_working is null)",
};
const modes = {
  efirst: "count(*) filter (where r.functionality_status_mode = 'EFirst')",
  efast: "count(*) filter (where r.functionality_status_mode = 'EFast')",
  elast: "count(*) filter (where r.functionality_status_mode = 'ELast')",
  partial: "count(*) filter (where r.functionality_status_mode = 'Partial')",
  notDeployed: "count(*) filter (where r.functionality_status_mode = 'NotDeployed')",
  notOperational: "count(*) filter (where r.functionality_status_mode = 'NotOperational')",
};
const figures = { ...sums, ...modes };

/** The rows of one view as JSON: $1 is the fiscal year, $2 the scope's id. */
function series(level: Level, kind: "month" | "quarter"): string {
  const months = kind === "month" ? 1 : 3;
  const slots = `(select (make_date($1 - 1, 10, 1) + make_interval(months => n * ${months}))::date as start, n * ${months} / 3 + 1 as quarter
    from generate_series(0, ${12 / months - 1}) as n) as slot`;
  const names = Object.keys(figures);
  const within =
    level === "nation" ? "" : `join facility using (facility_uuid) where facility.${columnOf[level]} = $2 and`;
  const end = `slot.start + interval '${months} months'`;
  return `(select json_agg(${typed("DashboardRow", {
    year: "$1::int",
    state: `case when slot.start > current_date then 'AHEAD' when ${end} > current_date then 'RUNNING' else 'ENDED' end`,
    facilities: `(select count(*) from facility where closed_on is null${level === "nation" ? "" : ` and facility.${columnOf[level]} = $2`})`,
    quarter: "slot.quarter",
    calMonth: kind === "month" ? "extract(month from slot.start)::int" : "null::int",
    ...Object.fromEntries(names.map((name) => [name, `coalesce("${name}", 0)`])),
  })} order by slot.start) from ${slots} left join (
    select period_start as start, ${Object.entries(figures)
      .map(([name, figure]) => `${figure} as "${name}"`)
      .join(", ")}
    from assessment_rollup r ${within || "where"} period = '${kind}'
      and period_start >= make_date($1 - 1, 10, 1) and period_start < make_date($1, 10, 1) group by 1) as counted using (start))`;
}

/** Uses $2 where the scope does not, so that all levels take the same parameters. */
const alike = (level: Level) => (level === "nation" ? " where $2::int is null" : "");

/**
 * The targets of the unit for the year. The countries of the bench have none, so this only costs the floor a lookup.
 */
const targets = (level: Level) =>
  `(select coalesce(json_agg(target_uuid), '[]'::json) from target where year = $1 and ${level === "nation" ? "num_nonnulls(province_id, district_id, implementing_partner_id) = 0" : `${columnOf[level]} = $2`})`;

const comparisonFloor = levels.map((level): FloorQuestion => ({
  name: `dashboard.${level}`,
  sql: `select json_build_object('monthly', ${series(level, "month")}, 'quarterly', ${series(level, "quarter")}, 'attainment', ${targets(level)})::text${alike(level)}`,
}));

const idOf = (level: Level, samples: Samples) => Object.values(scopeOf(level, samples))[0] ?? null;

const dashboard: Question = {
  name: "dashboard",
  title: "The chart that an overview opens with, by month and quarter: nation, province, district, partner in turn",
  asker: "client",
  wanted: readGoals,
  floor: comparisonFloor,
  operations: (samples) =>
    levels.map((level) => ({
      product: clientRequest(PeriodTabQueryDocument, {
        year: samples.year,
        quarter: -1,
        ...scopeOf(level, samples),
      }),
      floor: { name: `dashboard.${level}`, values: [samples.year, idOf(level, samples)] },
    })),
};

export const dashQuestions = [dashboard];
