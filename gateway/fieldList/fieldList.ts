import { v7 as uuidv7 } from "uuid";

import type { Handle } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import * as db from "../../db/fieldList/fieldList.ts";
import { mapPage, type Page, type PageInput } from "../../db/list/page.ts";
import { lockUser } from "../../db/user/user.ts";
import { deny, requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { isUuid } from "../input/page.rules.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { type FieldListChange, mostFieldLists, type NewFieldList } from "./fieldList.rules.ts";

/**
 * Acts on field lists: a person's own, and those that others share with everybody who may assess. Sites are put on a
 * list, and taken off, by acts on many sites (bulk.ts).
 */

export type FieldList = db.FieldListRow & {
  /** whether the caller made it */
  own: boolean;
  /** whether the caller may change and remove it */
  changeable: boolean;
};

const requireAssessor = (context: Context) => requireRight(context, "editAssessments", "somewhere");

function asSeen(context: Context, row: db.FieldListRow): FieldList {
  const { userUuid, privileges } = requireAssessor(context);
  const own = row.ownerUuid === userUuid;
  return { ...row, own, changeable: own || (row.shared && privileges.administrator) };
}

/** The caller's own field lists and the shared ones, by name. @throws Problem FORBIDDEN */
export async function listFieldLists(
  context: Context,
  input: { search?: string | null; page: PageInput },
): Promise<Page<FieldList>> {
  const { userUuid } = requireAssessor(context);
  return mapPage(await db.listFieldLists(context.db, { ...input, userUuid }), (row) => asSeen(context, row));
}

/**
 * A field list: the caller's own, or a shared one.
 *
 * @param path the key of the input with its uuid
 * @throws Problem FORBIDDEN or NOT_FOUND
 */
export async function readFieldList(
  context: Context,
  uuid: string,
  handle: Handle = context.db,
  path = "uuid",
): Promise<FieldList> {
  const { userUuid } = requireAssessor(context);
  const row = isUuid(uuid) ? await db.findFieldList(handle, { uuid, hold: handle !== context.db }) : undefined;
  if (!row || !(row.shared || row.ownerUuid === userUuid)) throw notFound("field list", path);
  return asSeen(context, row);
}

const subjectOf = (uuid: string) => ({ type: "FieldList", id: uuid });

/**
 * A field list that the caller may change, locked until the transaction ends.
 *
 * @throws Problem FORBIDDEN or NOT_FOUND
 */
export async function holdFieldList(
  context: Context,
  transaction: Handle,
  uuid: string,
  path?: string,
): Promise<FieldList> {
  const list = await readFieldList(context, uuid, transaction, path);
  if (!list.changeable)
    throw deny(
      context,
      { action: "field-list.change", subject: subjectOf(uuid) },
      new Problem("FORBIDDEN", "Only who made it or an administrator may change a shared field list."),
    );
  return list;
}

const nameTaken = (error: unknown): unknown =>
  error instanceof db.ListNameTaken
    ? invalid([{ path: "name", message: "is taken by another of these lists: choose a different one" }])
    : error;

/** Makes an empty field list. @throws Problem FORBIDDEN, or INVALID if the name is taken or there are too many */
export async function createFieldList(context: Context, { name, shared }: NewFieldList): Promise<FieldList> {
  const { userUuid } = requireAssessor(context);
  const values = { name, shared: shared ?? false };
  const uuid = uuidv7();
  return transact(context.db, async (transaction) => {
    // The lock prevents that two requests at the same time together exceed the limit.
    await lockUser(transaction, { userUuid });
    if ((await db.countFieldLists(transaction, { ownerUuid: userUuid })) >= mostFieldLists)
      throw invalid([
        { path: "name", message: `you have ${mostFieldLists} lists: delete one before you make another` },
      ]);
    await db.insertFieldList(transaction, { uuid, ownerUuid: userUuid, ...values }).catch((error: unknown) => {
      throw nameTaken(error);
    });
    await recordAudit(
      context,
      { action: "field-list.create", outcome: "done", subject: subjectOf(uuid), details: values },
      transaction,
    );
    return readFieldList(context, uuid, transaction);
  });
}

/** Renames a field list, or shares it or no longer. @throws Problem FORBIDDEN, NOT_FOUND or INVALID */
export async function changeFieldList(context: Context, { uuid, name, shared }: FieldListChange): Promise<FieldList> {
  requireAssessor(context);
  return transact(context.db, async (transaction) => {
    const old = await holdFieldList(context, transaction, uuid);
    const values = { name: name ?? old.name, shared: shared ?? old.shared };
    await db.updateFieldList(transaction, { uuid, ...values }).catch((error: unknown) => {
      throw nameTaken(error);
    });
    const details = { old: { name: old.name, shared: old.shared }, new: values };
    await recordAudit(
      context,
      { action: "field-list.change", outcome: "done", subject: subjectOf(uuid), details },
      transaction,
    );
    return asSeen(context, { ...old, ...values });
  });
}

/** Deletes a field list. Its sites stay. @throws Problem FORBIDDEN or NOT_FOUND */
export async function deleteFieldList(context: Context, uuid: string): Promise<FieldList> {
  requireAssessor(context);
  return transact(context.db, async (transaction) => {
    const list = await holdFieldList(context, transaction, uuid);
    await db.deleteFieldList(transaction, { uuid });
    const { name, shared, sites } = list;
    await recordAudit(
      context,
      { action: "field-list.delete", outcome: "done", subject: subjectOf(uuid), details: { name, shared, sites } },
      transaction,
    );
    return list;
  });
}
