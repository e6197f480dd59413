import { v7 as uuidv7 } from "uuid";

import { transact } from "../../db/engine/transaction.ts";
import { mapPage, type Page, type PageInput } from "../../db/list/page.ts";
import { lockUser } from "../../db/user.ts";
import * as db from "../../db/view.ts";
import { deny, requireViewer } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { mostSavedViews, type NewView, placesOf, type ViewFilter } from "./view.rules.ts";

/** Saved views, for REST and GraphQL: everybody's own, and those that others share. Who opens one sees what their own rights allow. */

export type SavedView = db.SavedViewRow & {
  /** whether the caller made it */
  own: boolean;
  /** whether the caller may remove it */
  removable: boolean;
};

function asSeen(context: Context, row: db.SavedViewRow): SavedView {
  const { userUuid, privileges } = requireViewer(context);
  const own = row.ownerUuid === userUuid;
  return { ...row, own, removable: own || (row.shared && privileges.administrator) };
}

/** One's own saved views and the shared ones, or (mine) the own ones only, by name. */
export async function listSavedViews(context: Context, input: ViewFilter & { page: PageInput }): Promise<Page<SavedView>> {
  const { userUuid } = requireViewer(context);
  return mapPage(await db.listSavedViews(context.db, { ...input, userUuid }), (row) => asSeen(context, row));
}

/** One's own, or a shared one. @throws Problem NOT_FOUND */
export async function readSavedView(context: Context, uuid: string): Promise<SavedView> {
  const { userUuid } = requireViewer(context);
  const row = await db.findSavedView(context.db, { uuid });
  if (!row || !(row.shared || row.ownerUuid === userUuid)) throw notFound("saved view");
  return asSeen(context, row);
}

const subjectOf = (uuid: string) => ({ type: "SavedView", id: uuid });

/** Keeps an address under a name. @throws Problem INVALID where the name is taken, or there are too many */
export async function createSavedView(context: Context, input: NewView): Promise<SavedView> {
  const { userUuid } = requireViewer(context);
  const values = { name: input.name, address: input.address, shared: input.shared ?? false };
  const uuid = uuidv7();
  return transact(context.db, async (transaction) => {
    // Two requests at the same time must not both find room for one more.
    await lockUser(transaction, { userUuid });
    if ((await db.countSavedViews(transaction, { ownerUuid: userUuid })) >= mostSavedViews)
      throw invalid([{ path: "name", message: `You keep ${mostSavedViews} views. Remove one before you save another.` }]);
    await db.insertSavedView(transaction, { uuid, ownerUuid: userUuid, ...values, ...placesOf(values.address) }).catch((error: unknown) => {
      throw error instanceof db.ViewNameTaken ? invalid([{ path: "name", message: "is taken by another of your views: choose a different one" }]) : error;
    });
    await recordAudit(context, { action: "view.create", outcome: "done", subject: subjectOf(uuid), details: values }, transaction);
    return asSeen(context, (await db.findSavedView(transaction, { uuid }))!);
  });
}

/** Removes it: one's own, or for administrators a shared one. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deleteSavedView(context: Context, uuid: string): Promise<SavedView> {
  const found = await readSavedView(context, uuid);
  if (!found.removable)
    throw deny(context, { action: "view.delete", subject: subjectOf(uuid) }, new Problem("FORBIDDEN", "Only who made it or an administrator may remove a shared view."));
  context.expect?.(found);
  const { name, address, shared } = found;
  await transact(context.db, async (transaction) => {
    await db.deleteSavedView(transaction, { uuid });
    await recordAudit(context, { action: "view.delete", outcome: "done", subject: subjectOf(uuid), details: { name, address, shared } }, transaction);
  });
  return found;
}
