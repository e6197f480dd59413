export { sendingModes } from "./derived/sending.rules.ts";

/** Kinds of entries of the work list, in the order in which they are shown. */
export const worklistKinds = ["stopped", "lostPower", "silent", "oldVersion", "notVisited"] as const;
export type WorklistKind = (typeof worklistKinds)[number];

/** What each kind is called on screens, in files and in the descriptions of both interfaces, and the right to see its single entries. */
export const worklistHeads: Record<WorklistKind, { title: string; needs: "viewAssessments" | "viewTdbs" }> = {
  stopped: { title: "Stopped working", needs: "viewAssessments" },
  lostPower: { title: "Lost power", needs: "viewAssessments" },
  silent: { title: "Silent", needs: "viewTdbs" },
  oldVersion: { title: "Old version", needs: "viewAssessments" },
  notVisited: { title: "Not visited", needs: "viewAssessments" },
};
