import type { WorklistKind } from "../situation/state.rules.ts";

/** Where an action comes from, its states, and what closes it by itself. */

export const actionOrigins = ["visit", "worklist", "hand"] as const;
export type ActionOrigin = (typeof actionOrigins)[number];

export const actionStates = ["open", "done", "dropped"] as const;
export type ActionState = (typeof actionStates)[number];

/** An action that can close by itself, or that did. Instants are in UTC, so their texts can be compared. */
export type JudgedAction = {
  actionUuid: string;
  kind: WorklistKind;
  wantedVersion: string | null;
  evidenceAfter: string;
  /** the visit or TDB that closed it; null while it is open */ evidenceUuid: string | null;
};

export type VisitEvidence = {
  assessmentUuid: string;
  at: string;
  day: string;
  smartCareFunctional: boolean | null;
  powerWorks: boolean | null;
  libraryVersion: string | null;
};

export type TdbEvidence = {
  tdbUuid: string;
  at: string;
  day: string;
  /** on the day of its receipt the next one was not yet due */ isInTime: boolean;
};

/** The visit or TDB that shows an action done, and that in words. */
export type Evidence = { assessmentUuid: string | null; tdbUuid: string | null; at: string; reason: string };
