import { v7 as uuidv7 } from "uuid";

import { mapPage, type Page, type PageInput } from "../../db/list/page.ts";
import * as db from "../../db/query/query.ts";
import { transact } from "../../db/engine/transaction.ts";
import { lockUser } from "../../db/user/user.ts";
import { deny, requireViewer } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import type { Context } from "../context.ts";
import { isUuid } from "../input/page.rules.ts";
import { type InputError, invalid, notFound, Problem } from "../problem.ts";
import type { Question, QuestionMeasure, Questions } from "../reading/questions.ts";
import {
  type ChangedQuery,
  type MeasuredQuery,
  mostPinned,
  mostSavedQueries,
  type NewQuery,
  type QueryFilter,
} from "./query.rules.ts";

/**
 * Acts on saved queries, shared by REST and GraphQL: a person's own queries, and those that others share. A query runs
 * with the rights of its caller.
 */

export type SavedQuery = db.SavedQueryRow & {
  /** whether the caller owns it */
  own: boolean;
  /** whether the caller may change or remove it */
  editable: boolean;
};
/** The schema's errors for a query and its variables, without running it. */
type Check = (question: Question) => InputError[];

function asSeen(context: Context, row: db.SavedQueryRow): SavedQuery {
  const { userUuid, privileges } = requireViewer(context);
  const own = row.ownerUuid === userUuid;
  return { ...row, own, editable: own || privileges.administrator };
}

/** The caller's own saved queries and the shared ones, of these only the caller's own or pinned ones, by name. */
export async function listSavedQueries(
  context: Context,
  input: QueryFilter & { page: PageInput },
): Promise<Page<SavedQuery>> {
  const { userUuid } = requireViewer(context);
  return mapPage(await db.listSavedQueries(context.db, { ...input, userUuid }), (row) => asSeen(context, row));
}

/** A saved query: the caller's own, a shared one, or for administrators any. @throws Problem NOT_FOUND */
export async function readSavedQuery(context: Context, uuid: string, path = "uuid"): Promise<SavedQuery> {
  const { userUuid, privileges } = requireViewer(context);
  const row = isUuid(uuid) ? await db.findSavedQuery(context.db, { uuid, userUuid }) : undefined;
  if (!row || !(row.shared || row.ownerUuid === userUuid || privileges.administrator))
    throw notFound("saved query", path);
  return asSeen(context, row);
}

const subjectOf = (uuid: string) => ({ type: "SavedQuery", id: uuid });
const nameTaken = () =>
  invalid([{ path: "name", message: "is the name of another of these queries: choose a different one" }]);

/** Checks a query against the schema. @throws Problem INVALID with the schema's errors */
function checkWith(check: Check, { query, variables, operationName }: db.SavedQueryValues): void {
  const errors = check({ query, variables, operationName });
  if (errors.length > 0) throw invalid(errors);
}

/**
 * Saves a query under a name.
 *
 * @throws Problem INVALID if the schema would not answer it, the name is taken, or the person has too many
 */
export async function createSavedQuery(context: Context, input: NewQuery, check: Check): Promise<SavedQuery> {
  const { userUuid } = requireViewer(context);
  const { name, query } = input;
  const values = {
    name,
    query,
    description: input.description || null,
    variables: input.variables ?? null,
    operationName: input.operationName || null,
    shared: input.shared ?? false,
  };
  checkWith(check, values);
  const uuid = uuidv7();
  return transact(context.db, async (transaction) => {
    // The lock prevents that two requests at the same time together exceed the limit.
    await lockUser(transaction, { userUuid });
    if ((await db.countSavedQueries(transaction, { ownerUuid: userUuid })) >= mostSavedQueries)
      throw invalid([
        { path: "name", message: `You keep ${mostSavedQueries} queries. Remove one before you save another.` },
      ]);
    await db.insertSavedQuery(transaction, { uuid, ownerUuid: userUuid, ...values }).catch((error: unknown) => {
      throw error instanceof db.QueryNameTaken ? nameTaken() : error;
    });
    await recordAudit(
      context,
      { action: "query.create", outcome: "done", subject: subjectOf(uuid), details: values },
      transaction,
    );
    return asSeen(context, (await db.findSavedQuery(transaction, { uuid, userUuid }))!);
  });
}

