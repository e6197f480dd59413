import type { Evidence, JudgedAction, TdbEvidence, VisitEvidence } from "../../db/action/action.rules.ts";
import type { WorklistKind } from "../../db/situation/state.rules.ts";
import { compareVersions, isVersion } from "../input/version.rules.ts";

/**
 * When an action about an entry of the work list closes by itself: at the first visit, or receipt of a TDB, after the
 * agreement that shows the trouble mended. A visit that does not record the answer shows nothing.
 */

const mends: Record<Exclude<WorklistKind, "silent">, (visit: VisitEvidence, action: JudgedAction) => boolean> = {
  stopped: ({ smartCareFunctional }) => smartCareFunctional === true,
  lostPower: ({ powerWorks }) => powerWorks === true,
  // The version that was the newest when it was agreed: an even newer one changes nothing about what was agreed.
  oldVersion: ({ libraryVersion: found }, { wantedVersion: wanted }) =>
    found !== null && wanted !== null && isVersion(found) && compareVersions(found, wanted) >= 0,
  notVisited: () => true,
};

/** The first visit or TDB that shows an action done; null if there is none. Both lists begin with the earliest. */
export function evidenceFor(
  action: JudgedAction,
  visits: readonly VisitEvidence[],
  tdbs: readonly TdbEvidence[],
): Evidence | null {
  const { kind, evidenceAfter } = action;
  if (kind === "silent") {
    const tdb = tdbs.find(({ at, isInTime }) => at > evidenceAfter && isInTime);
    return tdb
      ? { assessmentUuid: null, tdbUuid: tdb.tdbUuid, at: tdb.at, reason: `The TDB received on ${tdb.day} mended it.` }
      : null;
  }
  const visit = visits.find((each) => each.at > evidenceAfter && mends[kind](each, action));
  return visit
    ? {
        assessmentUuid: visit.assessmentUuid,
        tdbUuid: null,
        at: visit.at,
        reason: `The visit of ${visit.day} found it mended.`,
      }
    : null;
}
