import * as db from "../../db/action/action.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import { findFacility, lockFacility } from "../../db/facility/facility.ts";
import { everyRow, type Page, type PageInput } from "../../db/list/page.ts";
import { isLimited, isWithin, mayAt, narrowed, requireRight, requireWithin } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { dueDayRefusal } from "../assessment/visitActions.rules.ts";
import { todayIn } from "../calendar/fiscal.rules.ts";
import type { Context } from "../context.ts";
import {
  loadFacilities,
  loadFacility,
  presentUuid,
  readFacility,
  requireFacilityWithin,
} from "../facility/facility.ts";
import { readVersions } from "../facility/version.ts";
import { isUuid } from "../input/page.rules.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { batched, batchedByUuid } from "../reading/batch.ts";
import { checkScope } from "../reference/reference.ts";
import { requirePartners } from "../reference/requirePartners.ts";
import { readMine } from "../situation/mine.ts";
import { requireEntry, type WorklistKind } from "../situation/worklist.ts";
import {
  type ActionChangeInput,
  type ActionFilterInput,
  type ClosingInput,
  type NewActionInput,
} from "./action.rules.ts";

/**
 * Acts on actions, for REST and GraphQL. Who may see the assessments of a facility sees its actions; who may write them
 * agrees, changes and closes actions. A change is one transaction with its audit event, and holds the facility's lock.
 */

export type Action = db.ActionRow;
export type ExportedAction = db.ExportedActionRow;

/** Those of these actions whose facilities are within the caller's limit, if there is one. */
async function withinLimit(context: Context, rows: Action[]): Promise<Action[]> {
  if (!isLimited(context)) return rows;
  const facilities = await loadFacilities(context, [...new Set(rows.map(({ facilityUuid }) => facilityUuid))]);
  return rows.filter(({ facilityUuid }) => isWithin(context, facilities.get(facilityUuid)!));
}

/** @throws Problem FORBIDDEN or NOT_FOUND */
export async function readAction(context: Context, actionUuid: string): Promise<Action> {
  requireRight(context, "viewAssessments", "somewhere");
  const action = isUuid(actionUuid) ? await db.findAction(context.db, { actionUuid }) : undefined;
  if (!action) throw notFound("action", "actionUuid");
  await requireFacilityWithin(context, action.facilityUuid);
  return action;
}

/** Several actions by uuid; unknown ones are left out. @throws Problem FORBIDDEN */
export async function loadActions(context: Context, actionUuids: readonly string[]): Promise<Map<string, Action>> {
  if (actionUuids.length === 0) return new Map();
  requireRight(context, "viewAssessments", "somewhere");
  const rows = await withinLimit(context, await db.listActionsByUuid(context.db, { actionUuids }));
  return new Map(rows.map((row) => [row.actionUuid, row]));
}

/** As `readAction`, batched over a request. @throws Problem FORBIDDEN or NOT_FOUND */
export const loadAction = batchedByUuid<Action>(loadActions, () => notFound("action", "actionUuid"));

/**
 * Actions of a facility, a scope or a visit; open ones first, by the day on which they are due.
 *
 * @throws Problem FORBIDDEN or NOT_FOUND
 */
export async function listActions(
  context: Context,
  { page, ...asked }: ActionFilterInput & { page: PageInput },
): Promise<Page<Action>> {
  requireRight(context, "viewAssessments", "somewhere");
  const filter = await allowed(context, asked, page.of);
  return db.listActions(context.db, { ...filter, page });
}

/** All actions of a list with their places. The export is written to the audit log. @throws Problem */
export async function exportActions(
  context: Context,
  asked: ActionFilterInput,
): Promise<AsyncGenerator<ExportedAction>> {
  requireRight(context, "viewAssessments", "somewhere");
  const filter = await allowed(context, asked);
  const details = Object.fromEntries(Object.entries(asked).filter(([, value]) => value != null));
  await recordAudit(context, { action: "action.export", outcome: "done", details });
  return everyRow((page) => db.listExportedActions(context.db, { ...filter, page }));
}

