export { sendingModes } from "../derived/sending.rules.ts";

/** Kinds of entries of the work list, in the order in which they are shown. */
export const worklistKinds = ["stopped", "lostPower", "silent", "oldVersion", "notVisited"] as const;
export type WorklistKind = (typeof worklistKinds)[number];

/** The title of each kind on screens and in files. */
export const worklistNames: Record<WorklistKind, string> = {
  stopped: "Stopped working",
  lostPower: "Lost power",
  silent: "Data overdue",
  oldVersion: "Old version",
  notVisited: "Not visited",
};
