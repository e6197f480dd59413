export { sendingModes } from "./derived/sending.rules.ts";

/** Kinds of entries of the work list, in the order in which they are shown. */
export const worklistKinds = ["stopped", "lostPower", "silent", "oldVersion", "notVisited"] as const;
export type WorklistKind = (typeof worklistKinds)[number];

/** The title of each kind on screens, in files and in the descriptions of REST and GraphQL, and the right that is needed to see its entries. */
export const worklistHeads: Record<WorklistKind, { title: string; needs: "viewAssessments" | "viewTdbs" }> = {
  stopped: { title: "Stopped working", needs: "viewAssessments" },
  lostPower: { title: "Lost power", needs: "viewAssessments" },
  silent: { title: "Silent", needs: "viewTdbs" },
  oldVersion: { title: "Old version", needs: "viewAssessments" },
  notVisited: { title: "Not visited", needs: "viewAssessments" },
};
