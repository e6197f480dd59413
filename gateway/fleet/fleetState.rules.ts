import { type FleetState, fleetStates } from "../../db/fleet/rollout.rules.ts";

/** The progress of a site in a rollout. */

export { type FleetState, fleetStates };

/** The states of a site that needs help. */
export const stuckStates = ["failed", "silent", "noPath"] as const satisfies FleetState[];

/** Why a site is stuck, in the words of a narrow column. */
export const stuckReasons: Record<(typeof stuckStates)[number], string> = {
  failed: "Failed",
  silent: "No report",
  noPath: "No path",
};

/** The label and description of each state. */
export const fleetStateWords: Record<FleetState, { label: string; about: string }> = {
  due: { label: "Ready to install", about: "The next file is to be applied." },
  silent: { label: "No report", about: "Nothing was heard of the next file for 14 days or more." },
  failed: { label: "Failed", about: "The site reported that the next file failed." },
  paused: { label: "Paused", about: "The rollout is paused." },
  reported: {
    label: "Applied",
    about: "The site reported the last file as applied; a TDB or visit that shows the version is not there yet.",
  },
  reached: { label: "Reached", about: "The latest TDB or visit shows the version, or a newer one." },
  noPath: {
    label: "No upgrade available from this version",
    about: "No files lead from what the site runs to the version.",
  },
};
