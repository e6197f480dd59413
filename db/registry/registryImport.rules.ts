/** The values that imports and their rows can have. CHECK constraints of the tables have the same lists. */

/** `read`: its file was read, and waits for the review. The table has a column of its own for it. */
export const importStatuses = ["read", "ready", "applied", "reverted"] as const;
export type ImportStatus = (typeof importStatuses)[number];

/**
 * What a row would do. Rows of the last five kinds need a person's decision, and are listed separately. A row that
 * would change or remove an identifier (`identifierChange`) is only accepted by its line, never together with others.
 */
export const importKinds = [
  "new",
  "changed",
  "same",
  "identifierChange",
  "duplicate",
  "conflict",
  "mergeCandidate",
  "unknownPlace",
] as const;
export type ImportKind = (typeof importKinds)[number];

export const importDecisions = ["undecided", "accepted", "rejected"] as const;
export type ImportDecision = (typeof importDecisions)[number];
