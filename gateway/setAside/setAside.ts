import { findTdb } from "../../db/tdb/tdb.ts";
import { lockAssessment } from "../../db/assessment/assessment.ts";
import { refreshAssessmentRollups, refreshTdbRollups } from "../../db/derived/latest.ts";
import { refreshTdbSilence } from "../../db/derived/silence.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import { lockFacility } from "../../db/facility/facility.ts";
import {
  countNotCounted,
  type SetAside,
  updateAssessmentAside,
  updateAssessmentHeld,
  updateTdbAside,
  updateTdbHeld,
} from "../../db/assessment/setAside.ts";
import { judgeActions } from "../facility/actionEvidence.ts";
import { requireRight } from "../access/access.ts";
import { findWholeAssessment, type WholeAssessment } from "../assessment/assessment.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { isUuid } from "../input/page.rules.ts";
import { notFound, Problem } from "../problem.ts";
import type { Scope } from "../reference/reference.ts";
import type { TdbRow } from "../tdb/tdb.ts";

/**
 * Acts that set a visit or a TDB aside, restore it, and accept one that is held. While it is set aside or held it stays
 * in lists and exports, with its file, and no figure counts it. The change, the figures of its facility and the audit event are one transaction.
 */

export type { SetAside } from "../../db/assessment/setAside.ts";

type Act = "setAside" | "restore" | "accept";
type ReasonFor<Of> = Of & { reason: string };
type OfAssessment = { assessmentUuid: string };
type OfTdb = { uuid: string };
type Standing = { setAside: SetAside | null; held: string | null };

/** Refuses what is already as asked. @throws Problem CONFLICT */
function requireOther(noun: string, { setAside: present, held }: Standing, act: Act): void {
  if (act === "accept" && held === null) throw new Problem("CONFLICT", `This ${noun} is not held.`);
  if (act === "setAside" && present)
    throw new Problem(
      "CONFLICT",
      `${present.userName} set this ${noun} aside on ${present.at.slice(0, 10)}: ${present.reason}`,
    );
  if (act === "restore" && !present) throw new Problem("CONFLICT", `This ${noun} is not set aside.`);
}

const actions = {
  assessment: { setAside: "assessment.set-aside", restore: "assessment.restore", accept: "assessment.accept" },
  tdb: { setAside: "tdb.set-aside", restore: "tdb.restore", accept: "tdb.accept" },
} as const;
const detailsOf = ({ setAside: present, held }: Standing, act: Act, reason: string | undefined) =>
  act === "accept" ? { held } : { reason, ...(present ? { old: present } : {}) };

async function changeAssessment(
  context: Context,
  act: Act,
  { assessmentUuid, reason }: OfAssessment & { reason?: string },
): Promise<WholeAssessment> {
  const { userUuid } = requireRight(context, "setAside");
  if (!isUuid(assessmentUuid)) throw notFound("assessment", "assessmentUuid");
  return transact(context.db, async (transaction) => {
    await lockAssessment(transaction, { assessmentUuid });
    const present = await findWholeAssessment(transaction, assessmentUuid);
    if (!present) throw notFound("assessment", "assessmentUuid");
    const { facilityUuid, assessmentDate, assessedAt } = present.assessment;
    requireOther("assessment", present.assessment, act);
    const aside = act === "setAside" ? { userUuid, reason: reason! } : null;
    await (act === "accept"
      ? updateAssessmentHeld(transaction, { assessmentUuid, held: null })
      : updateAssessmentAside(transaction, { assessmentUuid, aside }));
    await refreshAssessmentRollups(transaction, { facilityUuid, days: [assessmentDate] });
    await recordAudit(
      context,
      {
        action: actions.assessment[act],
        outcome: "done",
        facilityUuid,
        subject: { type: "assessment", id: assessmentUuid },
        details: detailsOf(present.assessment, act, reason),
      },
      transaction,
    );
    await judgeActions(context, transaction, { facilityUuid, from: assessedAt });
    return (await findWholeAssessment(transaction, assessmentUuid))!;
  });
}

/**
 * Finds a TDB and locks its facility, which a merge may have changed before the lock was held.
 *
 * @throws Problem NOT_FOUND
 */
async function lockTdb(handle: Handle, uuid: string): Promise<TdbRow> {
  let facilityUuid: string | undefined;
  for (;;) {
    const found = await findTdb(handle, { uuid });
    if (!found) throw notFound("TDB", "uuid");
    if (found.facilityUuid === facilityUuid) return found;
    ({ facilityUuid } = found);
    await lockFacility(handle, { facilityUuid });
  }
}

async function changeTdb(context: Context, act: Act, { uuid, reason }: OfTdb & { reason?: string }): Promise<TdbRow> {
  const { userUuid } = requireRight(context, "setAside");
  if (!isUuid(uuid)) throw notFound("TDB", "uuid");
  return transact(context.db, async (transaction) => {
    const present = await lockTdb(transaction, uuid);
    const { facilityUuid, uploadDate, receivedAt } = present;
    requireOther("TDB", present, act);
    const aside = act === "setAside" ? { userUuid, reason: reason! } : null;
    await (act === "accept"
      ? updateTdbHeld(transaction, { tdbUuid: uuid, held: null })
      : updateTdbAside(transaction, { tdbUuid: uuid, aside }));
    await refreshTdbRollups(transaction, { facilityUuid, days: [uploadDate] });
    await refreshTdbSilence(transaction, { facilityUuid });
    await recordAudit(
      context,
      {
        action: actions.tdb[act],
        outcome: "done",
        facilityUuid,
        subject: { type: "Tdb", id: uuid },
        details: detailsOf(present, act, reason),
      },
      transaction,
    );
    await judgeActions(context, transaction, { facilityUuid, from: receivedAt });
    return (await findTdb(transaction, { uuid }))!;
  });
}

/** Sets a visit aside. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (it is set aside already) */
export const setAssessmentAside = (context: Context, asked: ReasonFor<OfAssessment>) =>
  changeAssessment(context, "setAside", asked);
/** Counts a visit again. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (it is not set aside) */
export const restoreAssessment = (context: Context, asked: ReasonFor<OfAssessment>) =>
  changeAssessment(context, "restore", asked);
/** Counts a visit that was held. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (it is not held) */
export const acceptAssessment = (context: Context, asked: OfAssessment) => changeAssessment(context, "accept", asked);
/** Sets a TDB aside. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (it is set aside already) */
export const setTdbAside = (context: Context, asked: ReasonFor<OfTdb>) => changeTdb(context, "setAside", asked);
/** Counts a TDB again. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (it is not set aside) */
export const restoreTdb = (context: Context, asked: ReasonFor<OfTdb>) => changeTdb(context, "restore", asked);
/** Counts a TDB that was held. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (it is not held) */
export const acceptTdb = (context: Context, asked: OfTdb) => changeTdb(context, "accept", asked);

/** How many visits of a scope no figure counts. @throws Problem FORBIDDEN */
export async function countAssessmentsNotCounted(context: Context, scope: Scope) {
  requireRight(context, "viewAssessments");
  return countNotCounted(context.db, { table: "assessment", scope });
}
/** How many TDBs of a scope no figure counts. @throws Problem FORBIDDEN */
export async function countTdbsNotCounted(context: Context, scope: Scope) {
  requireRight(context, "viewTdbs");
  return countNotCounted(context.db, { table: "tdb", scope });
}
