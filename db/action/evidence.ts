import { sql } from "kysely";

import { troubles } from "../derived/state.ts";
import { dueDay } from "../derived/silence.ts";
import type { Handle } from "../engine/connect.ts";
import { isCounted } from "../list/counted.ts";
import { instant } from "../list/page.ts";
import type { Evidence, JudgedAction, TdbEvidence, VisitEvidence } from "./action.rules.ts";

/**
 * What a visit or a TDB shows about the actions on a facility's entries of the work list. The rule itself is
 * `evidenceFor` in `gateway/facility/actionEvidence.rules.ts`.
 */

/**
 * The actions that a change of a facility's history at an instant can affect: those that are open, or that a visit or
 * TDB of that time or later closed. What closed earlier had its first evidence before the change.
 */
export async function listJudgedActions(
  handle: Handle,
  { facilityUuid, from }: { facilityUuid: string; from: string },
): Promise<JudgedAction[]> {
  const { rows } = await sql<JudgedAction>`
    select action_uuid, kind, wanted_version, ${instant("action.evidenceAfter")} as evidence_after,
      coalesce(closing_assessment_uuid, closing_tdb_uuid) as evidence_uuid
    from action
    where facility_uuid = ${facilityUuid} and kind is not null and (
      state = 'open'
      or closed_by is null and closed_at >= ${from}::timestamptz and coalesce(closing_assessment_uuid, closing_tdb_uuid) is not null)
    order by action_uuid`.execute(handle);
  return rows;
}

/** A facility's visits after an instant, the earliest first. */
export async function listVisitEvidence(
  handle: Handle,
  { facilityUuid, after }: { facilityUuid: string; after: string },
): Promise<VisitEvidence[]> {
  const { rows } = await sql<VisitEvidence>`
    select assessment_uuid, ${instant("assessment.assessedAt")} as at, assessed_at::date as day, smart_care_functional,
      ${sql.raw(troubles.lostPower.works)} as power_works, nullif(btrim(library_version), '') as library_version
    from assessment where facility_uuid = ${facilityUuid} and ${isCounted("assessment")} and assessed_at > ${after}::timestamptz
    order by assessed_at, assessment_uuid`.execute(handle);
  return rows;
}

/** The TDBs that were received from a facility after an instant, the earliest first. */
export async function listTdbEvidence(
  handle: Handle,
  { facilityUuid, after }: { facilityUuid: string; after: string },
): Promise<TdbEvidence[]> {
  const { rows } = await sql<TdbEvidence>`
    select tdb_uuid, ${instant("tdb.uploadedAt")} as at, uploaded_at::date as day,
      ${sql.raw(dueDay("tdb_created_at::date"))} >= uploaded_at::date as is_in_time
    from tdb where facility_uuid = ${facilityUuid} and ${isCounted("tdb")} and uploaded_at > ${after}::timestamptz
    order by uploaded_at, tdb_uuid`.execute(handle);
  return rows;
}

/** Closes an action because of its evidence, or opens it again because there is none. */
export async function updateActionEvidence(
  handle: Handle,
  {
    actionUuid,
    evidence,
  }: {
    actionUuid: string;
    evidence: Evidence | null;
  },
): Promise<void> {
  await handle
    .updateTable("action")
    .set({
      state: evidence ? "done" : "open",
      closedAt: evidence?.at ?? null,
      closedBy: null,
      reason: evidence?.reason ?? null,
      closingAssessmentUuid: evidence?.assessmentUuid ?? null,
      closingTdbUuid: evidence?.tdbUuid ?? null,
      version: sql`version + 1`,
    })
    .where("actionUuid", "=", actionUuid)
    .execute();
}
