import { insertActions, listActionsByUuid } from "../../db/action/action.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { recordAudits } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { invalid } from "../problem.ts";
import { requirePartners } from "../reference/requirePartners.ts";
import { dueDayRefusal, type VisitAction } from "./visitActions.rules.ts";

type Visit = {
  assessmentUuid: string;
  facilityUuid: string;
  userUuid: string;
  assessedAt: string;
  assessmentDate: string;
};

/** Refuses actions of partners that do not exist, before the transaction that stores them. @throws Problem INVALID */
export const requireVisitPartners = (context: Context, actions: readonly VisitAction[]): Promise<void> =>
  requirePartners(
    context,
    actions.map(({ implementingPartnerId }) => implementingPartnerId),
    (index) => `actions.${index}.implementingPartnerId`,
  );

/**
 * Stores what was agreed at a visit, in the transaction that stores the visit. When the visit is sent again, the actions
 * that are stored already stay as they are by now.
 *
 * @throws Problem INVALID
 */
export async function keepVisitActions(
  context: Context,
  transaction: Handle,
  { assessmentUuid, facilityUuid, userUuid, assessedAt, assessmentDate }: Visit,
  actions: readonly VisitAction[],
): Promise<void> {
  if (actions.length === 0) return;
  const errors = actions.flatMap(({ dueDay }, index) => {
    const message = dueDayRefusal(dueDay, assessmentDate);
    return message ? [{ path: `actions.${index}.dueDay`, message }] : [];
  });
  if (errors.length > 0) throw invalid(errors);
  const rows = actions.map(({ actionUuid, text, responsible, implementingPartnerId = null, dueDay }) => ({
    ...{ actionUuid, text, responsible, implementingPartnerId, dueDay, facilityUuid, userUuid, assessmentUuid },
    origin: "visit" as const,
    agreedAt: assessedAt,
  }));
  const added = new Set(await insertActions(transaction, rows));
  const actionUuids = rows.map(({ actionUuid }) => actionUuid).filter((uuid) => !added.has(uuid));
  const known = actionUuids.length > 0 ? await listActionsByUuid(transaction, { actionUuids }) : [];
  const taken = known.find((action) => action.assessmentUuid !== assessmentUuid);
  if (taken) {
    const index = rows.findIndex(({ actionUuid }) => actionUuid === taken.actionUuid);
    throw invalid([{ path: `actions.${index}.actionUuid`, message: "is the name of another action already" }]);
  }
  await recordAudits(
    context,
    rows
      .filter(({ actionUuid }) => added.has(actionUuid))
      .map(({ actionUuid, text, responsible, implementingPartnerId, dueDay }) => ({
        action: "action.create" as const,
        outcome: "done" as const,
        facilityUuid,
        subject: { type: "Action", id: actionUuid },
        details: { origin: "visit", assessmentUuid, text, responsible, implementingPartnerId, dueDay },
      })),
    transaction,
  );
}
