/** The kinds of what a facility's timeline tells. */
export const timelineKinds = ["visit", "upgrade", "tdb", "note", "action", "configuration", "registry"] as const;
export type TimelineKind = (typeof timelineKinds)[number];

type Value = string | number | boolean | null;
/** One value that differs from the one before. */
export type TimelineChange = { field: string; from: Value; to: Value };