/** The filter within the caller's limit, with the present uuid of its facility. @throws Problem FORBIDDEN, NOT_FOUND */
async function allowed(
  context: Context,
  { mine, ...asked }: ActionFilterInput,
  of?: PageInput["of"],
): Promise<db.ActionFilter> {
  const filter = { ...narrowed(context, asked, of), mine: mine ? await readMine(context) : undefined };
  await checkScope(context, filter);
  if (filter.responsiblePartnerId != null)
    await checkScope(context, { implementingPartnerId: filter.responsiblePartnerId });
  if (filter.facilityUuid == null) return filter;
  const facility = await readFacility(context, filter.facilityUuid);
  requireWithin(context, facility);
  return { ...filter, facilityUuid: facility.facilityUuid };
}

/** The actions that were agreed at a visit, batched over a request. @throws Problem FORBIDDEN */
export const loadActionsOfVisit = batched<string, Action[]>(
  async (context, assessmentUuids) => {
    requireRight(context, "viewAssessments", "somewhere");
    const actions = new Map<string, Action[]>(assessmentUuids.map((uuid) => [uuid, []]));
    for (const row of await db.listActionsOfVisits(context.db, { assessmentUuids }))
      actions.get(row.assessmentUuid!)?.push(row);
    return actions;
  },
  () => [],
);

const loadOpenActions = batched<string, Action[]>(
  async (context, facilityUuids) => {
    requireRight(context, "viewAssessments", "somewhere");
    const actions = new Map<string, Action[]>(facilityUuids.map((uuid) => [uuid, []]));
    for (const row of await db.listActionsOfEntries(context.db, { facilityUuids }))
      actions.get(row.facilityUuid)?.push(row);
    return actions;
  },
  () => [],
);
/** The open actions about an entry of the work list; null for who may not see assessments there. */
export async function loadActionsOfEntry(
  context: Context,
  { facilityUuid, kind }: { facilityUuid: string; kind: WorklistKind },
): Promise<Action[] | null> {
  if (!mayAt(context, "viewAssessments", await loadFacility(context, facilityUuid))) return null;
  return (await loadOpenActions(context, facilityUuid)).filter((action) => action.kind === kind);
}

const agreedNames = ["text", "responsible", "implementingPartnerId", "dueDay"] as const;
const agreedOf = (from: {
  text: string;
  responsible: string | null;
  implementingPartnerId?: number | null | undefined;
  dueDay: string;
}) => ({
  text: from.text,
  responsible: from.responsible,
  implementingPartnerId: from.implementingPartnerId ?? null,
  dueDay: from.dueDay,
});
const isSame = (action: Action, given: ReturnType<typeof agreedOf>) =>
  agreedNames.every((name) => action[name] === given[name]);

const record = (
  context: Context,
  transaction: Handle,
  action: AuditAction,
  { actionUuid, facilityUuid }: Pick<Action, "actionUuid" | "facilityUuid">,
  details: object,
) =>
  recordAudit(
    context,
    { action, outcome: "done", facilityUuid, subject: { type: "Action", id: actionUuid }, details },
    transaction,
  );

function requireDueDay(dueDay: string, agreedDay: string): void {
  const message = dueDayRefusal(dueDay, agreedDay);
  if (message) throw invalid([{ path: "dueDay", message }]);
}

/**
 * Agrees an action at a facility, by hand or about an entry of the work list. If the same one is sent again, it is
 * stored once and answered as it is by now.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND (no such facility, or it is not on that list), INVALID or CONFLICT
 */
export async function createAction(context: Context, input: NewActionInput): Promise<Action> {
  const { userUuid } = requireRight(context, "editAssessments", "somewhere");
  const { actionUuid, kind } = input;
  const agreed = agreedOf(input);
  await requirePartners(context, [agreed.implementingPartnerId], () => "implementingPartnerId");
  const newest = kind === "oldVersion" ? ((await readVersions(context.db)).newest[0] ?? null) : null;
  return transact(context.db, async (transaction) => {
    const facilityUuid = await presentUuid(transaction, input.facilityUuid);
    if (!(await lockFacility(transaction, { facilityUuid }))) throw notFound("facility", "facilityUuid");
    requireWithin(context, (await findFacility(transaction, { facilityUuid }))!);
    const earlier = await db.findAction(transaction, { actionUuid });
    if (earlier) {
      if (earlier.facilityUuid === facilityUuid && earlier.userUuid === userUuid && earlier.kind === (kind ?? null))
        return earlier;
      throw new Problem("CONFLICT", "There is another action with this actionUuid already.");
    }
    if (kind) await requireEntry(context, transaction, { facilityUuid, kind });
    requireDueDay(agreed.dueDay, todayIn(context.timeZone));
    await db.insertActions(transaction, [
      kind
        ? { actionUuid, facilityUuid, userUuid, ...agreed, origin: "worklist", kind, wantedVersion: newest }
        : { actionUuid, facilityUuid, userUuid, ...agreed, origin: "hand" },
    ]);
    const origin = kind ? { origin: "worklist", kind } : { origin: "hand" };
    await record(context, transaction, "action.create", { actionUuid, facilityUuid }, { ...origin, ...agreed });
    return (await db.findAction(transaction, { actionUuid }))!;
  });
}

