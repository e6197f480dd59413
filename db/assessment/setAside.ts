import { type RawBuilder, sql } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { instant } from "../list/page.ts";

/** Visits and TDBs that were set aside: they stay in lists, and no figure counts them. */

export type SetAside = { /** ISO 8601 in UTC */ at: string; reason: string; userName: string };

/** When, why and by whom a row of `assessment` or `tdb` was set aside; null if it is counted. */
export const setAsideOf = (row: string): RawBuilder<SetAside | null> => {
  const column = (name: string) => sql.ref(`${row}.${name}`);
  return sql<SetAside | null>`case when ${column("setAsideAt")} is not null then json_build_object(
    'at', ${instant(`${row}.setAsideAt`)}, 'reason', ${column("setAsideReason")},
    'userName', (select user_name from app_user as aside where aside.user_uuid = ${column("setAsideBy")})) end`;
};

const restored = { setAsideAt: null, setAsideBy: null, setAsideReason: null };
export type Aside = { userUuid: string; reason: string };
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
