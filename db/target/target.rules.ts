/** The measures for which a target can be set. Each is the name of a sum in the dashboards' rows. */
export const targetMeasures = ["functional", "primaryPowerWorking", "backupPowerWorking", "efirst"] as const;
export type TargetMeasure = (typeof targetMeasures)[number];
