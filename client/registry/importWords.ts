import type { RegistryImportDecision, RegistryImportKind, RegistryImportStatus } from "../gql/graphql.ts";

/** The words for imports and their rows on the screens. */

export const kindTitles: Record<RegistryImportKind, string> = {
  NEW: "New",
  CHANGED: "Changed",
  SAME: "Same",
  IDENTIFIER_CHANGE: "Identifier changes",
  DUPLICATE: "Duplicates",
  CONFLICT: "Conflicts",
  MERGE_CANDIDATE: "Merge candidates",
  UNKNOWN_PLACE: "Unknown places",
};
/** Rows of any kind that have a warning are also a list of their own. */
export const warned = "WARNED";
export const listTitles = { ...kindTitles, [warned]: "With warnings" };
export type ImportList = keyof typeof listTitles;
export const importKinds = Object.keys(kindTitles) as RegistryImportKind[];

export const statusTitles: Record<RegistryImportStatus, string> = { READY: "To be reviewed", APPLIED: "Applied", REVERTED: "Reverted" };
export const decisionTitles: Record<RegistryImportDecision, string> = { UNDECIDED: "Undecided", ACCEPTED: "Accepted", REJECTED: "Rejected" };
