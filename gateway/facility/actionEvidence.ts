import {
  listJudgedActions,
  listTdbEvidence,
  listVisitEvidence,
  updateActionEvidence,
} from "../../db/action/evidence.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { evidenceFor } from "./actionEvidence.rules.ts";

/**
 * Closes the actions about entries of the work list that a facility's visits and TDBs show done, and opens those again
 * whose evidence is gone (it was changed or set aside). Call it in the transaction of the change, after the change;
 * that transaction has locked the facility. `from`: the time of the visit or receipt that changed, or of the earliest
 * one. What closed before that time cannot be affected, so its history is not read.
 */
export async function judgeActions(
  context: Context,
  transaction: Handle,
  { facilityUuid, from }: { facilityUuid: string; from: string },
): Promise<void> {
  const actions = await listJudgedActions(transaction, { facilityUuid, from });
  const since = (some: typeof actions) => some.map(({ evidenceAfter }) => evidenceAfter).toSorted()[0];
  const afterVisit = since(actions.filter(({ kind }) => kind !== "silent"));
  const afterTdb = since(actions.filter(({ kind }) => kind === "silent"));
  const visits = afterVisit ? await listVisitEvidence(transaction, { facilityUuid, after: afterVisit }) : [];
  const tdbs = afterTdb ? await listTdbEvidence(transaction, { facilityUuid, after: afterTdb }) : [];
  for (const action of actions) {
    const evidence = evidenceFor(action, visits, tdbs);
    const { actionUuid, kind, evidenceUuid } = action;
    const found = evidence && (evidence.assessmentUuid ?? evidence.tdbUuid);
    if (found === evidenceUuid) continue;
    await updateActionEvidence(transaction, { actionUuid, evidence });
    await recordAudit(
      context,
      {
        action: evidence ? "action.close-itself" : "action.reopen-itself",
        outcome: "done",
        facilityUuid,
        subject: { type: "Action", id: actionUuid },
        details: { kind, ...evidence },
      },
      transaction,
    );
  }
}
