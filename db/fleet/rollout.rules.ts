/** What a site can report about a file that it should apply. */
export const updateOutcomes = ["applied", "failed"] as const;
export type UpdateOutcome = (typeof updateOutcomes)[number];

/** The states of a site that a rollout covers. */
export const fleetStates = ["due", "silent", "failed", "paused", "reported", "reached", "noPath"] as const;
export type FleetState = (typeof fleetStates)[number];
