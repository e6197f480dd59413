import type { ReconciliationFindingKind, ReconciliationState, ReconciliationTrend } from "../gql/graphql.ts";

/** The words for comparisons and their findings on the screens. */

export const findingTitles: Record<ReconciliationFindingKind, string> = { DIFFERS: "Differing", ONLY_HERE: "Only here", ONLY_THERE: "Only there", UNCLEAR: "Unclear" };
export const findingKinds = Object.keys(findingTitles) as ReconciliationFindingKind[];

export const findingStateTitles: Record<ReconciliationState, string> = { OPEN: "Open", DONE: "Done", IGNORED: "Ignored" };
export const findingStates = Object.keys(findingStateTitles) as ReconciliationState[];

export const trendTitles: Record<ReconciliationTrend, string> = { NEW: "New", CHANGED: "Changed since", STILL: "As before", GONE: "Gone" };
