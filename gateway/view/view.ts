import { v7 as uuidv7 } from "uuid";

import { transact } from "../../db/engine/transaction.ts";
import { mapPage, type Page, type PageInput } from "../../db/list/page.ts";
import { lockUser } from "../../db/user/user.ts";
import * as db from "../../db/view/view.ts";
import { deny, requireViewer } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { mostSavedViews, type NewView, placesOf, type ViewFilter } from "./view.rules.ts";

/**
 * Acts on saved views: a person's own views, and those that others share. People see in a view what their own rights
 * allow.
 */

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

/** The caller's own saved views and the shared ones, or (`mine`) only the caller's own, by name. */
export async function listSavedViews(
  context: Context,
  input: ViewFilter & { page: PageInput },
): Promise<Page<SavedView>> {
  const { userUuid } = requireViewer(context);
  return mapPage(await db.listSavedViews(context.db, { ...input, userUuid }), (row) => asSeen(context, row));
}

/** A saved view: the caller's own, or a shared one. @throws Problem NOT_FOUND */
export async function readSavedView(context: Context, uuid: string): Promise<SavedView> {
  const { userUuid } = requireViewer(context);
  const row = await db.findSavedView(context.db, { uuid });
  if (!row || !(row.shared || row.ownerUuid === userUuid)) throw notFound("saved view", "uuid");
  return asSeen(context, row);
}

const subjectOf = (uuid: string) => ({ type: "SavedView", id: uuid });

/** Saves an address under a name. @throws Problem INVALID if the name is taken, or the person has too many views */
export async function createSavedView(context: Context, input: NewView): Promise<SavedView> {
  const { userUuid } = requireViewer(context);
  const values = { name: input.name, address: input.address, shared: input.shared ?? false };
  const uuid = uuidv7();
  return transact(context.db, async (transaction) => {
    // The lock prevents that two requests at the same time together exceed the limit.
    await lockUser(transaction, { userUuid });
    if ((await db.countSavedViews(transaction, { ownerUuid: userUuid })) >= mostSavedViews)
      throw invalid([
        { path: "name", message: `You keep ${mostSavedViews} views. Remove one before you save another.` },
      ]);
    await db
      .insertSavedView(transaction, { uuid, ownerUuid: userUuid, ...values, ...placesOf(values.address) })
      .catch((error: unknown) => {
        throw error instanceof db.ViewNameTaken
          ? invalid([{ path: "name", message: "is taken by another of your views: choose a different one" }])
          : error;
      });
    await recordAudit(
      context,
      { action: "view.create", outcome: "done", subject: subjectOf(uuid), details: values },
      transaction,
    );
    return asSeen(context, (await db.findSavedView(transaction, { uuid }))!);
  });
}

/** Removes a saved view: the caller's own, or for administrators a shared one. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deleteSavedView(context: Context, uuid: string): Promise<SavedView> {
  const found = await readSavedView(context, uuid);
  if (!found.removable)
    throw deny(
      context,
      { action: "view.delete", subject: subjectOf(uuid) },
      new Problem("FORBIDDEN", "Only who made it or an administrator may remove a shared view."),
    );
  const { name, address, shared } = found;
  await transact(context.db, async (transaction) => {
    await db.deleteSavedView(transaction, { uuid });
    await recordAudit(
      context,
      { action: "view.delete", outcome: "done", subject: subjectOf(uuid), details: { name, address, shared } },
      transaction,
    );
  });
  return found;
}
