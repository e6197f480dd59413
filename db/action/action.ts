import { type Insertable, type NotNull, type RawBuilder, sql, type SqlBool } from "kysely";

import type { Handle } from "../engine/connect.ts";
import { dayOf, timeOf } from "../list/day.ts";
import { anyOf } from "../list/keys.ts";
import { type Order, type Page, type PageInput, readPage } from "../list/page.ts";
import { inScope, type Scope } from "../list/scope.ts";
import type { Action } from "../schema.ts";
import type { WorklistKind } from "../situation/state.rules.ts";
import type { ActionOrigin, ActionState } from "./action.rules.ts";
import { isMine, type Mine } from "./mine.ts";

/** Actions: what was agreed to mend something at a facility, by whom and until when. */

const isClosed = sql<number>`(action.state <> 'open')::integer`;

/** An action with the names that it is shown with. Days are in the ministry's zone. */
const actions = (handle: Handle) =>
  handle
    .selectFrom("action")
    .innerJoin("facility", "facility.facilityUuid", "action.facilityUuid")
    .leftJoin("implementingPartner", "implementingPartner.implementingPartnerId", "action.implementingPartnerId")
    .innerJoin("appUser", "appUser.userUuid", "action.userUuid")
    .leftJoin("appUser as closer", "closer.userUuid", "action.closedBy")
    .select([
      "action.actionUuid",
      "action.facilityUuid",
      "facility.facilityName",
      "action.text",
      "action.responsible",
      "action.implementingPartnerId",
      "implementingPartner.name as implementingPartner",
      "action.dueDay",
      sql<
        number | null
      >`case when action.state = 'open' then nullif(greatest(current_date - action.due_day, 0), 0) end`.as(
        "overdueDays",
      ),
      "action.origin",
      "action.assessmentUuid",
      "action.kind",
      "action.wantedVersion",
      "action.userUuid",
      "appUser.userName as agreedBy",
      dayOf("action.agreedAt").as("agreedDate"),
      timeOf("action.agreedAt").as("agreedTime"),
      "action.state",
      sql<string | null>`action.closed_at::date`.as("closedDate"),
      "closer.userName as closedBy",
      "action.reason",
      "action.closingAssessmentUuid",
      "action.closingTdbUuid",
      "action.version",
      isClosed.as("isClosed"),
    ])
    .$narrowType<{ origin: ActionOrigin; kind: WorklistKind | null; state: ActionState; agreedBy: NotNull }>();
export type ActionRow = Awaited<ReturnType<ReturnType<typeof actions>["executeTakeFirstOrThrow"]>>;

/** Open ones first, then by the day on which they are due. */
const byDueDay: Order = {
  columns: [
    { key: "isClosed", column: isClosed, type: "integer" },
    { key: "dueDay", column: "action.dueDay", type: "date" },
    { key: "actionUuid", column: "action.actionUuid", type: "uuid" },
  ],
};

export type ActionFilter = Scope & {
  facilityUuid?: string | null;
  state?: ActionState | null;
  /** true: only open ones whose day is past; false: only the others */ overdue?: boolean | null;
  responsiblePartnerId?: number | null;
  kind?: WorklistKind | null;
  /** whether they are about an entry of the work list */ isAboutEntry?: boolean | null;
  /** only open ones of somebody */ mine?: Mine | null | undefined;
};

const isOverdue = sql<SqlBool>`(action.state = 'open' and action.due_day < current_date)`;

function matching<Query extends ReturnType<typeof actions>>(query: Query, filter: ActionFilter): Query {
  const { facilityUuid, state, overdue, responsiblePartnerId, kind, isAboutEntry, mine } = filter;
  let narrowed = query.where(inScope(filter)) as Query;
  if (facilityUuid != null) narrowed = narrowed.where("action.facilityUuid", "=", facilityUuid) as Query;
  if (state != null) narrowed = narrowed.where("action.state", "=", state) as Query;
  // The expression of the index: open ones are its first part.
  if (state === "open" || overdue === true) narrowed = narrowed.where(sql<boolean>`${isClosed} = 0`) as Query;
  if (overdue != null) narrowed = narrowed.where(overdue ? isOverdue : sql<SqlBool>`not ${isOverdue}`) as Query;
  if (responsiblePartnerId != null)
    narrowed = narrowed.where("action.implementingPartnerId", "=", responsiblePartnerId) as Query;
  if (kind != null) narrowed = narrowed.where("action.kind", "=", kind) as Query;
  if (isAboutEntry != null) narrowed = narrowed.where("action.kind", isAboutEntry ? "is not" : "is", null) as Query;
  if (mine != null) narrowed = narrowed.where(isMine(mine)) as Query;
  return narrowed;
}

