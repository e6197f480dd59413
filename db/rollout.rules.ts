/** What a site can report of a file that it was to apply. */
export const updateOutcomes = ["applied", "failed"] as const;
export type UpdateOutcome = (typeof updateOutcomes)[number];

/** How far a site is that a rollout covers. */
export const fleetStates = ["due", "silent", "failed", "paused", "reported", "reached", "noPath"] as const;
export type FleetState = (typeof fleetStates)[number];
