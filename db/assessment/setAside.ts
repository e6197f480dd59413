import { type RawBuilder, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { isCounted } from "../list/counted.ts";
import { instant } from "../list/page.ts";
import { inScope, type Scope } from "../list/scope.ts";

/** Visits and TDBs that were set aside or are held: they stay in lists, and no figure counts them. */

export type SetAside = { /** ISO 8601 in UTC */ at: string; reason: string; userName: string };

/** When, why and by whom a row of `assessment` or `tdb` was set aside; null if it is counted. */
export const setAsideOf = (row: string): RawBuilder<SetAside | null> => {
  const column = (name: string) => sql.ref(`${row}.${name}`);
  return sql<SetAside | null>`case when ${column("setAsideAt")} is not null then json_build_object(
    'at', ${instant(`${row}.setAsideAt`)}, 'reason', ${column("setAsideReason")},
    'userName', (select user_name from app_user as aside where aside.user_uuid = ${column("setAsideBy")})) end`;
};

const restored = { setAsideAt: null, setAsideBy: null, setAsideReason: null };
type Aside = { userUuid: string; reason: string };
const columnsOf = (aside: Aside | null) =>
  aside === null
    ? restored
    : { setAsideAt: sql<string>`now()`, setAsideBy: aside.userUuid, setAsideReason: aside.reason };

/** Sets a visit aside, or restores it (null). */
export async function updateAssessmentAside(
  handle: Handle,
  { assessmentUuid, aside }: { assessmentUuid: string; aside: Aside | null },
): Promise<void> {
  await handle
    .updateTable("assessment")
    .set({ ...columnsOf(aside), updatedAt: sql`now()` })
    .where("assessmentUuid", "=", assessmentUuid)
    .execute();
}

/** Sets a TDB aside, or restores it (null). */
export async function updateTdbAside(
  handle: Handle,
  { tdbUuid, aside }: { tdbUuid: string; aside: Aside | null },
): Promise<void> {
  await handle.updateTable("tdb").set(columnsOf(aside)).where("tdbUuid", "=", tdbUuid).execute();
}

/** Holds a visit for a reason in words, or releases it (null). */
export async function updateAssessmentHeld(
  handle: Handle,
  { assessmentUuid, held }: { assessmentUuid: string; held: string | null },
): Promise<void> {
  await handle
    .updateTable("assessment")
    .set({ held, updatedAt: sql`now()` })
    .where("assessmentUuid", "=", assessmentUuid)
    .execute();
}

/** Holds a TDB for a reason in words, or releases it (null). */
export async function updateTdbHeld(
  handle: Handle,
  { tdbUuid, held }: { tdbUuid: string; held: string | null },
): Promise<void> {
  await handle.updateTable("tdb").set({ held }).where("tdbUuid", "=", tdbUuid).execute();
}

/** The answers of the last counted visit of the same facility before a visit. */
export function findAnswersBefore(handle: Handle, { assessmentUuid }: { assessmentUuid: string }) {
  return handle
    .selectFrom("assessment as visit")
    .innerJoin("assessment as earlier", "earlier.facilityUuid", "visit.facilityUuid")
    .select(["earlier.numberOfStaffTrainedInSmartCare", "earlier.dateOfLastUpgrade"])
    .where("visit.assessmentUuid", "=", assessmentUuid)
    .where(sql<boolean>`(earlier.assessed_at, earlier.assessment_uuid) < (visit.assessed_at, visit.assessment_uuid)`)
    .where(isCounted("earlier"))
    .orderBy("earlier.assessedAt", "desc")
    .orderBy("earlier.assessmentUuid", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The patients of the last counted TDB of the same facility that was made before a TDB. */
export async function findPatientsBefore(handle: Handle, { tdbUuid }: { tdbUuid: string }): Promise<number | null> {
  const before = await handle
    .selectFrom("tdb")
    .innerJoin("tdb as earlier", "earlier.facilityUuid", "tdb.facilityUuid")
    .select("earlier.totalPatients")
    .where("tdb.tdbUuid", "=", tdbUuid)
    .where(
      sql<boolean>`(earlier.tdb_created_at, earlier.uploaded_at, earlier.tdb_uuid) < (tdb.tdb_created_at, tdb.uploaded_at, tdb.tdb_uuid)`,
    )
    .where(isCounted("earlier"))
    .orderBy("earlier.tdbCreatedAt", "desc")
    .orderBy("earlier.uploadedAt", "desc")
    .orderBy("earlier.tdbUuid", "desc")
    .limit(1)
    .executeTakeFirst();
  return before?.totalPatients ?? null;
}

/** How many visits or TDBs of the facilities of a scope no figure counts. */
export async function countNotCounted(
  handle: Handle,
  { table, scope }: { table: "assessment" | "tdb"; scope: Scope },
): Promise<{ held: number; setAside: number }> {
  const { rows } = await sql<{ held: number; setAside: number }>`
    select count(*) filter (where ${sql.ref(`${table}.held`)} is not null) as held,
      count(*) filter (where ${sql.ref(`${table}.setAsideAt`)} is not null) as set_aside
    from ${sql.table(table)} join facility using (facility_uuid) where not ${isCounted(table)} and ${inScope(scope)}`.execute(
    handle,
  );
  return rows[0]!;
}