/** Actions of a facility, a scope or a visit; open ones first, by the day on which they are due. */
export function listActions(
  handle: Handle,
  { page, ...filter }: ActionFilter & { page: PageInput },
): Promise<Page<ActionRow>> {
  return readPage(matching(actions(handle), filter), byDueDay, page);
}

/** An action with the present places and partner of its facility, for files. */
export type ExportedActionRow = ActionRow & {
  district: string;
  province: string;
  facilityPartner: string | null;
};

/** The same list with the places of each facility. */
export function listExportedActions(
  handle: Handle,
  { page, ...filter }: ActionFilter & { page: PageInput },
): Promise<Page<ExportedActionRow>> {
  const exported = matching(actions(handle), filter)
    .leftJoin("district", "district.districtId", "facility.districtId")
    .leftJoin("province", "province.provinceId", "facility.provinceId")
    .leftJoin("implementingPartner as supports", "supports.implementingPartnerId", "facility.implementingPartnerId")
    .select(["district.name as district", "province.name as province", "supports.name as facilityPartner"])
    .$narrowType<{ district: NotNull; province: NotNull }>();
  return readPage(exported, byDueDay, page);
}

export function findAction(handle: Handle, { actionUuid }: { actionUuid: string }): Promise<ActionRow | undefined> {
  return actions(handle).where("action.actionUuid", "=", actionUuid).executeTakeFirst();
}

/** Several actions at once, in no order; unknown ones are left out. */
export function listActionsByUuid(
  handle: Handle,
  { actionUuids }: { actionUuids: readonly string[] },
): Promise<ActionRow[]> {
  return actions(handle).where("action.actionUuid", "=", anyOf(actionUuids, "uuid")).execute();
}

/** The actions that were agreed at these visits, by the day on which they are due. */
export function listActionsOfVisits(
  handle: Handle,
  { assessmentUuids }: { assessmentUuids: readonly string[] },
): Promise<ActionRow[]> {
  return actions(handle)
    .where(sql<boolean>`action.assessment_uuid = ${anyOf(assessmentUuids, "uuid")}`)
    .orderBy("action.dueDay")
    .orderBy("action.actionUuid")
    .execute();
}

/** The open actions about these facilities' entries of the work list, of all kinds, by the day on which they are due. */
export function listActionsOfEntries(
  handle: Handle,
  { facilityUuids }: { facilityUuids: readonly string[] },
): Promise<ActionRow[]> {
  return actions(handle)
    .where("action.facilityUuid", "=", anyOf(facilityUuids, "text"))
    .where(sql<boolean>`${isClosed} = 0`)
    .where("action.kind", "is not", null)
    .orderBy("action.dueDay")
    .orderBy("action.actionUuid")
    .execute();
}

/** Finds the facility of an action, to lock it before the action. */
export async function findFacilityOfAction(
  handle: Handle,
  { actionUuid }: { actionUuid: string },
): Promise<string | undefined> {
  const found = await handle
    .selectFrom("action")
    .select("facilityUuid")
    .where("actionUuid", "=", actionUuid)
    .executeTakeFirst();
  return found?.facilityUuid;
}

type NewAction = Pick<Insertable<Action>, "actionUuid" | "facilityUuid" | "text" | "dueDay" | "origin" | "userUuid"> & {
  responsible: string | null;
  implementingPartnerId: number | null;
  assessmentUuid?: string;
  kind?: WorklistKind;
  wantedVersion?: string | null;
  /** by default now */ agreedAt?: string;
};