/**
 * Pins a saved query to the caller's Home, or removes it from there: the caller's own, or a shared one.
 *
 * @throws Problem NOT_FOUND, INVALID if there are too many
 */
export async function pinSavedQuery(context: Context, uuid: string, pinned: boolean): Promise<SavedQuery> {
  const { userUuid } = requireViewer(context);
  const found = await readSavedQuery(context, uuid, "id");
  if (!(found.own || found.shared)) throw notFound("saved query", "id");
  return transact(context.db, async (transaction) => {
    // The lock prevents that two requests at the same time together exceed the limit.
    await lockUser(transaction, { userUuid });
    if (pinned && !found.pinned && (await db.countPins(transaction, { userUuid })) >= mostPinned)
      throw invalid([{ path: "pinned", message: `You keep ${mostPinned} questions on Home. Remove one first.` }]);
    await (pinned ? db.insertPin : db.deletePin)(transaction, { uuid, userUuid });
    await recordAudit(
      context,
      { action: "query.pin", outcome: "done", subject: subjectOf(uuid), details: { pinned } },
      transaction,
    );
    return { ...found, pinned };
  });
}

/** A saved query that the caller may change. @throws Problem NOT_FOUND, FORBIDDEN */
async function findEditable(context: Context, uuid: string, action: AuditAction, path?: string): Promise<SavedQuery> {
  const found = await readSavedQuery(context, uuid, path);
  if (found.editable) return found;
  const problem = new Problem(
    "FORBIDDEN",
    "Only its owner or an administrator may change or remove a saved query. Save a copy of your own.",
  );
  throw deny(context, { action, subject: subjectOf(uuid) }, problem);
}

/** What a query would cost, and why it would not be answered, without running it. */
export function measureQuery(
  context: Context,
  question: MeasuredQuery,
  measure: Questions["measure"],
): QuestionMeasure {
  requireViewer(context);
  return measure(question);
}

/** Changes the given fields of a saved query. @throws Problem NOT_FOUND, FORBIDDEN, INVALID */
export async function updateSavedQuery(
  context: Context,
  uuid: string,
  input: ChangedQuery,
  check: Check,
): Promise<SavedQuery> {
  const { userUuid } = requireViewer(context);
  const before = await findEditable(context, uuid, "query.update");
  const from: db.SavedQueryValues = {
    name: before.name,
    description: before.description,
    query: before.query,
    variables: before.variables,
    operationName: before.operationName,
    shared: before.shared,
  };
  const to: db.SavedQueryValues = {
    name: input.name ?? from.name,
    query: input.query ?? from.query,
    shared: input.shared ?? from.shared,
    description: input.description === undefined ? from.description : input.description || null,
    variables: input.variables === undefined ? from.variables : input.variables,
    operationName: input.operationName === undefined ? from.operationName : input.operationName || null,
  };
  checkWith(check, to);
  return transact(context.db, async (transaction) => {
    await db.updateSavedQuery(transaction, { uuid, ...to }).catch((error: unknown) => {
      throw error instanceof db.QueryNameTaken ? nameTaken() : error;
    });
    await recordAudit(
      context,
      { action: "query.update", outcome: "done", subject: subjectOf(uuid), details: { from, to } },
      transaction,
    );
    return asSeen(context, (await db.findSavedQuery(transaction, { uuid, userUuid }))!);
  });
}

/** Removes a saved query, and with it its address. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deleteSavedQuery(context: Context, uuid: string): Promise<SavedQuery> {
  const found = await findEditable(context, uuid, "query.delete", "id");
  const { name, query, variables, shared } = found;
  await transact(context.db, async (transaction) => {
    await db.deleteSavedQuery(transaction, { uuid });
    await recordAudit(
      context,
      {
        action: "query.delete",
        outcome: "done",
        subject: subjectOf(uuid),
        details: { name, query, variables, shared },
      },
      transaction,
    );
  });
  return found;
}
