import { v7 as uuidv7 } from "uuid";

import { transact } from "../../db/engine/transaction.ts";
import type { Page, PageInput } from "../../db/list/page.ts";
import * as db from "../../db/target/target.ts";
import { requireRight, requireViewer } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { readReportedCounts } from "../dash/dash.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { checkScope } from "../reference/reference.ts";
import { attainmentOf, measuresOfTargets, nearestTargets, percentOf } from "./attainment.rules.ts";
import type { AttainmentAsked, NewTarget } from "./target.rules.ts";

/**
 * Acts on targets, shared by REST and GraphQL: administrators set them; every signed-in person sees them, and how much
 * of them was reached.
 */

export type Target = db.TargetRow;
/** A target together with the figures of a scope in a fiscal year, or in one quarter of it. */
export type Attainment = Omit<Target, "uuid"> & {
  targetUuid: string;
  quarter: number;
  value: number;
  assessed: number;
  notRecorded: number;
  reached: number | null;
  attainment: number | null;
};

/** All targets, or those of a year, the newest year first. */
export function listTargets(context: Context, asked: { year?: number | null; page: PageInput }): Promise<Page<Target>> {
  requireViewer(context);
  return db.listTargets(context.db, asked);
}

/** Several targets by uuid; unknown ones are left out. */
export async function loadTargets(context: Context, uuids: readonly string[]): Promise<Map<string, Target>> {
  requireViewer(context);
  const rows = uuids.length > 0 ? await db.listTargetsByUuid(context.db, { uuids }) : [];
  return new Map(rows.map((row) => [row.uuid, row]));
}

const subjectOf = ({ uuid }: Target) => ({ type: "Target", id: uuid });
const detailsOf = ({ uuid: _uuid, ...target }: Target) =>
  Object.fromEntries(Object.entries(target).filter(([, value]) => value !== null));

/** Refuses an unknown unit; the error names its field. @throws Problem INVALID */
async function checkUnit(
  context: Context,
  { provinceId, districtId, implementingPartnerId }: NewTarget,
): Promise<void> {
  const named = Object.entries({ provinceId, districtId, implementingPartnerId }).find(([, id]) => id != null);
  if (!named) return;
  await checkScope(context, { [named[0]]: named[1] }).catch((error: unknown) => {
    throw error instanceof Problem && error.code === "NOT_FOUND"
      ? invalid([{ path: named[0], message: "is not there" }])
      : error;
  });
}

/**
 * Sets the target of a measure, fiscal year and unit, and replaces a former one.
 *
 * @throws Problem FORBIDDEN or INVALID
 */
export async function setTarget(context: Context, input: NewTarget): Promise<Target> {
  requireRight(context, "setTargets");
  await checkUnit(context, input);
  return transact(context.db, async (transaction) => {
    const target = await db.upsertTarget(transaction, { uuid: uuidv7(), ...input });
    await recordAudit(
      context,
      { action: "target.set", outcome: "done", subject: subjectOf(target), details: detailsOf(target) },
      transaction,
    );
    return target;
  });
}

/** Removes a target. @throws Problem FORBIDDEN or NOT_FOUND */
export async function removeTarget(context: Context, uuid: string): Promise<Target> {
  requireRight(context, "setTargets");
  return transact(context.db, async (transaction) => {
    const target = await db.findTarget(transaction, { uuid });
    if (!target) throw notFound("target", "uuid");
    await db.deleteTarget(transaction, { uuid });
    await recordAudit(
      context,
      { action: "target.remove", outcome: "done", subject: subjectOf(target), details: detailsOf(target) },
      transaction,
    );
    return target;
  });
}

/** The targets of a scope in some fiscal years, and how much of each was reached. @throws Problem NOT_FOUND */
export async function readAttainment(
  context: Context,
  { year, quarter, years, ...scope }: AttainmentAsked,
): Promise<Attainment[]> {
  requireViewer(context);
  await checkScope(context, scope);
  const targets = nearestTargets(await db.listTargetsOver(context.db, { ...scope, from: year - years + 1, to: year }));
  if (targets.length === 0) return [];
  const rows = await readReportedCounts(context, { year, quarter, years, view: "yearly", scope });
  return targets.flatMap(({ uuid, ...target }) => {
    const row = rows.find((each) => each.year === target.year);
    if (!row) return [];
    const { sum, notRecorded } = measuresOfTargets[target.measure];
    const value = row[sum];
    const { assessed } = row;
    return [
      {
        targetUuid: uuid,
        ...target,
        quarter,
        value,
        assessed,
        notRecorded: notRecorded === null ? 0 : row[notRecorded],
        reached: percentOf(value, assessed),
        attainment: attainmentOf({ value, assessed, percent: target.percent }),
      },
    ];
  });
}
