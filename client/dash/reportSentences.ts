import type { Figures_DashboardRowFragment } from "../gql/graphql.ts";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { noFacilities } from "./figures.ts";

/** The figures of one period that the sentences use. */
type Figures = Pick<
  Figures_DashboardRowFragment,
  | (
      | "state"
      | "facilities"
      | "assessed"
      | "sumSmartCareFunctional"
      | "sumPrimaryPowerWorking"
      | "sumBackupPowerWorking"
      | "sumTrainedStaff"
    )
  | ("notRecordedSmartCareFunctional" | "notRecordedPrimaryPowerWorking" | "notRecordedBackupPowerWorking")
>;

const share = (value: number, of: number): number => Math.round((value / of) * 1000) / 10;

/** "12 more than before", "3 points fewer than before"; empty if nothing changed. */
function change(now: number, before: number, unit = ""): string {
  const by = Math.round(Math.abs(now - before) * 10) / 10;
  return by === 0 ? "" : `${formatNumber(by)}${unit} ${now > before ? "more" : "fewer"} than before`;
}

/** A period in sentences: each figure with its denominator and its change since the previous period. */
export function reportSentences(now: Figures, before: Figures | undefined): string[] {
  const { state, facilities, assessed } = now;
  if (state === "AHEAD") return ["This period lies ahead: nothing can have been assessed in it yet."];
  if (facilities === 0) return [noFacilities];
  const more = before ? change(assessed, before.assessed) : "";
  const first = `${formatNumber(assessed)} of ${counted(facilities, "facility", "facilities")} were assessed${state === "RUNNING" ? " so far" : ""}${more ? ` (${more})` : ""}.`;
  if (assessed === 0) return [first];
  const unknown = (count: number) => (count === 0 ? "" : `, ${formatNumber(count)} not recorded`);
  const part = (value: number, count: number) => `${formatNumber(value)} (${share(value, assessed)}%${unknown(count)})`;
  const points =
    before && before.assessed > 0
      ? change(
          share(now.sumSmartCareFunctional, assessed),
          share(before.sumSmartCareFunctional, before.assessed),
          " points",
        )
      : "";
  return [
    first,
    `SmartCare works at ${formatNumber(now.sumSmartCareFunctional)} of these (${share(now.sumSmartCareFunctional, assessed)}%${points ? `, ${points}` : ""}${unknown(now.notRecordedSmartCareFunctional)}).`,
    `Primary power works at ${part(now.sumPrimaryPowerWorking, now.notRecordedPrimaryPowerWorking)}, backup power at ${part(now.sumBackupPowerWorking, now.notRecordedBackupPowerWorking)}.`,
    `${formatNumber(now.sumTrainedStaff)} staff are trained.`,
  ];
}
