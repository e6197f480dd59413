import { v7 as newUuid } from "uuid";

import { transact } from "../../db/engine/transaction.ts";
import type { Page, PageInput } from "../../db/list/page.ts";
import * as db from "../../db/registry/registryImport.ts";
import { updateStatistics } from "../../db/registry/registryImportApply.ts";
import { requireRight } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { listSystems } from "../facility/identifier.ts";
import { isUuid } from "../input/page.rules.ts";
import { madeStorable } from "../input/text.rules.ts";
import { invalid, notFound, Problem } from "../problem.ts";
import { readImport } from "./readImport.ts";
import { type DecisionInput, type ImportKind, importKinds, mayDecide } from "./registryImport.rules.ts";
import { reviewInParts } from "./reviewImport.ts";

/**
 * Acts on imports of facility lists, shared by REST and GraphQL. A list is always reviewed first. Its accepted rows are
 * applied in one transaction (applyImport.ts).
 */

export type { KindCount, ReviewRow } from "../../db/registry/registryImport.ts";
/** An import with the number of its rows of each kind. */
export type Import = db.ImportRow & { kinds: db.KindCount[] };

const noRows = (kind: ImportKind): db.KindCount => ({
  kind,
  rows: 0,
  undecided: 0,
  accepted: 0,
  rejected: 0,
  warned: 0,
  acceptable: 0,
});

/** @throws Problem NOT_FOUND */
export async function readImportOf(handle: Context["db"], importUuid: string): Promise<Import> {
  const found = isUuid(importUuid) ? await db.findImport(handle, { importUuid }) : undefined;
  if (!found) throw notFound("import");
  const counts = await db.listKindCounts(handle, { importUuid });
  return { ...found, kinds: importKinds.map((kind) => counts.find((one) => one.kind === kind) ?? noRows(kind)) };
}

/** An import with its counts. @throws Problem FORBIDDEN, NOT_FOUND */
export function readRegistryImport(context: Context, importUuid: string): Promise<Import> {
  requireRight(context, "editRegistry");
  return readImportOf(context.db, importUuid);
}

/** Imports, the newest first. @throws Problem FORBIDDEN */
export async function listRegistryImports(
  context: Context,
  { page }: { page: PageInput },
): Promise<Page<db.ImportRow>> {
  requireRight(context, "editRegistry");
  return db.listImports(context.db, { page });
}

/** Checks the right before a byte of a list is read. @throws Problem UNAUTHENTICATED or FORBIDDEN */
export const checkMayImport = (context: Context): void => void requireRight(context, "editRegistry");

type SentList = { fileName: string; content: AsyncIterable<Buffer> };
/** A list that was read and is not stored yet. */
export type ReadList = Awaited<ReturnType<typeof readImport>> & {
  fileName: string;
  systems: Awaited<ReturnType<typeof listSystems>>;
};

/**
 * Reads a list without storing it, because the rest of its form may still be refused.
 *
 * @throws Problem FORBIDDEN, INVALID, TOO_LARGE
 */
export async function readImportList(context: Context, { fileName, content }: SentList): Promise<ReadList> {
  requireRight(context, "editRegistry");
  const systems = await listSystems(context);
  return { ...(await readImport(content, systems)), fileName, systems };
}

/** Stores a list as an import to be reviewed. No facility is changed. @throws Problem FORBIDDEN */
export async function keepImport(context: Context, { fileName, rows, ignored, systems }: ReadList): Promise<Import> {
  const { userUuid } = requireRight(context, "editRegistry");
  const importUuid = newUuid();
  const shownName = madeStorable(fileName.trim()).slice(0, 256) || "list.csv";
  await transact(context.db, async (transaction) => {
    await db.insertImport(transaction, {
      importUuid,
      fileName: shownName,
      ignored,
      userUuid,
      rows: rows.length,
      parts: reviewInParts(transaction, rows, systems),
    });
    await updateStatistics(transaction);
    await recordAudit(
      context,
      {
        action: "registry.import",
        outcome: "done",
        subject: { type: "RegistryImport", id: importUuid },
        details: { fileName: shownName, rows: rows.length },
      },
      transaction,
    );
  });
  return readImportOf(context.db, importUuid);
}

/** Reads a list and stores it as an import to be reviewed. @throws Problem FORBIDDEN, INVALID, TOO_LARGE */
export const prepareImport = async (context: Context, sent: SentList): Promise<Import> =>
  keepImport(context, await readImportList(context, sent));

/** Rows of an import in their order in the file. @throws Problem FORBIDDEN, NOT_FOUND */
export async function listRegistryImportRows(
  context: Context,
  importUuid: string,
  filter: db.RowFilter & { page: PageInput },
): Promise<Page<db.ReviewRow>> {
  requireRight(context, "editRegistry");
  if (!isUuid(importUuid) || !(await db.findImport(context.db, { importUuid }))) throw notFound("import");
  return db.listImportRows(context.db, { importUuid, ...filter });
}

/**
 * Accepts or rejects rows, or undoes that. Rows that cannot be accepted are not.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, INVALID, CONFLICT
 */
export function decideRegistryImport(
  context: Context,
  importUuid: string,
  { decision, lines, kind, warned }: DecisionInput,
): Promise<Import> {
  requireRight(context, "editRegistry");
  return transact(context.db, async (transaction) => {
    const held = isUuid(importUuid) ? await db.lockImport(transaction, { importUuid }) : undefined;
    if (!held) throw notFound("import");
    if (!mayDecide(held)) throw new Problem("CONFLICT", "This import was applied: revert it before other decisions.");
    if (lines != null) {
      const faults = (await db.listLineFaults(transaction, { importUuid, lines })).filter(
        ({ reason }) => reason === null || decision === "accepted",
      );
      if (faults.length > 0)
        throw invalid(
          faults.map(({ line, reason }) => ({
            path: `row ${line}`,
            message: reason === null ? "is not in the list" : `cannot be accepted: ${reason}`,
          })),
        );
    }
    const count = await db.updateDecisions(transaction, { importUuid, decision, lines, kind, warned });
    await recordAudit(
      context,
      {
        action: "registry.import.decide",
        outcome: "done",
        subject: { type: "RegistryImport", id: importUuid },
        details: { decision, lines, kind, warned, rows: count },
      },
      transaction,
    );
    return readImportOf(transaction, importUuid);
  });
}
