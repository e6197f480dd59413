/** What a target can be set for. Each names a sum of the dashboards' rows. */
export const targetMeasures = ["functional", "primaryPowerWorking", "backupPowerWorking", "efirst"] as const;
export type TargetMeasure = (typeof targetMeasures)[number];
