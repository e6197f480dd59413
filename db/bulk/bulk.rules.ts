/** What can be done to many sites at once. */
export type BulkActName = "assign" | "note" | "setPartner" | "addToFieldList" | "removeFromFieldList";

/** Why a site was left out of an act on many, or of its undoing. */
export const leftOutReasons = [
  "unknown",
  "merged",
  "closed",
  "notYours",
  "notOnList",
  "unchanged",
  "changedSince",
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];
export type LeftOut = { reason: LeftOutReason; sites: number };
