/** The values that comparisons with another list can have. CHECK constraints of the tables have the same lists. */

/** The form of the other list: a list as for an import, or DHIS2's organisation units. */
export const listForms = ["list", "organisationUnits"] as const;
export type ListForm = (typeof listForms)[number];

/** `unclear`: a row of the other list repeats another row, or may be one of several facilities. */
export const findingKinds = ["onlyHere", "onlyThere", "differs", "unclear"] as const;
export type FindingKind = (typeof findingKinds)[number];

/** Compared with the previous comparison with the same source. */
export const findingTrends = ["new", "changed", "still", "gone"] as const;
export type FindingTrend = (typeof findingTrends)[number];

export const findingStates = ["open", "done", "ignored"] as const;
export type FindingState = (typeof findingStates)[number];
