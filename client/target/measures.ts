import { measuresOfTargets } from "../../gateway/target/attainment.rules.ts";
import type { PeriodTabQueryQuery } from "../gql/graphql.ts";
import { formatNumber } from "../ui/text/counted.ts";

/** The measures that can have a target, by their names in GraphQL. */
export const measures = {
  FUNCTIONAL: measuresOfTargets.functional,
  PRIMARY_POWER_WORKING: measuresOfTargets.primaryPowerWorking,
  BACKUP_POWER_WORKING: measuresOfTargets.backupPowerWorking,
  EFIRST: measuresOfTargets.efirst,
} as const;
export type MeasureName = keyof typeof measures;

/** The measures of these sums, for which targets can be set. */
export const measuresOf = (sums: readonly (string | undefined)[]): MeasureName[] =>
  (Object.keys(measures) as MeasureName[]).filter((name) => sums.includes(measures[name].sum));

/** A target that applies to the scope of a chart, and what was reached. */
export type TargetAnswer = Omit<NonNullable<PeriodTabQueryQuery["attainment"]>[number], "__typename">;

/** A target and what was reached, in one sentence. */
export function targetWords({ measure, year, percent, unit, notRecorded, reached, attainment }: TargetAnswer): string {
  const aim = `${measures[measure].label}: target ${percent}% of those assessed in FY ${year} (${unit})`;
  if (reached == null) return `${aim}, nobody assessed.`;
  return `${aim}, reached ${reached}%${attainment == null ? "" : `, attainment ${attainment}%`}${notRecorded === 0 ? "" : `, ${formatNumber(notRecorded)} not recorded`}.`;
}
