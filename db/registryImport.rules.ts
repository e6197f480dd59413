/** What imports and their rows can be; the tables have the same lists. */

export const importStatuses = ["ready", "applied", "reverted"] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** What a row would do. The last four are doubtful, and have lists of their own. */
export const importKinds = ["new", "changed", "same", "duplicate", "conflict", "mergeCandidate", "unknownPlace"] as const;
export type ImportKind = (typeof importKinds)[number];

export const importDecisions = ["undecided", "accepted", "rejected"] as const;
export type ImportDecision = (typeof importDecisions)[number];
