import { type WorklistKind, worklistNames } from "../../db/situation/state.rules.ts";
import type { WorklistKind as KindName } from "../gql/graphql.ts";

/** The texts for the kinds of the work list. gateway/situation/worklist.rules.ts defines each kind exactly. */
export const worklistTitles: Record<WorklistKind, { title: string; text: string; since: string }> = {
  stopped: { title: worklistNames.stopped, text: "worked at an earlier visit", since: "Found stopped" },
  lostPower: { title: worklistNames.lostPower, text: "had power at an earlier visit", since: "Found without" },
  silent: { title: worklistNames.silent, text: "last TDB too old, or never sent", since: "Overdue since" },
  oldVersion: { title: worklistNames.oldVersion, text: "older than the newest", since: "Seen on" },
  notVisited: { title: worklistNames.notVisited, text: "for 180 days", since: "Last visit" },
};

const names: Record<WorklistKind, KindName> = {
  stopped: "STOPPED",
  lostPower: "LOST_POWER",
  silent: "SILENT",
  oldVersion: "OLD_VERSION",
  notVisited: "NOT_VISITED",
};
/** A kind by its name in GraphQL, and the other way round. */
export const nameOf = (kind: WorklistKind): KindName => names[kind];
export const kindOf = (name: string): WorklistKind =>
  (Object.keys(names) as WorklistKind[]).find((kind) => names[kind] === name)!;
export const isKind = (text: string | undefined): text is WorklistKind =>
  text !== undefined && Object.hasOwn(names, text);