const changedMeanwhile = "Somebody has changed this action meanwhile.";

/**
 * Holds an action for a change: its facility is locked, so that it stays as it is read.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (with the present action)
 */
async function holdAction(
  context: Context,
  transaction: Handle,
  { actionUuid, version }: { actionUuid: string; version: number },
): Promise<Action> {
  let locked: string | undefined;
  for (;;) {
    const facilityUuid = await db.findFacilityOfAction(transaction, { actionUuid });
    if (facilityUuid === undefined) throw notFound("action", "actionUuid");
    // A merge may have moved it before the lock was held.
    if (facilityUuid === locked) break;
    locked = facilityUuid;
    await lockFacility(transaction, { facilityUuid });
  }
  requireWithin(context, (await findFacility(transaction, { facilityUuid: locked }))!);
  const present = (await db.findAction(transaction, { actionUuid }))!;
  if (present.version !== version) throw new Problem("CONFLICT", changedMeanwhile, { present });
  return present;
}

const notOpen = "This action is closed. Open it again first.";

/**
 * Changes what is to be done, by whom or until when. `version` is the one that the caller has read.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, INVALID or CONFLICT
 */
export async function updateAction(context: Context, input: ActionChangeInput): Promise<Action> {
  requireRight(context, "editAssessments", "somewhere");
  const { actionUuid } = input;
  const agreed = agreedOf(input);
  await requirePartners(context, [agreed.implementingPartnerId], () => "implementingPartnerId");
  return transact(context.db, async (transaction) => {
    const present = await holdAction(context, transaction, input);
    if (present.state !== "open") throw new Problem("CONFLICT", notOpen, { present });
    requireDueDay(agreed.dueDay, present.agreedDate);
    if (isSame(present, agreed)) return present;
    await db.updateAction(transaction, { actionUuid, ...agreed });
    const changes = agreedNames
      .filter((name) => present[name] !== agreed[name])
      .map((field) => ({ field, from: present[field], to: agreed[field] }));
    await record(context, transaction, "action.update", present, { changes });
    return (await db.findAction(transaction, { actionUuid }))!;
  });
}

/** Closes an action as done or dropped. @throws Problem FORBIDDEN, NOT_FOUND or CONFLICT */
export async function closeAction(context: Context, { state, reason, ...asked }: ClosingInput): Promise<Action> {
  const { userUuid } = requireRight(context, "editAssessments", "somewhere");
  const { actionUuid } = asked;
  return transact(context.db, async (transaction) => {
    const present = await holdAction(context, transaction, asked);
    if (present.state !== "open") throw new Problem("CONFLICT", notOpen, { present });
    await db.updateActionClosed(transaction, { actionUuid, state, userUuid, reason });
    await record(context, transaction, "action.close", present, { state, reason });
    return (await db.findAction(transaction, { actionUuid }))!;
  });
}

/** Opens a closed action again. Only later visits and TDBs close it by themselves. @throws Problem as `closeAction` */
export async function reopenAction(context: Context, asked: { actionUuid: string; version: number }): Promise<Action> {
  requireRight(context, "editAssessments", "somewhere");
  const { actionUuid } = asked;
  return transact(context.db, async (transaction) => {
    const present = await holdAction(context, transaction, asked);
    if (present.state === "open") throw new Problem("CONFLICT", "This action is open.", { present });
    await db.updateActionReopened(transaction, { actionUuid });
    const { state, closedBy, reason } = present;
    await record(context, transaction, "action.reopen", present, { old: { state, closedBy, reason } });
    return (await db.findAction(transaction, { actionUuid }))!;
  });
}
