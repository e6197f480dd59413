import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { dayOf, timeOf } from "../list/day.ts";
import { anyOf } from "../list/keys.ts";

/** One change of an assessment: the field's path and both values. */
type Change = { field: string; from: string | number | boolean | null; to: string | number | boolean | null };

/** Changes of several assessments, the latest version of each first. */
export function listRevisions(handle: Handle, { assessmentUuids }: { assessmentUuids: readonly string[] }) {
  return handle
    .selectFrom("assessmentRevision")
    .innerJoin("appUser", "appUser.userUuid", "assessmentRevision.userUuid")
    .where("assessmentRevision.assessmentUuid", "=", anyOf(assessmentUuids, "uuid"))
    .orderBy("assessmentRevision.assessmentUuid")
    .orderBy("assessmentRevision.version", "desc")
    .select([
      "assessmentRevision.assessmentUuid",
      "assessmentRevision.version",
      "assessmentRevision.userUuid",
      "appUser.userName",
      dayOf("assessmentRevision.revisedAt").as("revisionDate"),
      timeOf("assessmentRevision.revisedAt").as("revisionTime"),
      sql<Change[]>`assessment_revision.changes`.as("changes"),
    ])
    .execute();
}

export type RevisionRow = Awaited<ReturnType<typeof listRevisions>>[number];

/** Records the changes that made this version of an assessment. */
export async function insertRevision(
  handle: Handle,
  {
    changes,
    ...revision
  }: { assessmentUuid: string; version: number; userUuid: string; tokenUuid: string | null; changes: Change[] },
): Promise<void> {
  await handle
    .insertInto("assessmentRevision")
    .values({ ...revision, changes: JSON.stringify(changes) })
    .execute();
}
