import { findTdb } from "../../db/tdb/tdb.ts";
import { lockAssessment } from "../../db/assessment/assessment.ts";
import { refreshAssessmentRollups, refreshTdbRollups } from "../../db/derived/latest.ts";
import { refreshTdbSilence } from "../../db/derived/silence.ts";
import type { Handle } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import { lockFacility } from "../../db/facility/facility.ts";
import { type SetAside, updateAssessmentAside, updateTdbAside } from "../../db/assessment/setAside.ts";
import { judgeActions } from "../facility/actionEvidence.ts";
import { requireRight } from "../access/access.ts";
import { findWholeAssessment, type WholeAssessment } from "../assessment/assessment.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { isUuid } from "../input/page.rules.ts";
import { notFound, Problem } from "../problem.ts";
import type { TdbRow } from "../tdb/tdb.ts";

/**
 * Acts that set a visit or a TDB aside, and restore it. It stays in lists and exports, with its file, and no figure
 * counts it. The change, the figures of its facility and the audit event are one transaction.
 */

export type { SetAside } from "../../db/assessment/setAside.ts";

type Act = "setAside" | "restore";
type OfAssessment = { assessmentUuid: string; reason: string };
type OfTdb = { uuid: string; reason: string };

/** Refuses what is already as asked. @throws Problem CONFLICT */
function requireOther(noun: string, present: SetAside | null, act: Act): void {
  if (act === "setAside" && present)
    throw new Problem(
      "CONFLICT",
      `${present.userName} set this ${noun} aside on ${present.at.slice(0, 10)}: ${present.reason}`,
    );
  if (act === "restore" && !present) throw new Problem("CONFLICT", `This ${noun} is not set aside.`);
}

const actions = {
  assessment: { setAside: "assessment.set-aside", restore: "assessment.restore" },
  tdb: { setAside: "tdb.set-aside", restore: "tdb.restore" },
} as const;
const detailsOf = (present: SetAside | null, reason: string) => ({ reason, ...(present ? { old: present } : {}) });

async function changeAssessment(
  context: Context,
  act: Act,
  { assessmentUuid, reason }: OfAssessment,
): Promise<WholeAssessment> {
  const { userUuid } = requireRight(context, "setAside");
  if (!isUuid(assessmentUuid)) throw notFound("assessment");
  return transact(context.db, async (transaction) => {
    await lockAssessment(transaction, { assessmentUuid });
    const present = await findWholeAssessment(transaction, assessmentUuid);
    if (!present) throw notFound("assessment");
    const { facilityUuid, assessmentDate, assessedAt, setAside } = present.assessment;
    requireOther("assessment", setAside, act);
    await updateAssessmentAside(transaction, {
      assessmentUuid,
      aside: act === "setAside" ? { userUuid, reason } : null,
    });
    await refreshAssessmentRollups(transaction, { facilityUuid, days: [assessmentDate] });
    await recordAudit(
      context,
      {
        action: actions.assessment[act],
        outcome: "done",
        facilityUuid,
        subject: { type: "assessment", id: assessmentUuid },
        details: detailsOf(setAside, reason),
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
async function holdTdb(handle: Handle, uuid: string): Promise<TdbRow> {
  let facilityUuid: string | undefined;
  for (;;) {
    const found = await findTdb(handle, { uuid });
    if (!found) throw notFound("TDB");
    if (found.facilityUuid === facilityUuid) return found;
    ({ facilityUuid } = found);
    await lockFacility(handle, { facilityUuid });
  }
}

async function changeTdb(context: Context, act: Act, { uuid, reason }: OfTdb): Promise<TdbRow> {
  const { userUuid } = requireRight(context, "setAside");
  if (!isUuid(uuid)) throw notFound("TDB");
  return transact(context.db, async (transaction) => {
    const { facilityUuid, uploadDate, receivedAt, setAside } = await holdTdb(transaction, uuid);
    requireOther("TDB", setAside, act);
    await updateTdbAside(transaction, { tdbUuid: uuid, aside: act === "setAside" ? { userUuid, reason } : null });
    await refreshTdbRollups(transaction, { facilityUuid, days: [uploadDate] });
    await refreshTdbSilence(transaction, { facilityUuid });
    await recordAudit(
      context,
      {
        action: actions.tdb[act],
        outcome: "done",
        facilityUuid,
        subject: { type: "Tdb", id: uuid },
        details: detailsOf(setAside, reason),
      },
      transaction,
    );
    await judgeActions(context, transaction, { facilityUuid, from: receivedAt });
    return (await findTdb(transaction, { uuid }))!;
  });
}

/** Sets a visit aside. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (it is set aside already) */
export const setAssessmentAside = (context: Context, asked: OfAssessment) =>
  changeAssessment(context, "setAside", asked);
/** Counts a visit again. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (it is not set aside) */
export const restoreAssessment = (context: Context, asked: OfAssessment) => changeAssessment(context, "restore", asked);
/** Sets a TDB aside. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (it is set aside already) */
export const setTdbAside = (context: Context, asked: OfTdb) => changeTdb(context, "setAside", asked);
/** Counts a TDB again. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT (it is not set aside) */
export const restoreTdb = (context: Context, asked: OfTdb) => changeTdb(context, "restore", asked);
