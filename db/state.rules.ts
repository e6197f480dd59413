export { sendingModes } from "./derived/sending.rules.ts";

/** Kinds of entries of the work list, in the order in which they are shown. */
export const worklistKinds = ["stopped", "lostPower", "silent", "oldVersion", "notVisited"] as const;
export type WorklistKind = (typeof worklistKinds)[number];