/** Stores actions, without those whose uuid is stored already. Returns the uuids of the new ones. */
export async function insertActions(handle: Handle, rows: readonly NewAction[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const at = (given: string | undefined): RawBuilder<string> =>
    given === undefined ? sql<string>`now()` : sql<string>`${given}::timestamptz`;
  const inserted = await handle
    .insertInto("action")
    .values(rows.map(({ agreedAt, ...row }) => ({ ...row, agreedAt: at(agreedAt), evidenceAfter: at(agreedAt) })))
    .onConflict((conflict) => conflict.column("actionUuid").doNothing())
    .returning("actionUuid")
    .execute();
  return inserted.map(({ actionUuid }) => actionUuid);
}

/** Of these facilities, those whose entry of a kind is in the hands of this person or partner already. */
export async function listAssigned(
  handle: Handle,
  {
    facilityUuids,
    kind,
    ...to
  }: { facilityUuids: readonly string[]; kind: WorklistKind } & Pick<
    ActionChange,
    "responsible" | "implementingPartnerId"
  >,
): Promise<string[]> {
  const { rows } = await sql<{ facilityUuid: string }>`
    select distinct facility_uuid from action where facility_uuid = ${anyOf(facilityUuids, "text")} and state = 'open' and kind = ${kind}
      and responsible is not distinct from ${to.responsible} and implementing_partner_id is not distinct from ${to.implementingPartnerId}`.execute(
    handle,
  );
  return rows.map(({ facilityUuid }) => facilityUuid);
}

/** Stores the same action at several facilities. */
export async function insertActionsAt(
  handle: Handle,
  {
    places,
    ...action
  }: ActionChange & {
    places: readonly { actionUuid: string; facilityUuid: string }[];
    userUuid: string;
    kind: WorklistKind | null;
    wantedVersion: string | null;
  },
): Promise<void> {
  await sql`
    insert into action (action_uuid, facility_uuid, text, responsible, implementing_partner_id, due_day, origin, kind, wanted_version, user_uuid, agreed_at, evidence_after)
    select given.uuid, given.facility, ${action.text}, ${action.responsible}, ${action.implementingPartnerId}::integer, ${action.dueDay}::date,
      ${action.kind === null ? "hand" : "worklist"}, ${action.kind}::text, ${action.wantedVersion}::text, ${action.userUuid}::uuid, now(), now()
    from unnest(${places.map(({ actionUuid }) => actionUuid)}::uuid[], ${places.map(({ facilityUuid }) => facilityUuid)}::text[]) as given (uuid, facility)`.execute(
    handle,
  );
}

/** Drops those of these actions that are open and as they were agreed. Returns their uuids. */
export async function updateUnchangedDropped(
  handle: Handle,
  { actionUuids, userUuid, reason }: { actionUuids: readonly string[]; userUuid: string; reason: string },
): Promise<string[]> {
  const { rows } = await sql<{ actionUuid: string }>`
    update action set state = 'dropped', closed_at = now(), closed_by = ${userUuid}, reason = ${reason}, version = version + 1
    where action_uuid = ${anyOf(actionUuids, "uuid")} and state = 'open' and version = 1 returning action_uuid`.execute(
    handle,
  );
  return rows.map(({ actionUuid }) => actionUuid);
}

type ActionChange = {
  text: string;
  responsible: string | null;
  implementingPartnerId: number | null;
  dueDay: string;
};

/** Changes what is to be done, by whom or until when. */
export async function updateAction(
  handle: Handle,
  { actionUuid, ...values }: ActionChange & { actionUuid: string },
): Promise<void> {
  await handle
    .updateTable("action")
    .set({ ...values, version: sql`version + 1` })
    .where("actionUuid", "=", actionUuid)
    .execute();
}

/** Closes an action by a person's word. */
export async function updateActionClosed(
  handle: Handle,
  {
    actionUuid,
    state,
    userUuid,
    reason,
  }: { actionUuid: string; state: "done" | "dropped"; userUuid: string; reason: string | null },
): Promise<void> {
  await handle
    .updateTable("action")
    .set({ state, closedAt: sql`now()`, closedBy: userUuid, reason, version: sql`version + 1` })
    .where("actionUuid", "=", actionUuid)
    .execute();
}

const reopened = { state: "open", closedAt: null, closedBy: null, reason: null } as const;

/** Opens an action again. Only later visits and TDBs can close it by themselves. */
export async function updateActionReopened(handle: Handle, { actionUuid }: { actionUuid: string }): Promise<void> {
  await handle
    .updateTable("action")
    .set({
      ...reopened,
      closingAssessmentUuid: null,
      closingTdbUuid: null,
      evidenceAfter: sql`now()`,
      version: sql`version + 1`,
    })
    .where("actionUuid", "=", actionUuid)
    .execute();
}
