/** The kinds of what a facility's timeline tells. */
export const timelineKinds = ["visit", "upgrade", "tdb", "note", "action", "configuration", "registry"] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** One value that differs from the one before. */
export type TimelineChange = { field: string; from: unknown; to: unknown };
